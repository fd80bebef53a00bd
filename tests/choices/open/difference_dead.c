typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(4);
    long n = (long)p;
    free(p);
    char *q = malloc(4);
    long m = (long)q;
    free(q);
    if (m-n == 0)
        reach_error();
    return 0;
}
