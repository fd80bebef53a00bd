//@ truth: holds
//@ now: holds
//@ run: exit 0
// Computes with gcc's 128-bit floats. How they are rounded decides nothing here.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    __float128 term = 1, sum = 1;
    for (int i = 1; i < 30; i++) {
        term = term / i;
        sum = sum + term;
    }
    double *kept = malloc(sizeof *kept);
    *kept = (double)sum;
    fprintf(stderr, "%.10f\n", *kept);
    free(kept);
    return 0;
}
