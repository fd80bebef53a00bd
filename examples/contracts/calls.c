/* Functions that call each other: who keeps the contracts of those that it calls, and who does not. */

#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *head;
    int size;
};

/* Holds only if there is an element. */
int mean(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] & 255;
    return sum / count;
}

/* Hands its arguments on, so that its callers have to promise the same. */
int rounded_mean(const int *readings, int n)
{
    return mean(readings, n) / 10 * 10;
}

/* Keeps what `mean` asks. */
int mean_of_four(void)
{
    int values[4] = { 1, 2, 3, 4 };
    return mean(values, 4);
}

/* Does not keep it when there is nothing yet. */
int mean_of_some(unsigned n)
{
    int values[4] = { 1, 2, 3, 4 };
    return mean(values, n % 5);
}

/* Holds only if the list is not empty. */
int first(struct list *list)
{
    return list->head->value;
}

/* Looks first. */
int first_or_zero(struct list *list)
{
    return list->head == 0 ? 0 : first(list);
}

/* Holds with any list, since the first node is there. */
int push_and_read(struct list *list, int value)
{
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list->head;
    list->head = node;
    list->size++;
    return first(list);
}
