//@ truth: violated valid-deref
//@ now: violated valid-deref 17
//@ run: exit 101
// A pointer to a variable of a call that is over.
struct point {
    int x, y;
};

static struct point *origin(void) {
    struct point here = {0, 0};
    struct point *result = &here;
    return result;
}

int main(void) {
    struct point *point = origin();
    return point->x;
}
