typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

struct s {
    int *p;
};

int main(void)
{
    struct s a;
    a.p = malloc(8);
    free(a.p);
    int *q = malloc(8);
    if (a.p == q)
        reach_error();
    free(q);
    return 0;
}
