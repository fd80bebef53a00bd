//@ truth: violated valid-memtrack
//@ now: violated valid-memtrack 29
//@ run: exit 0
// Words are in sixteen lists by their hash, the last of which is forgotten.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct word {
    struct word *next;
    unsigned hash;
};

int main(void) {
    struct word *chains[16] = {0};
    while (__VERIFIER_nondet_uint() % 2) {
        struct word *word = malloc(sizeof *word);
        word->hash = __VERIFIER_nondet_uint();
        word->next = chains[word->hash % 16];
        chains[word->hash % 16] = word;
    }
    for (int chain = 0; chain < 15; chain++) {
        while (chains[chain]) {
            struct word *word = chains[chain];
            chains[chain] = word->next;
            free(word);
        }
    }
    return 0;
}
