// The array has a negative length.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int length = __VERIFIER_nondet_int() == 5 ? -4 : 4;
    int numbers[length];
    return sizeof numbers == 0;
}
