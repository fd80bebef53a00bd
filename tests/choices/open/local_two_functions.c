typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int *g;
void f(void)
{
    int y = 1;
    g = &y;
}

int h(void)
{
    int z = 2;
    return g == &z;
}

int main(void)
{
    f();
    if (h())
        reach_error();
    return 0;
}
