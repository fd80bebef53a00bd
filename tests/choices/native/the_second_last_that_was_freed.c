#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *first = malloc(24), *second = malloc(24);
    uintptr_t addresses[2] = {(uintptr_t)first, (uintptr_t)second};
    free(first);
    free(second);
    char *third = malloc(24), *fourth = malloc(24);
    int result = ((uintptr_t)third == addresses[1]) + 2 * ((uintptr_t)fourth == addresses[0])
        + 4 * ((uintptr_t)third == addresses[0]) + 8 * ((uintptr_t)fourth == addresses[1]);
    free(third);
    free(fourth);
    return result;
}
