#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *block = malloc(64);
    uintptr_t before = (uintptr_t)block;
    block = realloc(block, 40);
    int stays = (uintptr_t)block == before;
    free(block);
    return stays;
}
