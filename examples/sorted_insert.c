//@ truth: violated unreach-call
//@ now: violated unreach-call 37
//@ run: exit 101
// A failing assertion: insertion into a sorted list compares with the wrong node, so that the
// list is not sorted afterwards.
#include <assert.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static struct node *insert(struct node *head, int key) {
    struct node *node = malloc(sizeof *node);
    node->key = key;
    node->next = NULL;
    if (!head)
        return node;
    struct node *before = head; /* the new node never becomes the first */
    while (before->next && before->next->key < key)
        before = before->next;
    node->next = before->next;
    before->next = node;
    return head;
}

int main(void) {
    struct node *head = NULL;
    head = insert(head, 4);
    head = insert(head, 7);
    head = insert(head, 1);

    while (head) {
        struct node *next = head->next;
        if (next)
            assert(head->key <= next->key);
        free(head);
        head = next;
    }
    return 0;
}
