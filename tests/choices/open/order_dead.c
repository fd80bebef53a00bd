typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    int *p = malloc(4);
    free(p);
    int *q = malloc(4);
    int r = p < q;
    int s = q < p;
    free(q);
    if (!r && !s)
        reach_error();
    return 0;
}
