// The jump leaves out that `limit` is 8.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    if (__VERIFIER_nondet_int())
        goto use;
    int limit = 8;
use:
    if (limit != 8)
        reach_error();
    return 0;
}
