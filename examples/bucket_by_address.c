//@ truth: violated valid-deref
//@ now: unknown
//@ run: exit 0
// The bucket of an object is computed from its address, and there is one bucket too few: whether that is noticed
// depends on where the object lies.
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *buckets = calloc(7, sizeof *buckets);
    char *object = malloc(16);
    buckets[((uintptr_t)object >> 4) % 8]++;
    free(object);
    free(buckets);
    return 0;
}
