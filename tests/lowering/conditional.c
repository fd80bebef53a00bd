// The conditional operator: nested, with unlike types, as GNU's `a ?: b`, of type void.
static int calls;
static int next(void) { return ++calls; }

int main(void) {
    int x = 5, r = 0;
    int nested = x > 0 ? x > 10 ? 1 : 2 : 3;
    double mixed = x ? 1 : 2.5;
    int once = next() ?: 7;
    int zero = 0;
    const char *text = (const char *)0 ?: "other";
    int other = zero ?: 9;
    x == 5 ? (void)(r = 1) : (void)(r = 2);
    unsigned unlike = x ? -1 : 1u;
    return !(nested == 2 && mixed == 1.0 && once == 1 && calls == 1 && other == 9 &&
             text[1] == 't' && r == 1 && unlike > 0);
}
