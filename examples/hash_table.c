//@ truth: holds
//@ now: holds
//@ run: exit 0
// A hash table with chains: words are counted, copies of the keys belong to the table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8

struct entry {
    char *key;
    int count;
    struct entry *next;
};

static struct entry *table[SLOTS];

static unsigned hash(const char *key) {
    unsigned value = 5381;
    while (*key)
        value = value * 33 + (unsigned char)*key++;
    return value % SLOTS;
}

static void count(const char *key) {
    struct entry **slot = &table[hash(key)];
    for (struct entry *entry = *slot; entry; entry = entry->next) {
        if (strcmp(entry->key, key) == 0) {
            entry->count++;
            return;
        }
    }
    struct entry *entry = malloc(sizeof *entry);
    entry->key = malloc(strlen(key) + 1);
    strcpy(entry->key, key);
    entry->count = 1;
    entry->next = *slot;
    *slot = entry;
}

int main(void) {
    const char *words[] = {"to", "be", "or", "not", "to", "be"};
    int most = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        count(words[i]);
    for (int slot = 0; slot < SLOTS; slot++) {
        while (table[slot]) {
            struct entry *entry = table[slot];
            table[slot] = entry->next;
            if (entry->count > most)
                most = entry->count;
            free(entry->key);
            free(entry);
        }
    }
    printf("most frequent: %d times\n", most);
    return 0;
}
