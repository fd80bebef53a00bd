//@ survey: T14, Shape Analysis, 5.2
//@ truth: violated valid-memtrack
// The nodes of a tree should be a list as well, but the root is not in it, and nobody frees it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *left, *right, *next;
};

int main(void) {
    struct node *root = NULL, *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->left = NULL;
        node->right = NULL;
        struct node *parent = NULL, *t = root;
        while (t) {
            parent = t;
            t = __VERIFIER_nondet_int() ? t->left : t->right;
        }
        if (!parent)
            root = node;
        else if (!parent->left)
            parent->left = node;
        else if (!parent->right)
            parent->right = node;
        if (node == root)
            continue;
        node->next = list;
        list = node;
    }
    for (struct node *t = root; t;)
        t = __VERIFIER_nondet_int() ? t->left : t->right;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
