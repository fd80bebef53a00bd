//@ truth: holds
//@ now: holds
//@ run: exit 0
// Every node of a list of any length has one of two numbers that the program was given.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vote {
    struct vote *next;
    int choice;
};

int main(void) {
    int yes = __VERIFIER_nondet_int(), no = __VERIFIER_nondet_int();
    struct vote *votes = NULL;
    while (__VERIFIER_nondet_int()) {
        struct vote *vote = malloc(sizeof *vote);
        vote->choice = __VERIFIER_nondet_int() ? yes : no;
        vote->next = votes;
        votes = vote;
    }
    for (struct vote *vote = votes; vote; vote = vote->next) {
        assert(vote->choice == yes || vote->choice == no);
    }
    while (votes) {
        struct vote *next = votes->next;
        free(votes);
        votes = next;
    }
    return 0;
}
