typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void *realloc(void *, size_t);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(4);
    p = realloc(p, 0);
    if (!p)
        reach_error();
    free(p);
    return 0;
}
