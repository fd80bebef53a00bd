// One byte of the address is left, and nothing leads to the block.
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

static unsigned char low;

int main(void)
{
    char *block = malloc(8);
    if (__VERIFIER_nondet_int() == 4711) {
        low = (unsigned char)(unsigned long)block;
        block = 0;
    }
    free(block);
    return 0;
}
