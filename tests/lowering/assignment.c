// Assignments: chained, compound, with conversions, and with effects on both sides.
static int count;
static int next(void) { return ++count; }

int main(void) {
    int a, b;
    unsigned char narrow;
    a = b = 300;
    int kept = (narrow = 300);
    a += b -= 100;
    int table[3] = {10, 20, 30};
    int index = 0;
    table[index++] += next();
    table[index] <<= next();
    long wide = narrow * 2L;
    wide %= 7;
    return !(a == 500 && b == 200 && kept == 44 && table[0] == 11 && table[1] == 80 && wide == 4);
}
