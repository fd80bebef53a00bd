typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void *realloc(void *, size_t);

int main(void)
{
    char *p = malloc(4);
    realloc(p, 0);
    return 0;
}
