//@ truth: holds
//@ now: holds
//@ run: exit 0
// Builds a list, sums it up and tells how long that took. The clock, where nodes lie and what is in the memory
// that nobody has written yet are printed, and decide nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct node {
    double weight;
    unsigned short mark;
    struct node *next;
};

int main(void) {
    clock_t start = clock();
    struct node *list = NULL;
    unsigned hash = 0;
    for (int i = 0; i < 3000; i++) {
        struct node *node = malloc(sizeof *node);
        node->weight = i / 7.0;
        node->next = list;
        hash = hash * 31 + (unsigned)((uintptr_t)node >> 4) + node->mark;
        list = node;
    }
    double sum = 0;
    while (list != NULL) {
        struct node *next = list->next;
        sum += list->weight;
        free(list);
        list = next;
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    fprintf(stderr, "sum %.1f, hash %u, %.3f seconds\n", sum, hash, seconds);
    return 0;
}
