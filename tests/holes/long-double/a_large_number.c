// 2^63 - 1 has 63 bits, which a `long double` keeps and a `double` does not.
extern void reach_error(void);

int main(void)
{
    long double number = 0x7fffffffffffffffLL;
    long double next = number + 1.0L;
    if (number != next)
        reach_error();
    return 0;
}
