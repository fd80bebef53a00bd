typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    int *p = malloc(4);
    long n = (long)p;
    free(p);
    int *q = malloc(4);
    if ((long)q == n)
        reach_error();
    free(q);
    return 0;
}
