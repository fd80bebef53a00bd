// Conversions: promotions, signs, floats, booleans, pointers and numbers.
int main(void) {
    signed char negative = -1;
    unsigned wide = negative;
    unsigned short half = negative;
    long long widest = wide;
    float third = 1 / 3.0f;
    int truncated = (int)-2.7;
    _Bool truth = 0.5;
    unsigned char wrapped = 511;
    int *pointer = (int *)(unsigned long)&wrapped;
    int good = negative < half && negative == (int)wide && widest > 0 && -1 > 1u;
    good = good && third != 1 / 3.0 && truncated == -2 && truth == 1 && wrapped == 255;
    return !(good && pointer == (void *)&wrapped && (long)-1 < 1u && !!"text");
}
