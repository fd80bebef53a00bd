typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    volatile double one = 1;
    long double d = one;
    d += 5.42101086242752217e-20L*2;
    if (d != 1)
        reach_error();
    return 0;
}
