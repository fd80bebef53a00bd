//@ truth: holds
//@ now: holds
//@ run: exit 5
// C as it was written before 1989: parameters declared after the list, implicit int.
#include <stdlib.h>

struct cell {
    int head;
    struct cell *tail;
};

struct cell *cons(head, tail)
    int head;
    struct cell *tail;
{
    struct cell *cell = (struct cell *)malloc(sizeof(struct cell));
    cell->head = head;
    cell->tail = tail;
    return cell;
}

int length_and_free(list)
    struct cell *list;
{
    struct cell *tail;
    if (list == 0)
        return 0;
    tail = list->tail;
    free(list);
    return 1 + length_and_free(tail);
}

int main() {
    struct cell *list = 0;
    register int i;
    for (i = 0; i < 5; i++)
        list = cons(i, list);
    return length_and_free(list);
}
