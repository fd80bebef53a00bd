typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    const char *a = "abc", *b = "abc";
    if ((long)a == (long)b)
        reach_error();
    return 0;
}
