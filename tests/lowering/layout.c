// Packed and aligned: where fields lie is what gcc says.
struct __attribute__((packed)) tight {
    char a;
    int b;
    short c;
};
struct loose {
    char a;
    int b __attribute__((aligned(16)));
    char c;
};

int main(void) {
    struct tight t = {1, 0x01020304, 5};
    t.b++;
    char *bytes = (char *)&t;
    struct loose l = {.c = 3};
    return !(sizeof t == 7 && bytes[1] == 5 && bytes[5] == 5 && sizeof l == 32 &&
             ((char *)&l)[20] == 3 && _Alignof(struct loose) == 16);
}
