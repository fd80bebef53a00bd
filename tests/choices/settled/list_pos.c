typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

struct n {
    struct n *next;
};

int main(void)
{
    struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = 0;
    if (a->next == a)
        reach_error();
    free(a);
    free(b);
    return 0;
}
