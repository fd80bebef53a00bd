//@ survey: T25, Shape Analysis, 6.2
//@ truth: holds
//@ expected: symbolic-heap
// A map is copied entry by entry; then both have the same value for any key.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    struct entry *next;
    int key, value;
};

static int get(const struct entry *map, int key) {
    for (; map; map = map->next)
        if (map->key == key)
            return map->value;
    return 0;
}

static struct entry *put(struct entry *map, int key, int value) {
    struct entry *entry = malloc(sizeof *entry);
    entry->key = key;
    entry->value = value;
    entry->next = NULL;
    if (!map)
        return entry;
    struct entry *last = map;
    while (last->next)
        last = last->next;
    last->next = entry;
    return map;
}

static void destroy(struct entry *map) {
    while (map) {
        struct entry *next = map->next;
        free(map);
        map = next;
    }
}

int main(void) {
    struct entry *map = NULL, *copy = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        int value = __VERIFIER_nondet_int();
        map = put(map, key, value);
    }
    for (struct entry *entry = map; entry; entry = entry->next)
        copy = put(copy, entry->key, entry->value);
    int key = __VERIFIER_nondet_int();
    assert(get(map, key) == get(copy, key));
    destroy(map);
    destroy(copy);
    return 0;
}
