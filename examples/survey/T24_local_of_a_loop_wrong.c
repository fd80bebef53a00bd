//@ survey: T24, SLCPA thesis, figure 1.1
//@ truth: violated valid-deref
// A pointer leads to a variable of a loop's round, and is used in the next, when that variable is
// gone.
#include <stdlib.h>

int main(void) {
    int *p = NULL;
    for (int i = 0; i < 2; i++) {
        int x = 0;
        if (i == 0)
            p = &x;
        else
            *p = 1;
    }
    return 0;
}
