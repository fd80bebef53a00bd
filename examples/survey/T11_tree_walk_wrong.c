//@ survey: T11, Shape Analysis, 5.3
//@ truth: violated valid-deref
// A tree of any size, freed by a function that frees a node before it looks at its children.
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
    free(node);
    destroy(node->left);
    destroy(node->right);
}

int main(void) {
    struct node *root = build();
    walk(root);
    destroy(root);
    return 0;
}
