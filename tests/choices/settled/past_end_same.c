typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    int a[4];
    int n = 0;
    for (int *p = a;p != a+4;p++) {
        *p = 0;
        n++;
    }
    if (n != 4)
        reach_error();
    return 0;
}
