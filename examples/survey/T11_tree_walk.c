//@ survey: T11, Shape Analysis, 5.3
//@ truth: holds
//@ expected: symbolic-heap, three-valued, forest-automata
// A tree of any size, built, walked in order and freed by functions that call themselves.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right;
};

static struct node *build(void) {
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct node *node = malloc(sizeof *node);
    node->left = build();
    node->right = build();
    return node;
}

static void walk(struct node *node) {
    if (!node)
        return;
    walk(node->left);
    walk(node->right);
}

static void destroy(struct node *node) {
    if (!node)
        return;
    destroy(node->left);
    destroy(node->right);
    free(node);
}

int main(void) {
    struct node *root = build();
    walk(root);
    destroy(root);
    return 0;
}
