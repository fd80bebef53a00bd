// Compound literals: arrays, structs, scalars; a new value each time they are evaluated.
struct point {
    int x, y;
};
static struct point *origin = &(struct point){3, 4};

static int total(const int *numbers, int count) {
    int sum = 0;
    while (count-- > 0)
        sum += *numbers++;
    return sum;
}

int main(void) {
    int k = 5;
    struct point *p = &(struct point){.y = k};
    int sum = total((int[]){1, k, 3}, 3);
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[2]){i};
        sum += fresh[0] + fresh[1];
        fresh[1] = 99;
    }
    return !(sum == 12 && p->x == 0 && p->y == 5 && origin->y == 4 && (int){6} == 6);
}
