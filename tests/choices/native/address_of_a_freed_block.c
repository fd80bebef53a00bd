#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *first = malloc(24);
    uintptr_t before = (uintptr_t)first;
    free(first);
    char *second = malloc(24);
    int is_again = (uintptr_t)second == before;
    free(second);
    return is_again;
}
