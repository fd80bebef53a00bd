//@ survey: T24, SLCPA thesis, figure 1.1
//@ truth: holds
//@ expected: symbolic-heap, concrete
// A pointer leads to a variable outside of the loop, in every round to the same one.
#include <stdlib.h>

int main(void) {
    int *p = NULL;
    int x = 0;
    for (int i = 0; i < 2; i++) {
        x = 0;
        if (i == 0)
            p = &x;
        else
            *p = 1;
    }
    return 0;
}
