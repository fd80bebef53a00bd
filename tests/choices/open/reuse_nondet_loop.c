typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int *last = 0;
    while (__VERIFIER_nondet_int()) {
        int *p = malloc(4);
        if (last && p == last)
            reach_error();
        last = p;
        free(p);
    }
    return 0;
}
