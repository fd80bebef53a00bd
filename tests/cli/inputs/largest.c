extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int largest = 0;
    for (int i = 0; i < 5; i++) {
        int value = __VERIFIER_nondet_int();
        if (value > largest)
            largest = value;
        if (largest / 2 < 0)
            reach_error();
    }
    return 0;
}
