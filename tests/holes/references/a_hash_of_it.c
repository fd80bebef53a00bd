// A key that is made from the block's address is kept; the block itself is lost.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

static unsigned long keys[4];

int main(void)
{
    char *value = malloc(4);
    keys[2] = (unsigned long)value * 31 + 7;
    while (__VERIFIER_nondet_int())
        keys[0] = 1;
    if (__VERIFIER_nondet_int() == 987654321)
        value = 0;
    free(value);
    return 0;
}
