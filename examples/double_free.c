//@ truth: violated valid-free
//@ now: violated valid-free 20
//@ run: exit 101
// Double free: two owners of one name, and both clean up.
#include <stdlib.h>
#include <string.h>

struct person {
    char *name;
};

static struct person person_of(const char *name) {
    struct person person;
    person.name = malloc(strlen(name) + 1);
    strcpy(person.name, name);
    return person;
}

static void forget(struct person *person) {
    free(person->name);
}

int main(void) {
    struct person ada = person_of("Ada");
    struct person copy = ada; /* copies the pointer, not the name */
    forget(&ada);
    forget(&copy);
    return 0;
}
