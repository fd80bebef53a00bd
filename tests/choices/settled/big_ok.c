typedef __SIZE_TYPE__ size_t;
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    char *p = calloc(0x100000000UL, 1);
    p[5] = 3;
    p[0x80000000UL] = 4;
    int r = p[5]+p[0x80000000UL]+p[0xffffffffUL];
    free(p);
    if (r != 7)
        reach_error();
    return 0;
}
