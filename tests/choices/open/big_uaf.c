typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void)
{
    char *p = malloc(0x180000000UL);
    char *q = p+0x100000000UL;
    free(p);
    *q = 1;
    return 0;
}
