//@ truth: violated valid-deref
//@ now: violated valid-deref 41
//@ run: exit 101
//@ property: valid-memsafety
//@ predicates: alternating.predicates
// The same, but an ear is looked at when it is gone.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ear;
struct seed {
    int weight;
    struct ear *next;
};
struct ear {
    struct seed *next;
    long length;
    int rows;
};

int main(void) {
    struct seed *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct ear *ear = malloc(sizeof *ear);
        if (!ear) break;
        struct seed *seed = malloc(sizeof *seed);
        if (!seed) {
            free(ear);
            break;
        }
        ear->next = list;
        ear->rows = 8;
        seed->next = ear;
        list = seed;
    }
    while (list) {
        struct ear *ear = list->next;
        free(list);
        free(ear);
        list = ear->next;
    }
    return 0;
}
