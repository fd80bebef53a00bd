typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);
extern int memcmp(const void *, const void *, size_t);

int main(void)
{
    int *p = malloc(4);
    free(p);
    int *q = malloc(4);
    int r = memcmp(&p, &q, sizeof p);
    free(q);
    if (r == 0)
        reach_error();
    return 0;
}
