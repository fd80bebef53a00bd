//@ truth: holds
//@ now: holds
//@ run: exit 0
//@ property: valid-memsafety
//@ predicates: combs.predicates
// A list of lists: each tooth of a comb points to the comb behind its own, so that neighbours share blocks.
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
            tooth->behind = comb->next;
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
