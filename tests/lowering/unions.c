// Unions: parts of the same bytes, an anonymous one, a cast to a union.
union word {
    unsigned whole;
    unsigned char bytes[4];
    struct {
        unsigned short low, high;
    };
};

int main(void) {
    union word w = {.whole = 0x01020304};
    union word copy = w;
    copy.bytes[0] = 0xff;
    unsigned high = ((union word)0xaabbccddu).high;
    return !(w.bytes[0] == 4 && w.high == 0x0102 && copy.whole == 0x010203ff && high == 0xaabb);
}
