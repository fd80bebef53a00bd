// The second block may lie where the first one lay.
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    int *first = malloc(4);
    free(first);
    int *second = malloc(4);
    if (first == second)
        reach_error();
    free(second);
    return 0;
}
