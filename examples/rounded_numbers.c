//@ truth: holds
//@ now: holds
//@ run: exit 0
// Distances that a library rounds in its own way, kept in a list of as many points as the user likes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
    double x, y, distance;
    struct point *next;
};

static const char *const words[] = {"near", "far", "out of sight"};

static const char *word(double distance) {
    int grade = (int)log10(distance + 1);
    if (grade < 0)
        grade = 0;
    return words[grade > 2 ? 2 : grade];
}

int main(void) {
    struct point *points = NULL;
    double x, y;
    while (scanf("%lf %lf", &x, &y) == 2) {
        struct point *point = malloc(sizeof *point);
        if (point == NULL)
            break;
        point->x = x;
        point->y = y;
        point->distance = sqrt(pow(x, 2) + pow(y, 2));
        point->next = points;
        points = point;
    }
    while (points != NULL) {
        struct point *next = points->next;
        printf("%f: %s\n", points->distance, word(points->distance));
        free(points);
        points = next;
    }
    return 0;
}
