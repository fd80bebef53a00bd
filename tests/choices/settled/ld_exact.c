typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    long double d = 3;
    d *= 2;
    if (d != 6)
        reach_error();
    return 0;
}
