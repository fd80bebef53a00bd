//@ truth: holds
//@ now: holds
//@ options: --entry release
//@ run: exit 0
// Frees any tree that it is given.
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

void release(struct tree *tree) {
    if (!tree)
        return;
    release(tree->left);
    release(tree->right);
    free(tree);
}
