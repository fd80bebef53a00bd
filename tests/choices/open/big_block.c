typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(0x180000000UL);
    p[0x17fffffffUL] = 5;
    if (p[0x17fffffffUL] == 5)
        reach_error();
    free(p);
    return 0;
}
