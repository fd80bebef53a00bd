typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

struct n {
    struct n *next;
};

int main(void)
{
    struct n *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct n *x = malloc(sizeof *x);
        x->next = h;
        h = x;
    }
    while (h) {
        struct n *t = h->next;
        free(h);
        h = t;
    }
    return 0;
}
