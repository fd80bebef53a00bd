//@ truth: holds
//@ now: holds
//@ run: exit 0
// Each node ends in its key, so that no two nodes need have the same size: one block, and not two, for each of them.
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);

struct node {
  struct node *next;
  unsigned length;
  char key[];
};

static struct node *make(const char *key) {
  size_t length = strlen(key);
  struct node *node = malloc(sizeof *node + length + 1);
  if (!node)
    return NULL;
  memcpy(node->key, key, length + 1);
  node->length = (unsigned)length;
  return node;
}

int main(void) {
  char line[16];
  struct node *list = NULL;
  while (__VERIFIER_nondet_bool()) {
    int i = 0;
    while (i < 15 && (line[i] = __VERIFIER_nondet_char()))
      i++;
    line[i] = 0;
    struct node *node = make(line);
    if (!node)
      break;
    node->next = list;
    list = node;
  }
  while (list) {
    struct node *next = list->next;
    list->key[list->length] = '.';
    free(list);
    list = next;
  }
  return 0;
}
