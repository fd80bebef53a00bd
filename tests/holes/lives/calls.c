// The second call's local may lie elsewhere.
extern void reach_error(void);

static unsigned long where(int depth)
{
    int local = depth;
    return (unsigned long)&local;
}

int main(void)
{
    unsigned long last = 0;
    for (int i = 0; i < 3; i++) {
        unsigned long here = where(i);
        if (i > 0 && here != last)
            reach_error();
        last = here;
    }
    return 0;
}
