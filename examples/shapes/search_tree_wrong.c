//@ truth: violated unreach-call
//@ now: violated unreach-call 70
//@ run: exit 0
//@ property: unreach-call
//@ engine: three-valued
//@ shape-classes: classes.txt
// The same tree, but a key that is there already is put in once more, on the left.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}

struct node {
    struct node *left, *right;
    int key;
};

static struct node *root;

static struct node *new_node(int key) {
    struct node *node = malloc(sizeof *node);
    node->left = 0;
    node->right = 0;
    node->key = key;
    return node;
}

static void insert(int key) {
    struct node *at = root;
    for (;;) {
        if (key <= at->key) {
            if (!at->left) {
                at->left = new_node(key);
                return;
            }
            at = at->left;
        } else if (key > at->key) {
            if (!at->right) {
                at->right = new_node(key);
                return;
            }
            at = at->right;
        } else {
            return;
        }
    }
}

static struct node *walk(struct node *at) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (at->left)
                at = at->left;
        } else if (at->right) {
            at = at->right;
        }
    }
    return at;
}

int main(void) {
    root = new_node(__VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        insert(__VERIFIER_nondet_int());
    struct node *above = walk(root);
    if (__VERIFIER_nondet_int()) {
        if (above->left) {
            struct node *below = walk(above->left);
            if (below->key >= above->key)
                reach_error();
        }
    } else if (above->right) {
        struct node *below = walk(above->right);
        if (below->key <= above->key)
            reach_error();
    }
    return 0;
}
