//@ truth: holds
//@ now: holds
//@ run: exit 0
//@ input: 4 5 6
// The mean of some readings, if there are any: `count` is never zero where it is divided by.
#include <stdio.h>
#include <stdlib.h>

struct reading {
    int value;
    struct reading *next;
};

int main(void) {
    struct reading *readings = NULL;
    int value, sum = 0, count = 0;
    while (scanf("%d", &value) == 1 && value >= 0 && value < 1000) {
        struct reading *reading = malloc(sizeof *reading);
        if (reading == NULL)
            break;
        reading->value = value;
        reading->next = readings;
        readings = reading;
    }
    while (readings != NULL) {
        struct reading *next = readings->next;
        sum = (sum + readings->value) % 100000;
        count = count < 1000 ? count + 1 : count;
        free(readings);
        readings = next;
    }
    if (count > 0)
        printf("%d\n", sum / count);
    return 0;
}
