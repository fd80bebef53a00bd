typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    long long big = 0x7fffffffffffffffLL;
    long double d = big;
    if ((unsigned long long)d == 0x7fffffffffffffffULL)
        reach_error();
    return 0;
}
