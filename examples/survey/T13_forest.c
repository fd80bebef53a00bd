//@ survey: T13, Shape Analysis, 5.2
//@ truth: holds
//@ expected: symbolic-heap, forest-automata
// A list whose items own trees of two levels; all of it is freed.
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

static struct node *tree(void) {
    struct node *root = leaf();
    if (__VERIFIER_nondet_int())
        root->left = leaf();
    if (__VERIFIER_nondet_int())
        root->right = leaf();
    return root;
}

int main(void) {
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof *item);
        item->tree = tree();
        item->next = list;
        list = item;
    }
    while (list) {
        struct item *next = list->next;
        free(list->tree->left);
        free(list->tree->right);
        free(list->tree);
        free(list);
        list = next;
    }
    return 0;
}
