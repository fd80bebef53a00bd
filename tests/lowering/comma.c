// The comma operator, alone and as an operand.
int main(void) {
    int a = 1, b = 2;
    int c = (a++, b += a, a * 10 + b);
    for (a = 0, b = 10; a < b; a++, b--)
        ;
    return !(c == 24 && a == 5 && b == 5);
}
