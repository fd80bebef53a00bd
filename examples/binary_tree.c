//@ truth: holds
//@ now: holds
//@ run: exit 0
// A search tree: insert, print in order, free from the leaves up.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **place, int key) {
    while (*place)
        place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    *place = calloc(1, sizeof **place);
    (*place)->key = key;
}

static void print(const struct tree *tree) {
    if (!tree)
        return;
    print(tree->left);
    printf("%d\n", tree->key);
    print(tree->right);
}

static void destroy(struct tree *tree) {
    if (!tree)
        return;
    destroy(tree->left);
    destroy(tree->right);
    free(tree);
}

int main(void) {
    static const int keys[] = {5, 2, 8, 1, 9};
    struct tree *root = NULL;
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
        insert(&root, keys[i]);
    print(root);
    destroy(root);
    return 0;
}
