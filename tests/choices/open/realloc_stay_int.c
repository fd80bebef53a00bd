typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void *realloc(void *, size_t);
extern void reach_error(void);

int main(void)
{
    int *p = malloc(4);
    long n = (long)p;
    int *q = realloc(p, 8);
    if ((long)q == n)
        reach_error();
    free(q);
    return 0;
}
