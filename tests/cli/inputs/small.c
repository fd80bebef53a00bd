struct node {
    struct node *next;
    int value;
};

int sum(const struct node *head) {
    int total = 0;
    for (; head; head = head->next)
        total += head->value;
    return total;
}
