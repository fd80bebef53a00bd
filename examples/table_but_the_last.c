//@ truth: violated valid-memtrack
//@ now: violated valid-memtrack 61
//@ run: exit 0
// A table of lists whose last one is forgotten.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct entry {
  struct entry *next;
  unsigned key;
};

struct table {
  unsigned size;
  struct entry **entries;
};

static void insert(struct table *table, unsigned key) {
  struct entry *entry = malloc(sizeof *entry);
  if (!entry)
    exit(1);
  unsigned index = key % table->size;
  entry->key = key;
  entry->next = table->entries[index];
  table->entries[index] = entry;
}

static struct entry *find(struct table *table, unsigned key) {
  struct entry *entry = table->entries[key % table->size];
  while (entry && entry->key != key)
    entry = entry->next;
  return entry;
}

static void clear(struct table *table) {
  for (unsigned index = 0; index + 1 < table->size; index++)
    while (table->entries[index]) {
      struct entry *entry = table->entries[index];
      table->entries[index] = entry->next;
      free(entry);
    }
  free(table->entries);
}

int main(void) {
  struct table table;
  table.size = __VERIFIER_nondet_uint();
  if (table.size == 0 || table.size > 4096)
    return 0;
  table.entries = calloc(table.size, sizeof *table.entries);
  if (!table.entries)
    return 0;
  while (__VERIFIER_nondet_bool())
    insert(&table, __VERIFIER_nondet_uint());
  struct entry *entry = find(&table, __VERIFIER_nondet_uint());
  if (entry)
    entry->key = 0;
  clear(&table);
  return 0;
}
