//@ truth: violated unreach-call
//@ now: violated unreach-call 58
//@ run: exit 0
// A dictionary of any length in which one key may stand twice: only the first one is removed, and it is found again.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct word {
    struct word *next;
    int key, meaning;
};

static void put(struct word **book, int key, int meaning) {
    for (struct word *w = *book; w && w->next; w = w->next) {
        if (w->key == key) {
            w->meaning = meaning;
            return;
        }
    }
    struct word *first = malloc(sizeof *first);
    first->key = key;
    first->meaning = meaning;
    first->next = *book;
    *book = first;
}

static struct word *look_up(struct word *book, int key) {
    while (book && book->key != key) book = book->next;
    return book;
}

static void erase(struct word **book, int key) {
    while (*book) {
        struct word *w = *book;
        if (w->key == key) {
            *book = w->next;
            free(w);
            return;
        } else {
            book = &w->next;
        }
    }
}

int main(void) {
    struct word *book = NULL;
    while (__VERIFIER_nondet_int()) {
        int word = __VERIFIER_nondet_int(), sense = __VERIFIER_nondet_int();
        put(&book, word, sense);
    }
    int key = __VERIFIER_nondet_int(), meaning = __VERIFIER_nondet_int();
    put(&book, key, meaning);
    struct word *found = look_up(book, key);
    assert(found && found->meaning == meaning);
    erase(&book, key);
    assert(!look_up(book, key));
    while (book) {
        struct word *next = book->next;
        free(book);
        book = next;
    }
    return 0;
}
