//@ truth: violated unreach-call
//@ now: violated unreach-call 28
//@ run: exit 0
// A search tree that puts one key, 7, on the left of whatever it meets.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static void insert(struct tree **place, int key) {
    while (*place && (*place)->key != key)
        place = key < (*place)->key || key == 7 ? &(*place)->left : &(*place)->right;
    if (*place)
        return;
    *place = malloc(sizeof **place);
    (*place)->left = (*place)->right = NULL;
    (*place)->key = key;
}

static void all_less(const struct tree *tree, int bound) {
    if (!tree)
        return;
    assert(tree->key < bound);
    all_less(tree->left, bound);
    all_less(tree->right, bound);
}

static void release(struct tree *tree) {
    if (!tree)
        return;
    release(tree->left);
    release(tree->right);
    free(tree);
}

int main(void) {
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        insert(&root, __VERIFIER_nondet_int());
    if (root)
        all_less(root->left, root->key);
    release(root);
    return 0;
}
