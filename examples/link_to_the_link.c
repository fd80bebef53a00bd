//@ truth: holds
//@ now: holds
//@ run: exit 0
// Timers in a list, as in the kernel's and BSD's lists: each knows the link that leads to it, and leaves without a search.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct timer {
    int due;
    struct timer *next;
    struct timer **link;
};

static struct timer *timers;

static void start(struct timer *timer, struct timer **at) {
    timer->next = *at;
    timer->link = at;
    if (timer->next) {
        timer->next->link = &timer->next;
    }
    *at = timer;
}

static void stop(struct timer *timer) {
    *timer->link = timer->next;
    if (timer->next) {
        timer->next->link = timer->link;
    }
    free(timer);
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        struct timer *timer = malloc(sizeof *timer);
        struct timer **at = &timers;
        timer->due = __VERIFIER_nondet_int();
        while (*at && (*at)->due < timer->due) {
            at = &(*at)->next;
        }
        start(timer, at);
        if (__VERIFIER_nondet_int()) {
            stop(timer);
        }
    }
    while (timers) {
        stop(timers);
    }
    return 0;
}
