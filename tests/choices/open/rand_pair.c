typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);
extern int rand(void);
extern void srand(unsigned);

int main(void)
{
    srand(7);
    int a = rand();
    srand(7);
    int b = rand();
    if (a != b&&a < 5)
        reach_error();
    return 0;
}
