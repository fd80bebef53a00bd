// Logical operators evaluate their right side only where it matters.
static int check(int a, int b) {
    int n = 0;
    int value = (a && ++n) + (b || ++n) * 2 + !(a && b) * 4;
    if ((a || n++) && !(b && n--))
        value += 100;
    a && b++;
    return value * 10 + n;
}

int main(void) {
    return !(check(0, 0) == 1062 && check(1, 0) == 1072 && check(0, 1) == 61 && check(1, 1) == 30);
}
