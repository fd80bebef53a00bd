//! Binary search trees: plain ones with recursion, and ones with parent pointers and rotations.

use super::payload::{declare_node, node_names};
use super::scene::{PlantedFault, Scene, Verb, fault, plain, verb};
use crate::program::FaultKind;
use crate::random::Random;
use crate::text::fill;

/// A search tree without parent pointers.
pub(crate) fn search_tree(random: &mut Random, prefix: &str) -> Scene {
    let node = declare_node(random, prefix, "struct $p_node *left, *right;");
    Scene {
        names: node_names(prefix),
        declarations: node + &fill(TREE_CORE, &[("p", prefix)]),
        setup: "struct $p_node *root = NULL;",
        verbs: TREE_VERBS,
        teardown: "mix($p_total(root));\n$p_clear(root);",
        faults: TREE_FAULTS,
    }
}

const TREE_CORE: &str = "
static struct $p_node *$p_insert(struct $p_node *root, int value) {
if (!root) return $p_create(value);
if (value < (long long)root->key) root->left = $p_insert(root->left, value);
else if (value > (long long)root->key) root->right = $p_insert(root->right, value);
else $p_store(root, value);
return root;
}
static unsigned int $p_total(const struct $p_node *node) {
if (!node) return 1u;
return $p_total(node->left) * 3u + $p_digest(node) + $p_total(node->right) * 7u;
}
static void $p_clear(struct $p_node *node) {
if (!node) return;
$p_clear(node->left);
$p_clear(node->right);
$p_release(node);
}
";

const TREE_VERBS: &[Verb] = &[
    plain("root = $p_insert(root, $v);"),
    plain("for (int i = 0; i < $k; i++) root = $p_insert(root, ($v * 31 + i * 17) % 97);"),
    plain("mix($p_total(root));"),
    plain("if ($v % 4 == 0) {\n$p_clear(root);\nroot = NULL;\n}"),
    verb(
        "static struct $p_node **$p_smallest(struct $p_node **link) {
         while ((*link)->left) link = &(*link)->left;
         return link;
         }
         static int $p_remove(struct $p_node **link, int value) {
         struct $p_node *node;
         while (*link && (long long)(*link)->key != value)
         link = value < (long long)(*link)->key ? &(*link)->left : &(*link)->right;
         node = *link;
         if (!node) return 0;
         if (node->left && node->right) {
         struct $p_node **next = $p_smallest(&node->right);
         struct $p_node *successor = *next;
         *next = successor->right;
         successor->left = node->left;
         successor->right = node->right;
         *link = successor;
         } else {
         *link = node->left ? node->left : node->right;
         }
         $p_release(node);
         return 1;
         }",
        "mix((unsigned int)$p_remove(&root, $v % 97));",
    ),
    verb(
        "static int $p_height(const struct $p_node *node) {
         int left, right;
         if (!node) return 0;
         left = $p_height(node->left);
         right = $p_height(node->right);
         return 1 + (left > right ? left : right);
         }",
        "printf(\"height %d\\n\", $p_height(root));",
    ),
    verb(
        "static unsigned int $p_walk(struct $p_node *root) {
         size_t capacity = 2, depth = 0;
         unsigned int seen = 0;
         struct $p_node **stack = malloc(capacity * sizeof *stack);
         if (!stack) abort();
         while (root || depth > 0) {
         while (root) {
         if (depth == capacity) {
         struct $p_node **grown = realloc(stack, (capacity *= 2) * sizeof *grown);
         if (!grown) abort();
         stack = grown;
         }
         stack[depth++] = root;
         root = root->left;
         }
         root = stack[--depth];
         seen = seen * 13u + $p_digest(root);
         root = root->right;
         }
         free(stack);
         return seen;
         }",
        "mix($p_walk(root));",
    ),
    verb(
        "static struct $p_node *$p_rotate(struct $p_node *node) {
         struct $p_node *pivot;
         if (!node || !(pivot = node->left)) return node;
         node->left = pivot->right;
         pivot->right = node;
         return pivot;
         }",
        "root = $p_rotate(root);",
    ),
    verb(
        "static void $p_mirror(struct $p_node *node) {
         struct $p_node *left;
         if (!node) return;
         left = node->left;
         $p_mirror(node->left = node->right);
         $p_mirror(node->right = left);
         }",
        "$p_mirror(root);\nmix($p_total(root));\n$p_mirror(root);",
    ),
    verb(
        "static void $p_visit(struct $p_node *node, void (*action)(struct $p_node *, void *), void *state) {
         if (!node) return;
         $p_visit(node->left, action, state);
         action(node, state);
         $p_visit(node->right, action, state);
         }
         static void $p_count(struct $p_node *node, void *state) {
         if ((int)node->key % 2) ++*(unsigned int *)state;
         }",
        "{
         unsigned int count = 0;
         $p_visit(root, $p_count, &count);
         printf(\"%u odd\\n\", count);
         }",
    ),
];

const TREE_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "root = $p_insert(root, $v);
         $p_clear(root);
         mix((unsigned int)root->key); $fault",
    ),
    fault(
        FaultKind::DoubleFree,
        "$p_clear(root);
         root = $p_insert(NULL, $v);
         $p_release(root);
         free(root); $fault",
    ),
    fault(
        FaultKind::Leak,
        "$p_clear(root);
         root = NULL;
         for (int i = 0; i < 4; i++) root = $p_insert(root, ($v + i * 5) % 90);
         if (root->left) root->left = NULL; else root->right = NULL; $fault",
    ),
    fault(
        FaultKind::Leak,
        "root = $p_insert(root, $v);
         root = $p_insert(NULL, $w); $fault",
    ),
    fault(
        FaultKind::NullDereference,
        "$p_clear(root);
         root = $p_insert(NULL, 50);
         root = $p_insert(root, 60);
         root->left->right = root->right; $fault",
    ),
    fault(
        FaultKind::InvalidFree,
        "root = $p_insert(root, $v);
         free(&root->right + 1); $fault",
    ),
];

/// A search tree with parent pointers.
pub(crate) fn parent_tree(random: &mut Random, prefix: &str) -> Scene {
    let node = declare_node(random, prefix, "struct $p_node *child[2], *parent;");
    Scene {
        names: node_names(prefix),
        declarations: node + &fill(PARENT_CORE, &[("p", prefix)]),
        setup: "struct $p_node *root = NULL;",
        verbs: PARENT_VERBS,
        teardown: "mix($p_total(root));\nwhile (root) $p_cut(&root, $p_leaf(root));",
        faults: PARENT_FAULTS,
    }
}

const PARENT_CORE: &str = "
static struct $p_node *$p_insert(struct $p_node **root, int value) {
struct $p_node *parent = NULL, **link = root;
while (*link) {
parent = *link;
link = &parent->child[value > (long long)parent->key];
}
*link = $p_create(value);
(*link)->parent = parent;
return *link;
}
static struct $p_node *$p_leaf(struct $p_node *node) {
while (node->child[0] || node->child[1]) node = node->child[0] ? node->child[0] : node->child[1];
return node;
}
static void $p_cut(struct $p_node **root, struct $p_node *leaf) {
struct $p_node *parent = leaf->parent;
if (!parent) *root = NULL; else parent->child[parent->child[1] == leaf] = NULL;
$p_release(leaf);
}
static struct $p_node *$p_next(struct $p_node *node) {
if (node->child[1]) {
node = node->child[1];
while (node->child[0]) node = node->child[0];
return node;
}
while (node->parent && node->parent->child[1] == node) node = node->parent;
return node->parent;
}
static unsigned int $p_total(struct $p_node *node) {
unsigned int total = 0;
if (!node) return 0;
while (node->child[0]) node = node->child[0];
do total = total * 11u + $p_digest(node); while ((node = $p_next(node)) != NULL);
return total;
}
";

const PARENT_VERBS: &[Verb] = &[
    plain("$p_insert(&root, $v);"),
    plain("for (int i = 0; i < $k; i++) $p_insert(&root, (i * 41 + $k * 13) % 89);"),
    plain("mix($p_total(root));"),
    plain("if (root) $p_cut(&root, $p_leaf(root));"),
    plain("mix($p_digest($p_insert(&root, $v)));"),
    verb(
        "static void $p_rotate(struct $p_node **root, struct $p_node *node, int side) {
         struct $p_node *pivot = node->child[!side], *inner;
         if (!pivot) return;
         inner = pivot->child[side];
         node->child[!side] = inner;
         if (inner) inner->parent = node;
         pivot->parent = node->parent;
         if (!node->parent) *root = pivot;
         else node->parent->child[node->parent->child[1] == node] = pivot;
         pivot->child[side] = node;
         node->parent = pivot;
         }",
        "if (root) $p_rotate(&root, root, $v % 2);\nif (root && root->child[0]) $p_rotate(&root, root->child[0], $k % 2);",
    ),
    verb(
        "static int $p_depth(const struct $p_node *node) {
         int depth = 0;
         while (node) { node = node->parent; depth++; }
         return depth;
         }",
        "if (root) printf(\"depth %d\\n\", $p_depth($p_leaf(root)));",
    ),
];

const PARENT_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_node *leaf = $p_insert(&root, $v);
         $p_cut(&root, leaf);
         mix((unsigned int)(leaf->parent == NULL)); $fault
         }",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         struct $p_node *leaf = $p_insert(&root, $v);
         $p_cut(&root, leaf);
         free(leaf); $fault
         }",
    ),
    fault(
        FaultKind::NullDereference,
        "{
         struct $p_node *top = $p_insert(&root, $v);
         while (top) top = top->parent;
         top->child[0] = NULL; $fault
         }",
    ),
    fault(
        FaultKind::Leak,
        "{
         struct $p_node *leaf = $p_insert(&root, $v), *parent = leaf->parent;
         if (!parent) root = NULL; else parent->child[parent->child[1] == leaf] = NULL;
         leaf = NULL; $fault
         }",
    ),
];
