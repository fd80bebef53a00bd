//@ truth: violated valid-deref
//@ now: violated valid-deref 27
//@ run: exit 0
//@ property: valid-memsafety
//@ engine: symbolic-heap
//@ predicates: root_tree.predicates
// The same, but a node points to the one above it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *left, *right, *top; };
int main(void) {
  struct node *root = malloc(sizeof *root);
  if (!root) return 0;
  root->left = root->right = 0; root->top = root;
  while (__VERIFIER_nondet_int()) {
    struct node *p = root;
    while (p->left && p->right) { if (__VERIFIER_nondet_int()) p = p->left; else p = p->right; }
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->left = n->right = 0; n->top = p;
    if (!p->left) p->left = n; else p->right = n;
  }
  while (1) {
    struct node *p = root, *up = 0;
    while (p->left || p->right) { up = p; if (p->left) p = p->left; else p = p->right; }
    if (!up) break;
    if (p->top != root) *(int *)0 = 1;
    if (up->left == p) up->left = 0; else up->right = 0;
    free(p);
  }
  free(root);
  return 0;
}
