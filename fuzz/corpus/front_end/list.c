typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
struct node { struct node *next; int value : 3; union { long l; float f; } u; };
static struct node *head, local = { .value = 1, .u = { 2 } };
int main(int argc, char **argv) {
  for (int i = 0; i < 3 && argc; i++) {
    struct node *x = malloc(sizeof *x);
    *x = (struct node){ head, i, { .f = 1.5f } };
    head = x;
  }
  while (head) { struct node *n = head->next; free(head); head = n; }
  return local.value ? 0 : "abc"[1];
}
