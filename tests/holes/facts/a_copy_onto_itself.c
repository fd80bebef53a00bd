// `memcpy` may not copy to a place that overlaps what it copies.
extern void *memcpy(void *, const void *, unsigned long);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char buffer[16] = {0};
    int shift = __VERIFIER_nondet_int() == 12345 ? 4 : 8;
    memcpy(buffer, buffer + shift, 8);
    return 0;
}
