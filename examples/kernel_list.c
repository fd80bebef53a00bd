//@ truth: holds
//@ now: holds
//@ run: exit 6
// Lists as the Linux kernel has them: the links are in the middle of the structures, and
// container_of finds the way back.
#include <stddef.h>
#include <stdlib.h>

struct list_head {
    struct list_head *next, *prev;
};

#define container_of(pointer, type, member) \
    ((type *)((char *)(pointer) - offsetof(type, member)))

struct job {
    int priority;
    struct list_head link;
};

static void list_add(struct list_head *link, struct list_head *head) {
    link->next = head->next;
    link->prev = head;
    head->next->prev = link;
    head->next = link;
}

static void list_del(struct list_head *link) {
    link->next->prev = link->prev;
    link->prev->next = link->next;
}

int main(void) {
    struct list_head jobs = {&jobs, &jobs};
    for (int i = 1; i <= 3; i++) {
        struct job *job = malloc(sizeof *job);
        job->priority = i;
        list_add(&job->link, &jobs);
    }
    int total = 0;
    while (jobs.next != &jobs) {
        struct job *job = container_of(jobs.next, struct job, link);
        total += job->priority;
        list_del(&job->link);
        free(job);
    }
    return total;
}
