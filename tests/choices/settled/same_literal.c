typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

const char *f(void)
{
    return "x";
}

int main(void)
{
    if (f() != f())
        reach_error();
    return 0;
}
