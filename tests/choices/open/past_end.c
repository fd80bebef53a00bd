typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int a[4];
int b[4];
int main(void)
{
    if (a+4 == b||b+4 == a)
        reach_error();
    return 0;
}
