// defines: strtol strtoul strtoll strtoull strtoimax strtoumax
// Integers in any base from 2 to 36. The digits are read into the magnitude, with a limit that
// depends on type and sign; then the sign is applied.

typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef unsigned long long magnitude;

extern int *__errno_location(void);

enum { INVALID_ARGUMENT = 22, OUT_OF_RANGE = 34, NO_DIGIT = 36 };

static _Bool is_blank(char byte)
{
    return byte == ' ' || ('\t' <= byte && byte <= '\r');
}

static int digit_of(char byte)
{
    if ('0' <= byte && byte <= '9')
        return byte - '0';
    if ('a' <= byte && byte <= 'z')
        return byte - 'a' + 10;
    if ('A' <= byte && byte <= 'Z')
        return byte - 'A' + 10;
    return NO_DIGIT;
}

struct number {
    _Bool is_negative;
    _Bool is_out_of_range;
    magnitude value;
};

// A number whose magnitude is at most `positive_limit`, or `negative_limit` after a minus sign.
static struct number read_number(const char *text, char **end, int base,
                                 magnitude positive_limit, magnitude negative_limit)
{
    struct number number = { 0, 0, 0 };
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = INVALID_ARGUMENT;
        return number;
    }
    const char *next = text;
    while (is_blank(*next))
        next++;
    if (*next == '-')
        number.is_negative = 1;
    if (*next == '-' || *next == '+')
        next++;
    if ((base == 0 || base == 16) && next[0] == '0' && (next[1] == 'x' || next[1] == 'X')
        && digit_of(next[2]) < 16) {
        next += 2;
        base = 16;
    } else if (base == 0) {
        base = *next == '0' ? 8 : 10;
    }
    const char *digits = next;
    magnitude limit = number.is_negative ? negative_limit : positive_limit;
    int digit = digit_of(*next);
    while (digit < base) {
        if (number.value > (limit - (magnitude)digit) / (magnitude)base)
            number.is_out_of_range = 1;
        if (!number.is_out_of_range)
            number.value = number.value * (magnitude)base + (magnitude)digit;
        next++;
        digit = digit_of(*next);
    }
    if (end != (char **)0)
        *end = (char *)(next == digits ? text : next);
    if (number.is_out_of_range)
        *__errno_location() = OUT_OF_RANGE;
    return number;
}

static long long read_signed(const char *text, char **end, int base, magnitude largest)
{
    struct number number = read_number(text, end, base, largest, largest + 1);
    if (!number.is_negative)
        return (long long)(number.is_out_of_range ? largest : number.value);
    if (number.is_out_of_range || number.value > largest)
        return -(long long)largest - 1;
    return -(long long)number.value;
}

static magnitude read_unsigned(const char *text, char **end, int base, magnitude largest)
{
    struct number number = read_number(text, end, base, largest, largest);
    if (number.is_out_of_range)
        return largest;
    return number.is_negative ? 0 - number.value : number.value;
}

long strtol(const char *restrict text, char **restrict end, int base)
{
    return (long)read_signed(text, end, base, ~0ul >> 1);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base)
{
    return (unsigned long)read_unsigned(text, end, base, ~0ul);
}

long long strtoll(const char *restrict text, char **restrict end, int base)
{
    return read_signed(text, end, base, ~0ull >> 1);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
    return read_unsigned(text, end, base, ~0ull);
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base)
{
    return (intmax_t)read_signed(text, end, base, ~0ull >> 1);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base)
{
    return (uintmax_t)read_unsigned(text, end, base, ~0ull);
}
