// defines: insque remque
// The doubly linked lists of <search.h>, linear or circular. An element starts with these two
// links.

struct heapwright_list_element {
    struct heapwright_list_element *next;
    struct heapwright_list_element *previous;
};

typedef struct heapwright_list_element element;

void insque(void *inserted, void *after)
{
    element *new_element = inserted;
    element *previous = after;
    if (previous == (element *)0) {
        new_element->next = (element *)0;
        new_element->previous = (element *)0;
        return;
    }
    element *next = previous->next;
    previous->next = new_element;
    if (next != (element *)0)
        next->previous = new_element;
    new_element->next = next;
    new_element->previous = previous;
}

// The links of the removed element itself stay.
void remque(void *removed)
{
    element *old_element = removed;
    element *next = old_element->next;
    element *previous = old_element->previous;
    if (next != (element *)0)
        next->previous = previous;
    if (previous != (element *)0)
        previous->next = next;
}
