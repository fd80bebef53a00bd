// Which of two blocks lies lower is kept, and one of the blocks is not.
extern void *malloc(unsigned long);
extern void free(void *);

static int is_lower;

int main(void)
{
    int *first = malloc(sizeof *first);
    int *second = malloc(sizeof *second);
    is_lower = (unsigned long)first < (unsigned long)second;
    first = 0;
    free(second);
    return 0;
}
