//@ truth: holds
//@ now: holds
//@ run: exit 0
// An array whose length is an input, filled and sorted by insertion: every access is within its bounds.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void sort(int *numbers, int length)
{
    for (int i = 1; i < length; i++) {
        int number = numbers[i];
        int j = i;
        while (j > 0 && numbers[j - 1] > number) {
            numbers[j] = numbers[j - 1];
            j--;
        }
        numbers[j] = number;
    }
}

int main(void)
{
    int length = __VERIFIER_nondet_int();
    if (length <= 0 || length > 10000)
        return 0;
    int *numbers = malloc(length * sizeof *numbers);
    for (int i = 0; i < length; i++)
        numbers[i] = __VERIFIER_nondet_int();
    sort(numbers, length);
    free(numbers);
    return 0;
}
