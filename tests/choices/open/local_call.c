typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int *g;
int f(void)
{
    int y = 1;
    int r = g == &y;
    g = &y;
    return r;
}

int main(void)
{
    f();
    if (f())
        reach_error();
    return 0;
}
