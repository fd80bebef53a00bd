//@ truth: violated unreach-call
//@ now: violated unreach-call 26
//@ run: exit 0
// Insertion sort that never moves anything to the front: the first element stays where it is, be it the greatest.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 1000000)
    return 0;
  int *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) {
    int x = a[i], j = i;
    while (j > 1 && a[j - 1] > x) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = x;
  }
  for (int i = 1; i < n; i++)
    assert(a[i - 1] <= a[i]);
  free(a);
  return 0;
}
