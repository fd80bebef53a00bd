// Each round has a local of its own, which may lie elsewhere.
extern void reach_error(void);

static unsigned long seen;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int local = i;
        unsigned long here = (unsigned long)&local;
        if (i == 1 && here != seen)
            reach_error();
        seen = here;
    }
    return 0;
}
