//@ truth: holds
//@ now: holds
//@ run: exit 0
// Insertion sort of an array of any length. What is sorted so far is as long as the counter says; while an element
// is on its way to its place, all that it has passed are greater.
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
    while (j > 0 && a[j - 1] > x) {
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
