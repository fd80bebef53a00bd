// In some round, a new node lies where the node before it was.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = 0;
        if (node == last)
            free(node);
        free(node);
        last = node;
    }
    return 0;
}
