// Static locals keep their value, are initialised once and may refer to themselves.
static int counter(void) {
    static int calls = 5;
    static int *self = &calls;
    static struct {
        int values[2];
    } state = {{1, 2}};
    state.values[1]++;
    return ++*self + state.values[1];
}

int main(void) {
    int first = counter();
    int second = counter();
    return !(first == 9 && second == 11);
}
