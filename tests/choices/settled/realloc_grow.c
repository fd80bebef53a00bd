typedef __SIZE_TYPE__ size_t;
extern void free(void *);
extern void *realloc(void *, size_t);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0;
    for (int i = 0;i < n;i++) {
        p = realloc(p, (i+1)*sizeof *p);
        p[i] = i;
    }
    free(p);
    return 0;
}
