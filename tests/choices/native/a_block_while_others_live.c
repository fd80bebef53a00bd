#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *blocks[4];
    int result = 0;
    for (int index = 0; index < 4; index++)
        blocks[index] = malloc(16 + index);
    for (int left = 0; left < 4; left++)
        for (int right = 0; right < left; right++)
            result += (uintptr_t)blocks[left] == (uintptr_t)blocks[right];
    for (int index = 0; index < 4; index++)
        free(blocks[index]);
    return result;
}
