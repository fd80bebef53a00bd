//@ truth: violated unreach-call
//@ now: violated unreach-call 30
//@ run: exit 0
// Colours of a tree whose right children may always be red.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int is_red;
};

static struct tree *grow(int may_be_red) {
    if (__VERIFIER_nondet_int())
        return NULL;
    struct tree *tree = malloc(sizeof *tree);
    tree->is_red = may_be_red && __VERIFIER_nondet_int();
    tree->left = grow(!tree->is_red);
    tree->right = grow(1);
    return tree;
}

static void check(const struct tree *tree) {
    if (!tree)
        return;
    if (tree->is_red) {
        assert(!tree->left || !tree->left->is_red);
        assert(!tree->right || !tree->right->is_red);
    }
    check(tree->left);
    check(tree->right);
}

static void release(struct tree *tree) {
    if (!tree)
        return;
    release(tree->left);
    release(tree->right);
    free(tree);
}

int main(void) {
    struct tree *tree = grow(1);
    check(tree);
    release(tree);
    return 0;
}
