typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

extern void *__builtin_alloca(size_t);
long f(void)
{
    char *p = __builtin_alloca(16);
    p[0] = 1;
    return (long)p;
}

int main(void)
{
    if (f() == f())
        reach_error();
    return 0;
}
