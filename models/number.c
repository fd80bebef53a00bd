// defines: atoi atol atoll
// Decimal integers. What lies beyond the range (undefined in C) is clamped to the range of long or
// long long and then converted, as in glibc; errno stays as it is.

static _Bool is_blank(char byte)
{
    return byte == ' ' || ('\t' <= byte && byte <= '\r');
}

static _Bool is_digit(char byte)
{
    return '0' <= byte && byte <= '9';
}

// `largest` is the largest number of the type; the smallest is `-largest - 1`.
static long long decimal(const char *text, long long largest)
{
    while (is_blank(*text))
        text++;
    _Bool negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    // Computed below zero, where the range reaches further.
    long long smallest = -largest - 1;
    long long value = 0;
    while (is_digit(*text)) {
        int digit = *text - '0';
        if (value < (smallest + digit) / 10)
            return negative ? smallest : largest;
        value = value * 10 - digit;
        text++;
    }
    if (negative)
        return value;
    return value == smallest ? largest : -value;
}

static const long largest_long = (long)(~0ul >> 1);
static const long long largest_long_long = (long long)(~0ull >> 1);

int atoi(const char *text)
{
    return (int)decimal(text, largest_long);
}

long atol(const char *text)
{
    return (long)decimal(text, largest_long);
}

long long atoll(const char *text)
{
    return decimal(text, largest_long_long);
}
