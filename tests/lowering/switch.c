// Switch: ranges, fallthrough, a default in the middle, a jump over a declaration, no match.
static int classify(int x) {
    int result = 0;
    switch (x) {
        int hidden;
    case 1:
        result = 1;
    case 2 ... 5:
        result += 10;
        break;
    default:
        result = 7;
    case -3:
        hidden = 4;
        result += hidden;
    }
    return result;
}

static int of_character(unsigned char c) {
    switch (c) {
    case 'a' ... 'z':
        return 1;
    case 250 ... 255:
        return 2;
    }
    return 0;
}

int main(void) {
    int good = classify(1) == 11 && classify(4) == 10 && classify(-3) == 4 && classify(9) == 11;
    return !(good && of_character('q') == 1 && of_character(251) == 2 && of_character(9) == 0);
}
