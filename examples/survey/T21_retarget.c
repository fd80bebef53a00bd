//@ survey: T21, 2LS thesis, 3.7.1
//@ truth: holds
//@ expected: template, symbolic-heap
// A function makes a pointer lead elsewhere, which its caller knows.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int other = 2;

static void retarget(int **q) {
    *q = &other;
}

int main(void) {
    int x = 1, y = 3;
    int *p = __VERIFIER_nondet_int() ? &x : &y;
    assert(*p == 1 || *p == 3);
    retarget(&p);
    *p = 5;
    assert(other == 5 && x == 1 && y == 3);
    return 0;
}
