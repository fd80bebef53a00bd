typedef __SIZE_TYPE__ size_t;
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    char *p = calloc(0x100000000UL, 1);
    if (p[0x7fffffffUL] == 0)
        reach_error();
    free(p);
    return 0;
}
