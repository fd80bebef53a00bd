//@ truth: violated valid-deref
//@ now: violated valid-deref 11
//@ options: --entry largest
//@ run: exit 105
// `count` says how many elements there are, and there may be none.
int largest(const int *numbers, int count);

int largest(const int *numbers, int count) {
    int at = 0;
    for (int i = 1; i < count; i++) at = numbers[i] > numbers[at] ? i : at;
    return numbers[at];
}
