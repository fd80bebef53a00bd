//@ truth: holds
//@ now: holds
//@ run: exit 0
// Words are in sixteen lists by their hash, and any of these may be empty.
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct word {
    struct word *next;
    unsigned hash;
};

struct dictionary {
    struct word *chains[16];
};

static void add(struct dictionary *all, unsigned hash) {
    struct word *word = malloc(sizeof *word);
    word->hash = hash;
    word->next = all->chains[hash % 16];
    all->chains[hash % 16] = word;
}

int main(void) {
    struct dictionary all = {{0}};
    while (__VERIFIER_nondet_uint() % 2) {
        add(&all, __VERIFIER_nondet_uint());
    }
    for (int chain = 0; chain < 16; chain++) {
        while (all.chains[chain]) {
            struct word *word = all.chains[chain];
            all.chains[chain] = word->next;
            free(word);
        }
        assert(!all.chains[chain]);
    }
    return 0;
}
