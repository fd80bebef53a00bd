typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    const char *a = "xabc", *b = "abc";
    if (a+1 == b)
        reach_error();
    return 0;
}
