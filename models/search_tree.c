// defines: tsearch tfind tdelete twalk tdestroy
// The search trees of <search.h>: binary trees, here never rebalanced. A caller knows of a node
// only that it starts with the pointer to the key.

typedef __SIZE_TYPE__ size_t;
typedef int order(const void *key, const void *other);

extern void *__heapwright_malloc(size_t size);
extern void __heapwright_free(void *block);

typedef enum { preorder, postorder, endorder, leaf } visit;

struct heapwright_tree_node {
    const void *key;
    struct heapwright_tree_node *left;
    struct heapwright_tree_node *right;
};

typedef struct heapwright_tree_node node;

void *tsearch(const void *key, void **root, order *compare)
{
    if (root == (void **)0)
        return (void *)0;
    node *parent = (node *)0;
    node *current = *root;
    int result = 0;
    while (current != (node *)0) {
        result = compare(key, current->key);
        if (result == 0)
            return current;
        parent = current;
        current = result < 0 ? current->left : current->right;
    }
    node *added = __heapwright_malloc(sizeof(node));
    if (added == (node *)0)
        return (void *)0;
    added->key = key;
    added->left = (node *)0;
    added->right = (node *)0;
    if (parent == (node *)0)
        *root = added;
    else if (result < 0)
        parent->left = added;
    else
        parent->right = added;
    return added;
}

void *tfind(const void *key, void *const *root, order *compare)
{
    if (root == (void *const *)0)
        return (void *)0;
    node *current = *root;
    while (current != (node *)0) {
        int result = compare(key, current->key);
        if (result == 0)
            return current;
        current = result < 0 ? current->left : current->right;
    }
    return (void *)0;
}

// The tree of a node's children: the lowest node of the right one becomes the root.
static node *joined_children(node *parent)
{
    if (parent->left == (node *)0)
        return parent->right;
    if (parent->right == (node *)0)
        return parent->left;
    node *above = parent;
    node *lowest = parent->right;
    while (lowest->left != (node *)0) {
        above = lowest;
        lowest = lowest->left;
    }
    if (above != parent) {
        above->left = lowest->right;
        lowest->right = parent->right;
    }
    lowest->left = parent->left;
    return lowest;
}

// Gives the parent of the deleted node; for the root, some pointer that is not null.
void *tdelete(const void *restrict key, void **restrict root, order *compare)
{
    if (root == (void **)0)
        return (void *)0;
    node *parent = (node *)0;
    node *current = *root;
    int last_result = 0;
    while (current != (node *)0) {
        int result = compare(key, current->key);
        if (result == 0)
            break;
        last_result = result;
        parent = current;
        current = result < 0 ? current->left : current->right;
    }
    if (current == (node *)0)
        return (void *)0;
    node *replacement = joined_children(current);
    __heapwright_free(current);
    if (parent == (node *)0) {
        *root = replacement;
        return root;
    }
    if (last_result < 0)
        parent->left = replacement;
    else
        parent->right = replacement;
    return parent;
}

static void walk(const node *current, void (*action)(const void *, visit, int), int depth)
{
    if (current->left == (node *)0 && current->right == (node *)0) {
        action(current, leaf, depth);
        return;
    }
    action(current, preorder, depth);
    if (current->left != (node *)0)
        walk(current->left, action, depth + 1);
    action(current, postorder, depth);
    if (current->right != (node *)0)
        walk(current->right, action, depth + 1);
    action(current, endorder, depth);
}

void twalk(const void *root, void (*action)(const void *, visit, int))
{
    if (root != (const void *)0 && action != (void (*)(const void *, visit, int))0)
        walk(root, action, 0);
}

static void destroy(node *current, void (*free_key)(void *))
{
    if (current->left != (node *)0)
        destroy(current->left, free_key);
    if (current->right != (node *)0)
        destroy(current->right, free_key);
    free_key((void *)current->key);
    __heapwright_free(current);
}

void tdestroy(void *root, void (*free_key)(void *))
{
    if (root != (void *)0)
        destroy(root, free_key);
}
