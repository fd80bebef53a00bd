// defines: atof strtod strtof
// Decimal and hexadecimal fractions, infinity and NaN, rounded to nearest as glibc rounds them.
// Short numbers take one exact operation; the others are halved or doubled, digit by digit, until
// their integer part has 19 digits: that, and whether anything follows, decides the rounding.

typedef __SIZE_TYPE__ size_t;
typedef unsigned long long mantissa;

extern int *__errno_location(void);

// More digits than the midpoint between two doubles can have.
enum { OUT_OF_RANGE = 34, CAPACITY = 800, INTEGER_DIGITS = 19, LARGEST_EXPONENT = 100000 };

// What sets double and float apart.
struct format {
    int bits;
    int smallest_exponent;
    int largest_exponent;
};

// 0.d0 d1 d2 … times ten to the power of `point`, a little more if `has_more`.
struct decimal {
    int count;
    int point;
    _Bool has_more;
    unsigned char digits[CAPACITY];
};

static _Bool is_blank(char byte)
{
    return byte == ' ' || ('\t' <= byte && byte <= '\r');
}

static _Bool is_digit(char byte)
{
    return '0' <= byte && byte <= '9';
}

static int lower(char byte)
{
    return 'A' <= byte && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

static int hexadecimal_digit(char byte)
{
    if (is_digit(byte))
        return byte - '0';
    int letter = lower(byte);
    return 'a' <= letter && letter <= 'f' ? letter - 'a' + 10 : 16;
}

// How many bytes of `word`, all of them, start the text in any case; 0 if it starts otherwise.
static size_t word_length(const char *text, const char *word)
{
    size_t length = 0;
    while (word[length] != '\0') {
        if (lower(text[length]) != word[length])
            return 0;
        length++;
    }
    return length;
}

static double infinity(void)
{
    return __builtin_inf();
}

// `value` times two to the power of `exponent`, where the result is exact.
static double scaled(double value, int exponent)
{
    for (; exponent > 0; exponent--)
        value = value * 2.0;
    for (; exponent < 0; exponent++)
        value = value * 0.5;
    return value;
}

// `value` times two to the power of `exponent`, rounded; the exact number is a little larger if
// `has_more`.
static double rounded(mantissa value, int exponent, _Bool has_more, const struct format *format)
{
    if (value == 0)
        return 0.0;
    int width = 0;
    for (mantissa rest = value; rest != 0; rest = rest >> 1)
        width++;
    int dropped = width - format->bits;
    if (exponent + dropped < format->smallest_exponent)
        dropped = format->smallest_exponent - exponent;
    _Bool is_exact = !has_more;
    mantissa kept = value;
    if (dropped > width) {
        kept = 0;
        is_exact = 0;
    } else if (dropped > 0) {
        mantissa half = (mantissa)1 << (dropped - 1);
        mantissa remainder = dropped == 64 ? value : value & ((half << 1) - 1);
        kept = dropped == 64 ? 0 : value >> dropped;
        if (remainder != 0)
            is_exact = 0;
        if (remainder > half || (remainder == half && (has_more || (kept & 1) != 0)))
            kept++;
    }
    if (dropped < 0)
        dropped = 0;
    // A carry out of the top makes the width larger by one, with zeros below.
    if (width + exponent > format->largest_exponent
        || (width + exponent == format->largest_exponent && kept >> (format->bits - 1) > 1)) {
        *__errno_location() = OUT_OF_RANGE;
        return infinity();
    }
    // Too small for all its bits, and some were lost.
    if (!is_exact && kept >> (format->bits - 1) == 0)
        *__errno_location() = OUT_OF_RANGE;
    return kept == 0 ? 0.0 : scaled((double)kept, exponent + dropped);
}

static void halve(struct decimal *number)
{
    int carry = 0;
    for (int at = 0; at < number->count; at++) {
        int value = carry * 10 + number->digits[at];
        number->digits[at] = (unsigned char)(value / 2);
        carry = value % 2;
    }
    if (carry != 0 && number->count < CAPACITY) {
        number->digits[number->count] = 5;
        number->count++;
    } else if (carry != 0) {
        number->has_more = 1;
    }
    if (number->digits[0] == 0) {
        for (int at = 1; at < number->count; at++)
            number->digits[at - 1] = number->digits[at];
        number->count--;
        number->point--;
    }
}

static void twice(struct decimal *number)
{
    int carry = 0;
    for (int at = number->count - 1; at >= 0; at--) {
        int value = number->digits[at] * 2 + carry;
        number->digits[at] = (unsigned char)(value % 10);
        carry = value / 10;
    }
    if (carry != 0) {
        if (number->count == CAPACITY) {
            number->count--;
            if (number->digits[number->count] != 0)
                number->has_more = 1;
        }
        for (int at = number->count; at > 0; at--)
            number->digits[at] = number->digits[at - 1];
        number->digits[0] = (unsigned char)carry;
        number->count++;
        number->point++;
    }
    while (number->digits[number->count - 1] == 0)
        number->count--;
}

static double exact_power_of_ten(int exponent)
{
    double power = 1.0;
    for (int count = 0; count < exponent; count++)
        power = power * 10.0;
    return power;
}

// Few digits and a small power of ten are exact in a double: one operation, rounded once.
static _Bool is_short(const struct decimal *number, const struct format *format)
{
    int exponent = number->point - number->count;
    return format->bits == 53 && !number->has_more && number->count <= 15
        && -22 <= exponent && exponent <= 22;
}

static double short_value(const struct decimal *number)
{
    mantissa digits = 0;
    for (int at = 0; at < number->count; at++)
        digits = digits * 10 + number->digits[at];
    int exponent = number->point - number->count;
    if (exponent < 0)
        return (double)digits / exact_power_of_ten(-exponent);
    return (double)digits * exact_power_of_ten(exponent);
}

static double value_of(struct decimal *number, const struct format *format)
{
    if (number->count == 0)
        return 0.0;
    if (number->point > 400)
        return rounded(1, 2000, 0, format);
    if (number->point < -400)
        return rounded(1, -2000, 1, format);
    if (is_short(number, format))
        return short_value(number);
    int exponent = 0;
    while (number->point > INTEGER_DIGITS) {
        halve(number);
        exponent++;
    }
    while (number->point < INTEGER_DIGITS) {
        twice(number);
        exponent--;
    }
    mantissa integer = 0;
    for (int at = 0; at < INTEGER_DIGITS; at++)
        integer = integer * 10 + (at < number->count ? number->digits[at] : 0u);
    _Bool has_more = number->has_more || number->count > INTEGER_DIGITS;
    return rounded(integer, exponent, has_more, format);
}

// The number after an exponent's letter, if there is one; else `text` stays.
static const char *read_exponent(const char *text, int *exponent)
{
    const char *next = text + 1;
    _Bool negative = *next == '-';
    if (*next == '-' || *next == '+')
        next++;
    if (!is_digit(*next))
        return text;
    int value = 0;
    while (is_digit(*next)) {
        if (value < LARGEST_EXPONENT)
            value = value * 10 + (*next - '0');
        next++;
    }
    *exponent = negative ? -value : value;
    return next;
}

// Appends a digit, unless it is a zero before all others.
static void add_digit(struct decimal *number, char byte)
{
    if (number->count < CAPACITY && (number->count > 0 || byte != '0')) {
        number->digits[number->count] = (unsigned char)(byte - '0');
        number->count++;
    } else if (byte != '0') {
        number->has_more = 1;
    }
}

// Reads decimal digits; gives the address after them, or null if there are none.
static const char *read_decimal(const char *text, double *value, const struct format *format)
{
    struct decimal number;
    number.count = 0;
    number.point = 0;
    number.has_more = 0;
    _Bool has_digits = 0;
    const char *next = text;
    while (is_digit(*next)) {
        has_digits = 1;
        add_digit(&number, *next);
        if (number.count > 0)
            number.point++;
        next++;
    }
    if (*next == '.' && (has_digits || is_digit(next[1]))) {
        next++;
        while (is_digit(*next)) {
            has_digits = 1;
            add_digit(&number, *next);
            if (number.count == 0)
                number.point--;
            next++;
        }
    }
    if (!has_digits)
        return (const char *)0;
    while (number.count > 0 && number.digits[number.count - 1] == 0)
        number.count--;
    int exponent = 0;
    if (*next == 'e' || *next == 'E')
        next = read_exponent(next, &exponent);
    number.point += exponent;
    *value = value_of(&number, format);
    return next;
}

// Reads hexadecimal digits, after the prefix; gives the address after them, or null.
static const char *read_hexadecimal(const char *text, double *value, const struct format *format)
{
    mantissa digits = 0;
    int exponent = 0;
    _Bool has_more = 0;
    _Bool has_digits = 0;
    _Bool after_point = 0;
    const char *next = text;
    for (;;) {
        int digit = hexadecimal_digit(*next);
        if (digit < 16) {
            has_digits = 1;
            if (digits >> 58 == 0) {
                digits = digits * 16 + (mantissa)digit;
            } else {
                exponent += 4;
                if (digit != 0)
                    has_more = 1;
            }
            if (after_point)
                exponent -= 4;
        } else if (*next == '.' && !after_point
                   && (has_digits || hexadecimal_digit(next[1]) < 16)) {
            after_point = 1;
        } else {
            break;
        }
        next++;
    }
    if (!has_digits)
        return (const char *)0;
    int written = 0;
    if (*next == 'p' || *next == 'P')
        next = read_exponent(next, &written);
    exponent += written;
    if (exponent > 2000)
        exponent = 2000;
    if (exponent < -2000)
        exponent = -2000;
    *value = rounded(digits, exponent, has_more, format);
    return next;
}

// NaN may be followed by letters and digits in parentheses.
static const char *after_payload(const char *text)
{
    const char *next = text;
    if (*next != '(')
        return text;
    next++;
    while (is_digit(*next) || *next == '_' || ('a' <= lower(*next) && lower(*next) <= 'z'))
        next++;
    return *next == ')' ? next + 1 : text;
}

static double read_real(const char *text, char **end, const struct format *format)
{
    const char *next = text;
    while (is_blank(*next))
        next++;
    _Bool negative = *next == '-';
    if (*next == '-' || *next == '+')
        next++;
    double value = 0.0;
    const char *after = (const char *)0;
    if (word_length(next, "inf") > 0) {
        size_t length = word_length(next, "infinity");
        after = next + (length > 0 ? length : word_length(next, "inf"));
        value = infinity();
    } else if (word_length(next, "nan") > 0) {
        after = after_payload(next + word_length(next, "nan"));
        value = __builtin_nan("");
    } else {
        if (next[0] == '0' && (next[1] == 'x' || next[1] == 'X'))
            after = read_hexadecimal(next + 2, &value, format);
        if (after == (const char *)0)
            after = read_decimal(next, &value, format);
    }
    if (end != (char **)0)
        *end = (char *)(after != (const char *)0 ? after : text);
    // Without a number the result is 0, not -0.
    return negative && after != (const char *)0 ? -value : value;
}

static const struct format format_of_double = { 53, -1074, 1024 };
static const struct format format_of_float = { 24, -149, 128 };

double strtod(const char *restrict text, char **restrict end)
{
    return read_real(text, end, &format_of_double);
}

double atof(const char *text)
{
    return read_real(text, (char **)0, &format_of_double);
}

float strtof(const char *restrict text, char **restrict end)
{
    return (float)read_real(text, end, &format_of_float);
}
