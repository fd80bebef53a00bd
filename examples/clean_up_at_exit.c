//@ truth: holds
//@ now: holds
//@ run: exit 3
// A handler frees at the end what the program holds until then, also where `exit` is called deep inside.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list;

static void clean_up(void) {
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    list = node;
    if (value == 40)
        exit(3);
}

int main(void) {
    atexit(clean_up);
    for (int i = 0; i < 100; i++)
        push(i);
    return 0;
}
