typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int a;
int main(void)
{
    int b = 0;
    if (&a == &b)
        reach_error();
    return b;
}
