typedef __SIZE_TYPE__ size_t;
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    long double d = 9007199254740992.0L;
    d += 1;
    if (n == 5&&d != 9007199254740992.0L)
        reach_error();
    return 0;
}
