//@ truth: violated unreach-call
//@ now: violated unreach-call 44
//@ run: exit 101
// A tree of one node is as high as it has nodes.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
};

static struct tree *grow(void) {
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct tree *tree = malloc(sizeof *tree);
    tree->left = grow();
    tree->right = grow();
    return tree;
}

static unsigned long size(struct tree *tree) {
    return tree ? size(tree->left) + size(tree->right) + 1 : 0;
}

static unsigned long height(struct tree *tree) {
    if (!tree)
        return 0;
    unsigned long left = height(tree->left), right = height(tree->right);
    return 1 + (left > right ? left : right);
}

static void release(struct tree *tree) {
    if (!tree)
        return;
    release(tree->left);
    release(tree->right);
    free(tree);
}

int main(void) {
    struct tree *tree = grow();
    assert(!tree || height(tree) < size(tree));
    release(tree);
    return 0;
}
