//@ truth: holds
//@ now: holds
//@ run: exit 0
// A skip list of two levels and of any length: new items go anywhere, and into the upper level or not.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
    struct item *express;
};

static void insert_somewhere(struct item *head, struct item *tail) {
    struct item *upper = head;
    while (upper->express != tail && __VERIFIER_nondet_int()) upper = upper->express;
    struct item *lower = upper;
    while (lower->next != upper->express && __VERIFIER_nondet_int()) lower = lower->next;
    struct item *item = malloc(sizeof *item);
    item->next = lower->next;
    lower->next = item;
    if (__VERIFIER_nondet_int()) {
        item->express = upper->express;
        upper->express = item;
    }
}

int main(void) {
    struct item *tail = malloc(sizeof *tail);
    struct item *head = malloc(sizeof *head);
    tail->next = tail->express = NULL;
    head->next = head->express = tail;
    while (__VERIFIER_nondet_int()) insert_somewhere(head, tail);
    while (head) {
        struct item *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
