//@ survey: T15, Shape Analysis, 5.2
//@ truth: violated valid-deref
// The blocks of a list say how many bytes they have, header included; a walk takes it for those
// behind the header.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct header {
    struct header *next;
    unsigned size;
};

int main(void) {
    struct header *list = NULL;
    while (__VERIFIER_nondet_int()) {
        unsigned size = (unsigned)__VERIFIER_nondet_int();
        if (size > 4096)
            continue;
        struct header *block = malloc(sizeof *block + size);
        block->size = sizeof *block + size;
        block->next = list;
        list = block;
    }
    for (struct header *block = list; block; block = block->next) {
        char *from = (char *)block + sizeof *block;
        for (unsigned i = 0; i < block->size; i++)
            from[i] = 0;
    }
    while (list) {
        struct header *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
