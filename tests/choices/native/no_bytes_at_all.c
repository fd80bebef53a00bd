#include <stdlib.h>

int main(void)
{
    char *nothing = malloc(0), *zeros = calloc(0, 8), *block = malloc(8);
    block = realloc(block, 0);
    int result = (nothing != 0) + 2 * (zeros != 0) + 4 * (block != 0);
    free(nothing);
    free(zeros);
    free(block);
    return result;
}
