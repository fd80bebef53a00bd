//@ truth: holds
//@ now: holds
//@ run: exit 0
// An array of any length is copied, and the copy compared with it. The loops have no bound that could be
// tried out: what one round says of one element, the proof says of all before it.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 1000000)
    return 0;
  int *from = malloc(n * sizeof *from);
  int *to = malloc(n * sizeof *to);
  for (int i = 0; i < n; i++)
    from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    to[i] = from[i];
  for (int i = 0; i < n; i++)
    assert(to[i] == from[i]);
  free(from);
  free(to);
  return 0;
}
