typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);

struct n {
    struct n *next;
};

int main(void)
{
    struct n *a = malloc(sizeof *a);
    struct n *b = malloc(sizeof *b);
    a->next = b;
    b->next = 0;
    struct n *v = b;
    struct n **pp = &a;
    while (*pp != v)
        pp = &(*pp)->next;
    *pp = v->next;
    free(v);
    free(a);
    return 0;
}
