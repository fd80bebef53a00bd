typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    int a[4], b[4];
    int *p = a+4, *q = b+4;
    a[0] = b[0] = 0;
    if (p == b||q == a)
        reach_error();
    return 0;
}
