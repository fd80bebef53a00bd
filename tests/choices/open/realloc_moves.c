typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void *realloc(void *, size_t);
extern void reach_error(void);

int main(void)
{
    int *p = malloc(4);
    int *q = realloc(p, 1<<20);
    if (q != p)
        reach_error();
    free(q);
    return 0;
}
