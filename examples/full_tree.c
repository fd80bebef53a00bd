//@ truth: holds
//@ now: holds
//@ run: exit 0
// A full tree of any depth: below each node both sides are equally high.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
};

static struct tree *grow(int depth) {
    if (depth <= 0)
        return NULL;
    struct tree *tree = malloc(sizeof *tree);
    tree->left = grow(depth - 1);
    tree->right = grow(depth - 1);
    return tree;
}

static int check(struct tree *tree) {
    if (!tree)
        return 0;
    int left = check(tree->left), right = check(tree->right);
    assert(left == right);
    return left + 1;
}

static void release(struct tree *tree) {
    if (!tree)
        return;
    release(tree->left);
    release(tree->right);
    free(tree);
}

int main(void) {
    int depth = __VERIFIER_nondet_int();
    if (depth < 0 || depth > 16)
        return 0;
    struct tree *tree = grow(depth);
    assert(check(tree) == depth);
    release(tree);
    return 0;
}
