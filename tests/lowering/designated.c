// Designated initialisers: ranges, nested ones, later ones that win, the rest zero.
struct shape {
    int sides[5];
    struct {
        int u, v;
    } corners[2];
    union {
        int number;
        char letters[4];
    };
};
static struct shape global = {.sides = {[1 ... 3] = 7}, .corners[1].v = 4, .letters = {1, 2}};

int main(void) {
    int k = 3;
    struct shape s = {.sides = {[2] = k, 9, [0] = 1}, .corners[1] = {.v = k}, .number = 77};
    int order[] = {1, 2, 3, [1] = 9, 8, [0] = 5};
    int good = s.sides[0] == 1 && s.sides[1] == 0 && s.sides[2] == 3 && s.sides[3] == 9;
    good = good && s.corners[0].u == 0 && s.corners[1].v == 3 && s.letters[0] == 77;
    good = good && global.sides[3] == 7 && global.sides[4] == 0 && global.number == 513;
    return !(good && sizeof order == 12 && order[0] == 5 && order[1] == 9 && order[2] == 8);
}
