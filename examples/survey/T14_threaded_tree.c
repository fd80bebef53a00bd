//@ survey: T14, Shape Analysis, 5.2
//@ truth: holds
//@ expected: symbolic-heap, three-valued
// The nodes of a tree are a list as well, through another link: a path of the tree is walked,
// then the list frees all nodes.
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
