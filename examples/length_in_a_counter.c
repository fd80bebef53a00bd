//@ truth: holds
//@ now: holds
//@ run: exit 0
// A queue that stores how many elements it has: who takes out so many never finds it empty.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct element {
    struct element *next;
    int value;
};

struct queue {
    struct element *first;
    unsigned length;
};

static void put(struct queue *queue, int value)
{
    struct element *element = malloc(sizeof *element);
    element->value = value;
    element->next = queue->first;
    queue->first = element;
    queue->length++;
}

static int take(struct queue *queue)
{
    struct element *element = queue->first;
    int value = element->value; /* not null: the length says so */
    queue->first = element->next;
    queue->length--;
    free(element);
    return value;
}

int main(void)
{
    struct queue queue = {0, 0};
    while (queue.length < 1000000 && __VERIFIER_nondet_int())
        put(&queue, __VERIFIER_nondet_int());
    while (queue.length > 0)
        take(&queue);
    return 0;
}
