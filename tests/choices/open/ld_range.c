typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    long double d = 1e308L;
    d *= 1e308L;
    d /= 1e308L;
    if (d == 1e308L)
        reach_error();
    return 0;
}
