//@ survey: T07, Shape Analysis, 4.4.4
//@ truth: violated valid-free
// Two branches build two trees of two levels, and one of them takes the same child twice.
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
        root->right = root->left;
    } else {
        root->right = leaf();
    }
    free(root->left);
    free(root->right);
    free(root);
    return 0;
}
