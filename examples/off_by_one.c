//@ truth: violated valid-deref
//@ now: violated valid-deref 12
//@ run: exit 101
// Off by one: an array of ten has no element number ten.
#include <stdlib.h>

static int *squares(int count) {
    int *squares = malloc(count * sizeof *squares);
    /* `<=` counts one too many */
    int i = 0;
    for (; i <= count; i++)
        squares[i] = i * i;
    return squares;
}

int main(void) {
    int *table = squares(10);
    int last = table[9];
    free(table);
    return last != 81;
}
