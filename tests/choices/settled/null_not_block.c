typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    int *p = malloc(4);
    int *q = 0;
    if (p == q)
        reach_error();
    free(p);
    return 0;
}
