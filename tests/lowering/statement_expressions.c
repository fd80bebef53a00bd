// Statement expressions: each operand once, a struct as the value, a return from inside.
#define MAX(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__(a) _a = (a);                                                                    \
        __typeof__(b) _b = (b);                                                                    \
        _a > _b ? _a : _b;                                                                         \
    })
struct pair {
    int x, y;
};

static int early(int stop) {
    int value = ({
        if (stop)
            return 5;
        3;
    });
    return value;
}

int main(void) {
    int i = 3;
    int largest = MAX(i++, 2);
    struct pair p = ({
        struct pair inner = {4, 5};
        inner.x++;
        inner;
    });
    return !(largest == 3 && i == 4 && p.x == 5 && p.y == 5 && early(0) == 3 && early(1) == 5);
}
