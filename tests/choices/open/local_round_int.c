typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);

int main(void)
{
    long keep = 0;
    for (int i = 0;i < 2;i++) {
        int y = i;
        if ((long)&y == keep)
            reach_error();
        keep = (long)&y;
    }
    return 0;
}
