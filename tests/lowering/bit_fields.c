// Bit-fields: signed, unsigned, one that crosses bytes, one wider than an int, a zero width.
struct flags {
    unsigned small : 3;
    int negative : 5;
    unsigned crossing : 20;
    _Bool bit : 1;
    unsigned : 0;
    unsigned long long wide : 40;
};

int main(void) {
    struct flags f = {.small = 9, .negative = -1};
    f.crossing = 0xfffff;
    f.crossing++;
    f.bit = 4;
    f.wide = -1;
    int value = (f.small = 13);
    int before = f.negative--;
    f.small -= 6;
    int wraps = f.wide + 1 == 0;
    int promoted = f.small - 8 < 0;
    return !(value == 5 && before == -1 && f.negative == -2 && f.small == 7 && f.crossing == 0 &&
             f.bit && wraps && promoted);
}
