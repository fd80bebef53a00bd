typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void)
{
    char *p = malloc(0);
    free(p);
    return 0;
}
