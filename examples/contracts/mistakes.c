/* Functions that are wrong by their own text. A promise of the callers would make each of them hold, by keeping
   them from the lines that are wrong; so none is inferred. */

#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *head;
    struct node *tail;
    unsigned size;
};

static int is_empty(struct list *list)
{
    return list->head == 0;
}

static int value_of(struct node *node)
{
    return node->value;
}

/* `list->head != 0` would hide it. */
int tested(struct list *list)
{
    if (list->head == 0)
        return list->head->value;
    return 0;
}

int tested_by_another(struct list *list)
{
    if (is_empty(list))
        return list->head->value;
    return 0;
}

/* The place that fails is also come to in another way, but not by the same call. */
int wrong_by_one_call(struct list *list)
{
    if (is_empty(list))
        return value_of(list->head);
    return value_of(list->head);
}

/* `last(head) == tail` would hide it. */
int handles_a_list_without_tail(struct list *list)
{
    if (list->head != 0 && list->tail == 0)
        return list->tail->value;
    return 0;
}

/* `len(head) == size` would hide it. */
int handles_a_wrong_size(struct list *list)
{
    if (list->size == 0 && list->head != 0) {
        int *nowhere = 0;
        return *nowhere;
    }
    return 0;
}

/* `node->next == 0` would hide it. */
void loses_its_own_block(struct node *node)
{
    if (node->next != 0) {
        struct node *copy = malloc(sizeof *copy);
        copy->value = node->value;
    }
}

/* `member(list->head) == node` would hide it. */
int handles_a_node_of_no_list(struct list *list, struct node *node)
{
    struct node *at = list->head;
    while (at != 0 && at != node)
        at = at->next;
    if (at == 0)
        return at->value;
    return 0;
}

/* `count > 0` would hide it. */
int handles_no_elements(int count)
{
    if (count <= 0) {
        int *nowhere = 0;
        return *nowhere;
    }
    return count;
}

/* `0 <= index && index < count` would hide it. */
int handles_a_wrong_index(int *array, int count, int index)
{
    if (index >= count)
        return array[index];
    return 0;
}

/* `len(bytes) == other` would hide it only if it were the length. */
void writes_one_more(char *bytes, int count, int other)
{
    if (count >= 0 && other >= 0)
        bytes[count + other] = 0;
}
