//@ truth: holds
//@ now: holds
//@ run: exit 6
// A circular list plays Josephus: every second of seven leaves; the last one's number is the exit code.
#include <stdlib.h>

struct player {
    int number;
    struct player *next;
};

int main(void) {
    struct player *last = malloc(sizeof *last);
    last->number = 0;
    last->next = last;
    for (int i = 1; i < 7; i++) {
        struct player *player = malloc(sizeof *player);
        player->number = i;
        player->next = last->next;
        last->next = player;
        last = player;
    }
    while (last->next != last) {
        struct player *staying = last->next;
        struct player *leaving = staying->next;
        staying->next = leaving->next;
        last = staying;
        free(leaving);
    }
    int survivor = last->number;
    free(last);
    return survivor;
}
