// No value is given to `step` on the way to `case 2`.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1:;
        int step = 4;
        sum = 0;
    case 2:
        sum += step;
        if (sum != 4)
            reach_error();
    }
    return 0;
}
