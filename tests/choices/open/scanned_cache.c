typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void reach_error(void);

struct e {
    void *key;
    int v;
};

int main(void)
{
    struct e c = {0, 0};
    char *a = malloc(8);
    c.key = a;
    c.v = 1;
    free(a);
    char *b = malloc(8);
    int v = c.key == b ? c.v : 2;
    free(b);
    if (v == 1)
        reach_error();
    return 0;
}
