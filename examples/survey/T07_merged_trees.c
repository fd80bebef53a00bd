//@ survey: T07, Shape Analysis, 4.4.4
//@ truth: holds
//@ expected: symbolic-heap, forest-automata, three-valued
// Two branches build two trees of two levels, and meet: what holds of both is that it is a tree.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right;
};

static struct node *leaf(void) {
    struct node *node = malloc(sizeof *node);
    node->left = NULL;
    node->right = NULL;
    return node;
}

int main(void) {
    struct node *root = leaf();
    if (__VERIFIER_nondet_int()) {
        root->left = leaf();
        root->right = leaf();
    } else {
        root->right = leaf();
    }
    free(root->left);
    free(root->right);
    free(root);
    return 0;
}
