// Memory functions, a list and the ends of a program.
void *malloc(unsigned long);
void free(void *);
void exit(int);
void *memset(void *, int, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, "memory.c", __LINE__, __func__))
struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *fresh = malloc(sizeof(struct node));
        if (fresh == 0)
            exit(0);
        memset(fresh, 0, sizeof *fresh);
        fresh->value = i;
        fresh->next = head;
        head = fresh;
    }
    struct node copy;
    memcpy(&copy, head, sizeof copy);
    assert(copy.value == 2);
    while (head) {
        struct node *rest = head->next;
        free(head);
        head = rest;
    }
    return 0;
}
