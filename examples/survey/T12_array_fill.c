//@ survey: T12, Shape Analysis, figure 6.2
//@ truth: holds
//@ expected: symbolic-heap
// An array of any length is filled with one value; then all its elements have it.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *create(unsigned length, int value) {
    int *array = malloc(length * sizeof *array);
    for (unsigned i = 0; i < length; i++)
        array[i] = value;
    return array;
}

int main(void) {
    unsigned length = (unsigned)__VERIFIER_nondet_int();
    if (length > 1000000)
        return 0;
    int value = __VERIFIER_nondet_int();
    int *array = create(length, value);
    for (unsigned i = 0; i < length; i++)
        assert(array[i] == value);
    free(array);
    return 0;
}
