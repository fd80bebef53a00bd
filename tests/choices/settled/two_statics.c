typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int a, b;
int main(void)
{
    if (&a == &b)
        reach_error();
    return 0;
}
