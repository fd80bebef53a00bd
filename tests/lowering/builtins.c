// GNU's builtins: overflow checks store what fits, atomics are plain accesses, libc's by prefix.
int main(void) {
    int small, word = 3, expected = 4;
    signed char narrow;
    unsigned below;
    int good = __builtin_add_overflow(2147483647, 1, &small) && small < 0;
    good = good && __builtin_add_overflow(100, 100, &narrow) && narrow == -56;
    good = good && __builtin_sub_overflow(3u, 4u, &below) && below == 4294967295u;
    good = good && !__atomic_compare_exchange_n(&word, &expected, 9, 0, 5, 5) && expected == 3;
    good = good && __atomic_compare_exchange_n(&word, &expected, 9, 0, 5, 5) && word == 9;
    good = good && __sync_fetch_and_add(&word, 2) == 9 && __sync_add_and_fetch(&word, 2) == 13;
    good = good && __sync_val_compare_and_swap(&word, 13, 1) == 13 && word == 1;
    good = good && __builtin_expect(word, 1) && __builtin_abs(-word) == 1;
    return !good;
}
