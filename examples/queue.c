//@ truth: holds
//@ now: holds
//@ run: exit 0
// A queue with a pointer to the last link: enqueue needs no special case for the empty queue.
#include <assert.h>
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

struct queue {
    struct item *first;
    struct item **last;
};

static void enqueue(struct queue *queue, int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    item->next = NULL;
    *queue->last = item;
    queue->last = &item->next;
}

static int dequeue(struct queue *queue) {
    struct item *item = queue->first;
    int value = item->value;
    queue->first = item->next;
    if (!queue->first)
        queue->last = &queue->first;
    free(item);
    return value;
}

int main(void) {
    struct queue queue = {NULL, &queue.first};
    for (int round = 0; round < 2; round++) {
        enqueue(&queue, 10);
        enqueue(&queue, 20);
        assert(dequeue(&queue) == 10);
        assert(dequeue(&queue) == 20);
    }
    return 0;
}
