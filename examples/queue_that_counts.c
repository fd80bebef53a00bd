//@ truth: holds
//@ now: holds
//@ run: exit 0
// A queue is asked for its length, not for its first node, whether it is empty.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int value;
};

struct queue {
  struct node *first, *last;
  unsigned long length;
};

static void put(struct queue *queue, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = NULL;
  if (queue->length == 0)
    queue->first = node;
  else
    queue->last->next = node;
  queue->last = node;
  queue->length++;
}

static int take(struct queue *queue) {
  struct node *node = queue->first;
  int value = node->value;
  queue->first = node->next;
  queue->length--;
  free(node);
  return value;
}

int main(void) {
  struct queue *queue = malloc(sizeof *queue);
  queue->first = queue->last = NULL;
  queue->length = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      put(queue, 1);
    else if (queue->length > 0)
      take(queue);
  }
  while (queue->length > 0)
    take(queue);
  assert(queue->first == NULL);
  free(queue);
  return 0;
}
