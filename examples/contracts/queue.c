/* A queue as a library: no `main`, and nothing says what callers have to keep. */

#include <stdlib.h>

struct node {
    void *item;
    struct node *next;
};

struct queue {
    struct node *head;
    struct node *tail;
    unsigned size;
};

struct queue *queue_new(void)
{
    return calloc(1, sizeof(struct queue));
}

/* Holds only if `tail` is the last node: otherwise nodes behind it are lost. */
void queue_push(struct queue *queue, void *item)
{
    struct node *node = malloc(sizeof *node);
    node->item = item;
    node->next = 0;
    if (queue->tail == 0)
        queue->head = node;
    else
        queue->tail->next = node;
    queue->tail = node;
    queue->size++;
}

/* Holds only if there is a node where `size` says so. */
void *queue_pop(struct queue *queue)
{
    if (queue->size == 0)
        return 0;
    struct node *node = queue->head;
    void *item = node->item;
    queue->head = node->next;
    if (--queue->size == 0)
        queue->tail = 0;
    free(node);
    return item;
}

/* Holds only if the queue is not empty. */
void *queue_front(struct queue *queue)
{
    return queue->head->item;
}

/* Holds only if the node is in no other list. */
void queue_push_node(struct queue *queue, struct node *node)
{
    node->next = queue->head;
    queue->head = node;
    if (queue->tail == 0)
        queue->tail = node;
    queue->size++;
}

/* Fails whatever callers keep: the last node is freed, and read. */
void queue_free(struct queue *queue)
{
    struct node *node = queue->head;
    while (node != 0) {
        free(node);
        node = node->next;
    }
    free(queue);
}

/* Holds, but leaves `tail` as it is when the last node goes: the next push follows it. */
void queue_skip(struct queue *queue)
{
    struct node *node = queue->head;
    if (node == 0)
        return;
    queue->head = node->next;
    queue->size--;
    free(node);
}
