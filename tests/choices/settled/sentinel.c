typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

struct n {
    struct n *next;
};

int main(void)
{
    struct n head;
    head.next = &head;
    while (__VERIFIER_nondet_int()) {
        struct n *x = malloc(sizeof *x);
        x->next = head.next;
        head.next = x;
    }
    while (head.next != &head) {
        struct n *t = head.next;
        head.next = t->next;
        free(t);
    }
    return 0;
}
