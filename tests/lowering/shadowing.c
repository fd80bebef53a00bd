// Scopes in scopes: each name means the innermost declaration.
static int x = 1;

int main(void) {
    int sum = x;
    int x = 2;
    {
        int x = 3;
        {
            extern int outer;
            int x = 4;
            sum = sum * 10 + x + outer;
        }
        sum = sum * 10 + x;
    }
    for (int x = 5; x < 6; x++) {
        int x = 9;
        sum = sum * 10 + x;
    }
    struct x {
        int x;
    } y = {x};
    return sum * 10 + y.x != 14392;
}
int outer = 0;
