extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int count(int n) {
    if (n <= 0) return 0;
    return 1 + count(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int steps = count(n);
    if (steps < 0 || (n > 0 && steps != n)) reach_error();
}
