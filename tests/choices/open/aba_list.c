typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);

struct n {
    struct n *next;
};

int main(void)
{
    struct n *h = malloc(sizeof *h);
    h->next = 0;
    struct n *old = h;
    free(h);
    h = malloc(sizeof *h);
    h->next = 0;
    if (h == old) {
        free(h);
        h = 0;
    }
    struct n *x = h;
    x->next = 0;
    free(h);
    return 0;
}
