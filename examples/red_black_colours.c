//@ truth: holds
//@ now: holds
//@ run: exit 0
// Colours of a red-black tree of any size: no red node has a red child.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int is_red;
};

static struct tree *grow(int may_be_red) {
    if (!__VERIFIER_nondet_bool())
        return NULL;
    struct tree *tree = malloc(sizeof *tree);
    tree->is_red = may_be_red && __VERIFIER_nondet_int();
    tree->left = grow(!tree->is_red);
    tree->right = grow(!tree->is_red);
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
