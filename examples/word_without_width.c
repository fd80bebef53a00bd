//@ truth: violated valid-deref
//@ now: violated valid-deref 11
//@ run: exit 0
//@ input: seven
// A word of any length is read into a buffer of sixteen bytes: `%15s` would be right.
#include <stdio.h>

int main(void) {
    char name[16];
    printf("Your name? ");
    if (scanf("%s", name) == 1)
        printf("Hello, %s!\n", name);
    return 0;
}
