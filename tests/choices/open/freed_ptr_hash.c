typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(16);
    unsigned long h = (unsigned long)p>>4;
    free(p);
    char *q = malloc(16);
    unsigned long g = (unsigned long)q>>4;
    free(q);
    if (h == g)
        reach_error();
    return 0;
}
