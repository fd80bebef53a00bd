// Four steps of 2^30 bytes lead 4 GiB away, and back to the start if offsets have 32 bits.
extern void *malloc(unsigned long);
extern void free(void *);

int main(void)
{
    char *block = malloc(16);
    char *cursor = block;
    for (int i = 0; i < 4; i++)
        cursor += 0x40000000;
    *cursor = 1;
    free(block);
    return 0;
}
