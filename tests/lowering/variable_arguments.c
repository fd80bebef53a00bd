// Variable arguments: numbers, pointers and structs, a list that is copied and one passed on.
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(target, source) __builtin_va_copy(target, source)
#define va_end(list) __builtin_va_end(list)
struct pair {
    int x, y;
};

static int rest(int count, va_list list) {
    int sum = 0;
    while (count-- > 0)
        sum += va_arg(list, int);
    return sum;
}

static int add(int count, ...) {
    va_list list, again;
    va_start(list, count);
    double real = va_arg(list, double);
    struct pair p = va_arg(list, struct pair);
    const char *text = va_arg(list, const char *);
    va_copy(again, list);
    int sum = rest(count, list);
    sum += va_arg(again, int);
    va_end(again);
    va_end(list);
    return sum + (int)real + p.y + text[0];
}

int main(void) {
    struct pair p = {1, 20};
    char narrow = 3;
    return add(2, 2.5, p, "A", narrow, 400) != 2 + 20 + 'A' + 3 + 400 + 3;
}
