//@ truth: violated valid-deref
//@ now: violated valid-deref 23
//@ run: exit 0
// Nodes of a list have as many bytes as each needs right behind their link, and one byte more is written.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct packet {
    struct packet *next;
    unsigned char bytes[];
};

int main(void) {
    struct packet *queue = NULL;
    while (__VERIFIER_nondet_int()) {
        size_t length = __VERIFIER_nondet_uint();
        if (length == 0 || length > 65536) continue;
        struct packet *packet = malloc(sizeof *packet + length);
        packet->next = queue;
        packet->bytes[0] = 1;
        packet->bytes[length] = 2;
        queue = packet;
    }
    while (queue) {
        struct packet *next = queue->next;
        free(queue);
        queue = next;
    }
    return 0;
}
