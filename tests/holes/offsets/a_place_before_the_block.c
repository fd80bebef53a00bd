// The place before a block comes before it.
extern void reach_error(void);

static int table[4];

int main(void)
{
    int *before = table - 1;
    if (before < table)
        reach_error();
    return 0;
}
