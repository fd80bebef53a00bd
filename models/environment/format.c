// defines: __heapwright_format_text __heapwright_format_string __heapwright_format_character __heapwright_format_integer __heapwright_format_end __heapwright_format_room
// contract: `sprintf` and its kin write exactly what C says; what is written must not overlap what is read.
// Each function writes to `to`, a buffer of `limit` bytes of which `at` are used, as much as fits in
// front of the terminator, and gives the bytes that would be used in a buffer without end.

typedef __SIZE_TYPE__ size_t;
typedef unsigned long long number;

extern void *__heapwright_copy(void *to, const void *from, size_t size);
extern void __heapwright_disjoint(const void *left, const void *right, size_t size);
extern void *malloc(size_t size);

enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16 };

static size_t room(size_t limit, size_t at)
{
    return limit == 0 || at >= limit - 1 ? 0 : limit - 1 - at;
}

static size_t fill(char *to, size_t limit, size_t at, char byte, int count)
{
    for (int done = 0; done < count; done++) {
        if (room(limit, at) > 0)
            to[at] = byte;
        at++;
    }
    return at;
}

size_t __heapwright_format_text(char *to, size_t limit, size_t at, const char *text, size_t length)
{
    size_t kept = room(limit, at);
    if (kept > length)
        kept = length;
    if (kept > 0)
        __heapwright_copy(to + at, text, kept);
    return at + length;
}

// The length of a string of which at most `limit` bytes are looked at; all, if it is negative.
static size_t length_of(const char *string, int limit)
{
    size_t length = 0;
    if (limit < 0) {
        while (string[length] != '\0')
            length++;
        return length;
    }
    while (length < (size_t)limit && string[length] != '\0')
        length++;
    return length;
}

static size_t padded(char *to, size_t limit, size_t at, const char *text, size_t length, int flags,
                     int width)
{
    if (width < 0) {
        flags |= LEFT;
        width = -width;
    }
    int blanks = (size_t)width > length ? width - (int)length : 0;
    if ((flags & LEFT) == 0)
        at = fill(to, limit, at, ' ', blanks);
    at = __heapwright_format_text(to, limit, at, text, length);
    return (flags & LEFT) != 0 ? fill(to, limit, at, ' ', blanks) : at;
}

size_t __heapwright_format_string(char *to, size_t limit, size_t at, const char *string, int flags,
                                  int width, int precision)
{
    size_t length = length_of(string, precision);
    size_t written = room(limit, at);
    if (written > length)
        written = length;
    if (written > 0)
        __heapwright_disjoint(to + at, string, written);
    return padded(to, limit, at, string, length, flags, width);
}

size_t __heapwright_format_character(char *to, size_t limit, size_t at, int character, int flags,
                                     int width, int precision)
{
    (void)precision;
    char byte = (char)character;
    return padded(to, limit, at, &byte, 1, flags, width);
}

static int digits_of(number value, number base)
{
    int count = 1;
    number power = base;
    while (value >= power) {
        count++;
        if (power > ~0ull / base)
            break;
        power *= base;
    }
    return count;
}

// The longest: 64 bits in base 8.
enum { DIGITS = 22 };

static void write_digits(char *digits, int count, number value, number base, int letter)
{
    for (int index = count - 1; index >= 0; index--) {
        int digit = (int)(value % base);
        value /= base;
        if (base == 16 && digit > 9)
            digit += (letter == 'X' ? 'A' : 'a') - '0' - 10;
        digits[index] = (char)('0' + digit);
    }
}

size_t __heapwright_format_integer(char *to, size_t limit, size_t at, number value, int letter,
                                   int flags, int width, int precision)
{
    char sign = '\0';
    if (letter == 'd' || letter == 'i') {
        if ((long long)value < 0) {
            sign = '-';
            value = 0 - value;
        } else if ((flags & (PLUS | SPACE)) != 0) {
            sign = (flags & PLUS) != 0 ? '+' : ' ';
        }
    }
    number base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' ? 16 : 10;
    char digits[DIGITS];
    int count = value == 0 && precision == 0 ? 0 : digits_of(value, base);
    write_digits(digits, count, value, base, letter);
    if (width < 0) {
        flags |= LEFT;
        width = -width;
    }
    int prefix = base == 16 && (flags & ALTERNATE) != 0 && value != 0 ? 2 : 0;
    int zeros = precision > count ? precision - count : 0;
    if (base == 8 && (flags & ALTERNATE) != 0 && zeros == 0 && (count == 0 || digits[0] != '0'))
        zeros = 1;
    int used = (sign != '\0') + prefix + zeros + count;
    int blanks = width > used ? width - used : 0;
    if (precision < 0 && (flags & ZERO) != 0 && (flags & LEFT) == 0) {
        zeros += blanks;
        blanks = 0;
    }
    if ((flags & LEFT) == 0)
        at = fill(to, limit, at, ' ', blanks);
    if (sign != '\0')
        at = fill(to, limit, at, sign, 1);
    if (prefix > 0) {
        at = fill(to, limit, at, '0', 1);
        at = fill(to, limit, at, (char)letter, 1);
    }
    at = fill(to, limit, at, '0', zeros);
    at = __heapwright_format_text(to, limit, at, digits, (size_t)count);
    return (flags & LEFT) != 0 ? fill(to, limit, at, ' ', blanks) : at;
}

// The terminator.
int __heapwright_format_end(char *to, size_t limit, size_t at)
{
    if (limit > 0)
        to[at < limit ? at : limit - 1] = '\0';
    return (int)at;
}

// Memory for `asprintf`.
char *__heapwright_format_room(char **target, int length)
{
    char *text = malloc((size_t)length + 1);
    *target = text;
    return text;
}
