typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    long double d = 1.0L/3;
    if (d != (double)d)
        reach_error();
    return 0;
}
