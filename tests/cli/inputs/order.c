extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    if (a < b && b < c && c < (a ^ 1))
        if (a / 2 != c / 2)
            reach_error();
    return 0;
}
