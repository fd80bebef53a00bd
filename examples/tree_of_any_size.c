//@ truth: holds
//@ now: holds
//@ run: exit 0
// A binary tree of any size: built by walking down from the root, freed leaf by leaf.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left;
    struct node *right;
};

static struct node *leaf(void) {
    struct node *node = malloc(sizeof *node);
    node->left = node->right = NULL;
    return node;
}

static void grow(struct node *node) {
    while (node->left && node->right) node = __VERIFIER_nondet_int() ? node->left : node->right;
    if (!node->left)
        node->left = leaf();
    else
        node->right = leaf();
}

int main(void) {
    struct node *root = leaf();
    while (__VERIFIER_nondet_int()) grow(root);
    while (root) {
        struct node *above = NULL;
        struct node *node = root;
        while (node->left || node->right) {
            above = node;
            node = node->left ? node->left : node->right;
        }
        if (!above)
            root = NULL;
        else if (above->left == node)
            above->left = NULL;
        else
            above->right = NULL;
        free(node);
    }
    return 0;
}
