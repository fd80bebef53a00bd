// Function pointers: tables, results, arguments, comparisons, all the ways to call.
static int plus(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int (*table[])(int) = {plus, &twice};
static int (*pick(int k))(int) { return k ? plus : twice; }
static int apply(int f(int), int x) { return f(x); }

int main(void) {
    int (*p)(int) = twice;
    int a = table[0](1) + (*table[1])(4);
    int b = (***p)(5) + pick(0)(7) + apply(plus, 1);
    return !(a == 10 && b == 26 && p == twice && table[0] != twice && (&plus)(2) == 3);
}
