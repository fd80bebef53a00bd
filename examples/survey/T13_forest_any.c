//@ survey: T13, Shape Analysis, 5.2
//@ truth: holds
//@ expected: symbolic-heap, forest-automata
// A list whose items own trees of any size; all of it is freed, each tree by taking its leaves
// off.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right;
};

struct item {
    struct item *next;
    struct node *tree;
};

static struct node *leaf(void) {
    struct node *node = malloc(sizeof *node);
    node->left = NULL;
    node->right = NULL;
    return node;
}

static struct node *grow(void) {
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = leaf();
        if (!root) {
            root = node;
            continue;
        }
        struct node *t = root;
        for (;;) {
            struct node **link = __VERIFIER_nondet_int() ? &t->left : &t->right;
            if (!*link) {
                *link = node;
                break;
            }
            t = *link;
        }
    }
    return root;
}

/* Takes leaves off until nothing is left. */
static void destroy(struct node *root) {
    while (root) {
        struct node *parent = NULL, *node = root;
        while (node->left || node->right) {
            parent = node;
            node = node->left ? node->left : node->right;
        }
        if (!parent)
            root = NULL;
        else if (parent->left == node)
            parent->left = NULL;
        else
            parent->right = NULL;
        free(node);
    }
}

int main(void) {
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof *item);
        item->tree = grow();
        item->next = list;
        list = item;
    }
    while (list) {
        struct item *next = list->next;
        destroy(list->tree);
        free(list);
        list = next;
    }
    return 0;
}
