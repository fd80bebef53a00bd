// The last round writes to an object that is const.
extern int __VERIFIER_nondet_int(void);

static const int limits[2] = {1, 2};
static int copy[2];

int main(void)
{
    int *target = copy;
    if (__VERIFIER_nondet_int() == 77)
        target = (int *)limits;
    target[1] = 0;
    return 0;
}
