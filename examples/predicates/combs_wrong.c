//@ truth: violated valid-deref
//@ now: violated valid-deref 42
//@ run: exit 101
//@ property: valid-memsafety
//@ predicates: combs.predicates
// The same, but a tooth points to its own comb.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct comb;
struct tooth {
    struct tooth *next;
    struct comb *behind;
};
struct comb {
    struct comb *next;
    struct tooth *teeth;
};

int main(void) {
    struct comb *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct comb *comb = malloc(sizeof *comb);
        if (!comb) break;
        comb->next = list;
        comb->teeth = 0;
        list = comb;
        while (__VERIFIER_nondet_int()) {
            struct tooth *tooth = malloc(sizeof *tooth);
            if (!tooth) break;
            tooth->next = comb->teeth;
            tooth->behind = comb;
            comb->teeth = tooth;
        }
    }
    while (list) {
        struct tooth *tooth = list->teeth;
        struct comb *next = list->next;
        while (tooth) {
            struct tooth *behind = tooth->next;
            if (tooth->behind != next) *(int *)0 = 1;
            free(tooth);
            tooth = behind;
        }
        free(list);
        list = next;
    }
    return 0;
}
