// defines: sscanf __isoc99_sscanf __isoc23_sscanf vsscanf __isoc99_vsscanf __isoc23_vsscanf
// contract: exactly what C says of the text and the format; numbers with a point are not modelled.

typedef __SIZE_TYPE__ size_t;
typedef unsigned long long number;
typedef __builtin_va_list va_list;

extern void __heapwright_unmodelled(const char *text);

struct arguments {
    va_list list;
};

struct conversion {
    _Bool is_stored;
    size_t width;
    int length;
    char letter;
};

static _Bool is_blank(char byte)
{
    return byte == ' ' || ('\t' <= byte && byte <= '\r');
}

static const char *behind_blanks(const char *text)
{
    while (is_blank(*text))
        text++;
    return text;
}

static int digit_of(char byte)
{
    if ('0' <= byte && byte <= '9')
        return byte - '0';
    if ('a' <= byte && byte <= 'z')
        return byte - 'a' + 10;
    if ('A' <= byte && byte <= 'Z')
        return byte - 'A' + 10;
    return 36;
}

// What stands behind the percent sign.
static const char *read_conversion(const char *format, struct conversion *conversion)
{
    conversion->is_stored = *format != '*';
    if (*format == '*')
        format++;
    conversion->width = 0;
    while ('0' <= *format && *format <= '9')
        conversion->width = 10 * conversion->width + (size_t)(*format++ - '0');
    conversion->length = 0;
    for (;; format++) {
        if (*format == 'h')
            conversion->length--;
        else if (*format == 'l' || *format == 'z' || *format == 't' || *format == 'L')
            conversion->length++;
        else if (*format == 'j' || *format == 'q')
            conversion->length += 2;
        else
            break;
    }
    conversion->letter = *format;
    return *format == '\0' ? format : format + 1;
}

static void store(struct arguments *arguments, int length, number value)
{
    switch (length) {
    case -2:
        *__builtin_va_arg(arguments->list, signed char *) = (signed char)value;
        break;
    case -1:
        *__builtin_va_arg(arguments->list, short *) = (short)value;
        break;
    case 0:
        *__builtin_va_arg(arguments->list, int *) = (int)value;
        break;
    case 1:
        *__builtin_va_arg(arguments->list, long *) = (long)value;
        break;
    default:
        *__builtin_va_arg(arguments->list, long long *) = (long long)value;
    }
}

// The text behind the number, or null where there is none.
static const char *scan_integer(const char *text, struct conversion conversion,
                                struct arguments *arguments)
{
    size_t left = conversion.width == 0 ? (size_t)-1 : conversion.width;
    int base = conversion.letter == 'o' ? 8 : conversion.letter == 'x' || conversion.letter == 'X' ? 16
             : conversion.letter == 'i' ? 0 : 10;
    _Bool is_negative = *text == '-';
    if (*text == '-' || *text == '+') {
        text++;
        left--;
    }
    if ((base == 0 || base == 16) && left > 0 && *text == '0') {
        if (left > 1 && (text[1] == 'x' || text[1] == 'X')) {
            if (left < 3 || digit_of(text[2]) >= 16)
                __heapwright_unmodelled("`sscanf` of `0x` without digits");
            text += 2;
            left -= 2;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    if (left == 0 || digit_of(*text) >= base)
        return (const char *)0;
    number value = 0;
    while (left > 0 && digit_of(*text) < base) {
        if (value > (~0ull >> 1) / (number)base - 1)
            __heapwright_unmodelled("`sscanf` of a number beyond 63 bits");
        value = value * (number)base + (number)digit_of(*text++);
        left--;
    }
    if (conversion.is_stored)
        store(arguments, conversion.length, is_negative ? 0 - value : value);
    return text;
}

static const char *scan_word(const char *text, struct conversion conversion,
                             struct arguments *arguments)
{
    size_t limit = conversion.width == 0 ? (size_t)-1 : conversion.width;
    char *target = conversion.is_stored ? __builtin_va_arg(arguments->list, char *) : (char *)0;
    size_t length = 0;
    while (length < limit && *text != '\0' && !is_blank(*text)) {
        if (conversion.is_stored)
            target[length] = *text;
        length++;
        text++;
    }
    if (conversion.is_stored)
        target[length] = '\0';
    return text;
}

static const char *scan_characters(const char *text, struct conversion conversion,
                                   struct arguments *arguments)
{
    size_t count = conversion.width == 0 ? 1 : conversion.width;
    char *target = conversion.is_stored ? __builtin_va_arg(arguments->list, char *) : (char *)0;
    for (size_t index = 0; index < count; index++) {
        if (*text == '\0')
            return (const char *)0;
        if (conversion.is_stored)
            target[index] = *text;
        text++;
    }
    return text;
}

static _Bool is_in(char character, const char *set, const char *end)
{
    for (; set < end; set++) {
        if (set + 2 < end && set[1] == '-') {
            if ((unsigned char)set[0] <= (unsigned char)character
                && (unsigned char)character <= (unsigned char)set[2])
                return 1;
            set += 2;
        } else if (*set == character) {
            return 1;
        }
    }
    return 0;
}

static const char *scan_set(const char *text, const char **format, struct conversion conversion,
                            struct arguments *arguments)
{
    const char *set = *format;
    _Bool is_negated = *set == '^';
    if (is_negated)
        set++;
    const char *end = *set == '\0' ? set : set + 1;
    while (*end != ']' && *end != '\0')
        end++;
    *format = *end == '\0' ? end : end + 1;
    size_t limit = conversion.width == 0 ? (size_t)-1 : conversion.width;
    if (*text == '\0' || is_in(*text, set, end) == is_negated)
        return (const char *)0;
    char *target = conversion.is_stored ? __builtin_va_arg(arguments->list, char *) : (char *)0;
    size_t length = 0;
    while (length < limit && *text != '\0' && is_in(*text, set, end) != is_negated) {
        if (conversion.is_stored)
            target[length] = *text;
        length++;
        text++;
    }
    if (conversion.is_stored)
        target[length] = '\0';
    return text;
}

static int scan(const char *text, const char *format, struct arguments *arguments)
{
    const char *start = text;
    int stored = 0;
    while (*format != '\0') {
        if (is_blank(*format)) {
            format++;
            text = behind_blanks(text);
            continue;
        }
        if (*format != '%' || format[1] == '%') {
            if (*format == '%') {
                format++;
                text = behind_blanks(text);
            }
            if (*text != *format)
                return *text == '\0' && stored == 0 ? -1 : stored;
            text++;
            format++;
            continue;
        }
        struct conversion conversion;
        format = read_conversion(format + 1, &conversion);
        if (conversion.letter == 'n') {
            if (conversion.is_stored)
                store(arguments, conversion.length, (number)(text - start));
            continue;
        }
        if (conversion.letter != 'c' && conversion.letter != '[')
            text = behind_blanks(text);
        if (*text == '\0')
            return stored == 0 ? -1 : stored;
        const char *behind = (const char *)0;
        switch (conversion.letter) {
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            behind = scan_integer(text, conversion, arguments);
            break;
        case 's':
            behind = scan_word(text, conversion, arguments);
            break;
        case 'c':
            behind = scan_characters(text, conversion, arguments);
            break;
        case '[':
            behind = scan_set(text, &format, conversion, arguments);
            break;
        default:
            __heapwright_unmodelled("this conversion of `sscanf`");
        }
        if (behind == (const char *)0)
            return stored;
        text = behind;
        stored += conversion.is_stored;
    }
    return stored;
}

int vsscanf(const char *restrict text, const char *restrict format, va_list list)
{
    struct arguments arguments;
    __builtin_va_copy(arguments.list, list);
    return scan(text, format, &arguments);
}

int __isoc99_vsscanf(const char *restrict text, const char *restrict format, va_list list)
{
    return vsscanf(text, format, list);
}

int __isoc23_vsscanf(const char *restrict text, const char *restrict format, va_list list)
{
    return vsscanf(text, format, list);
}

int sscanf(const char *restrict text, const char *restrict format, ...)
{
    struct arguments arguments;
    __builtin_va_start(arguments.list, format);
    return scan(text, format, &arguments);
}

int __isoc99_sscanf(const char *restrict text, const char *restrict format, ...)
{
    struct arguments arguments;
    __builtin_va_start(arguments.list, format);
    return scan(text, format, &arguments);
}

int __isoc23_sscanf(const char *restrict text, const char *restrict format, ...)
{
    struct arguments arguments;
    __builtin_va_start(arguments.list, format);
    return scan(text, format, &arguments);
}
