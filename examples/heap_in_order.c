//@ truth: holds
//@ now: holds
//@ run: exit 0
// A heap of any size: whatever is put in, no node has a greater number than the one above it.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct heap {
    struct heap *left, *right;
    int key;
};

static struct heap *meld(struct heap *one, struct heap *other) {
    if (!one)
        return other;
    if (!other)
        return one;
    if (one->key < other->key) {
        struct heap *greater = other;
        other = one;
        one = greater;
    }
    struct heap *right = one->right;
    one->right = one->left;
    one->left = meld(right, other);
    return one;
}

static struct heap *single(int key) {
    struct heap *node = malloc(sizeof *node);
    node->left = node->right = NULL;
    node->key = key;
    return node;
}

static void release(struct heap *heap) {
    if (!heap)
        return;
    release(heap->left);
    release(heap->right);
    free(heap);
}

int main(void) {
    struct heap *root = NULL;
    while (__VERIFIER_nondet_int())
        root = meld(root, single(__VERIFIER_nondet_int()));
    struct heap *at = root;
    while (at) {
        struct heap *below = __VERIFIER_nondet_int() ? at->left : at->right;
        assert(!below || below->key <= at->key);
        at = below;
    }
    release(root);
    return 0;
}
