// A definition without a prototype: arguments come promoted and are narrowed on entry.
int mixed(a, b, c) char a; float b; short c; {
    a++;
    return a + (int)b + c;
}
int nothing() { return 4; }

int main() {
    return mixed(127, 2.7, 70000) != -128 + 2 + 4464 || nothing(1, 2) != 4;
}
