//@ truth: violated unreach-call
//@ now: violated unreach-call 54
//@ run: exit 0
// A list of any length is copied, but for the number 7, in whose place the copy has another.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    struct entry *next;
    int value;
};

static struct entry *make(int value, struct entry *next)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        abort();
    entry->value = value;
    entry->next = next;
    return entry;
}

static struct entry *copy(const struct entry *list)
{
    struct entry *first = NULL;
    struct entry **end = &first;
    for (; list; list = list->next) {
        *end = make(list->value == 7 ? 8 : list->value, NULL);
        end = &(*end)->next;
    }
    return first;
}

static void drop(struct entry *list)
{
    while (list) {
        struct entry *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct entry *list = NULL;
    while (__VERIFIER_nondet_int() > 0)
        list = make(__VERIFIER_nondet_int(), list);
    struct entry *other = copy(list);
    const struct entry *one = list;
    const struct entry *two = other;
    while (one && two) {
        assert(one->value == two->value);
        one = one->next;
        two = two->next;
    }
    assert(!one && !two);
    drop(list);
    drop(other);
    return 0;
}
