typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    int *keep = 0;
    for (int i = 0;i < 2;i++) {
        int y = i;
        if (i == 1&&&y == keep)
            reach_error();
        keep = &y;
    }
    return 0;
}
