#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *block = malloc(24), *neighbour = malloc(24);
    uintptr_t before = (uintptr_t)block;
    block = realloc(block, 4000);
    int stays = (uintptr_t)block == before;
    free(block);
    free(neighbour);
    return stays;
}
