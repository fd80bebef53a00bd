// Structs by value: arguments, results, assignments, conditionals, members of results.
struct pair {
    int first, second;
    char name[3];
};

static struct pair make(int first) {
    struct pair p = {first, first + 1, "ab"};
    return p;
}

static int sum(struct pair a, struct pair b) {
    a.first += 100;
    return a.first + b.second;
}

int main(void) {
    struct pair a = make(1), b;
    b = a;
    b.first = 50;
    struct pair chosen = a.first ? b : a;
    int added = sum(a, make(5));
    int direct = make(7).second + make(8).name[1];
    return !(a.first == 1 && added == 107 && chosen.first == 50 && direct == 8 + 'b');
}
