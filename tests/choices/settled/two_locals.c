typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    int a = 0, b = 0;
    int *p = &a, *q = &b;
    if (p == q)
        reach_error();
    return *p+*q;
}
