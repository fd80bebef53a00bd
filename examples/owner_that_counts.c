//@ truth: holds
//@ now: holds
//@ run: exit 0
// Every node knows the list that it is in, and the list counts its nodes: at the offset at which a node has its owner.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list;

struct node {
  struct node *next;
  struct list *owner;
};

struct list {
  struct node *first;
  unsigned long length;
};

static void push(struct list *list) {
  struct node *node = malloc(sizeof *node);
  node->owner = list;
  node->next = list->first;
  list->first = node;
  node->owner->length++;
}

int main(void) {
  struct list *list = malloc(sizeof *list);
  list->first = NULL;
  list->length = 0;
  while (__VERIFIER_nondet_int())
    push(list);
  while (list->first) {
    struct node *node = list->first;
    list->first = node->next;
    node->owner->length--;
    free(node);
  }
  assert(list->length == 0);
  free(list);
  return 0;
}
