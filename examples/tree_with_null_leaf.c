//@ truth: violated valid-deref
//@ now: violated valid-deref 29
//@ run: exit 0
// A search tree whose leaves are all one node, but for one on the right of the key 7, which is null.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *nil;

static void insert(struct tree **place, int key) {
    while (*place != nil)
        place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = malloc(sizeof **place);
    (*place)->left = (*place)->right = nil;
    if (key == 7)
        (*place)->right = NULL;
    (*place)->key = key;
}

static void destroy(struct tree *root) {
    if (root == nil)
        return;
    destroy(root->left);
    destroy(root->right);
    free(root);
}

int main(void) {
    nil = malloc(sizeof *nil);
    struct tree *root = nil;
    while (__VERIFIER_nondet_int())
        insert(&root, __VERIFIER_nondet_int());
    destroy(root);
    free(nil);
    return 0;
}
