// defines: printf fprintf sprintf snprintf vprintf vfprintf vdprintf vsprintf vsnprintf vasprintf __vsnprintf_chk __vsprintf_chk __vfprintf_chk __vprintf_chk
// contract: as for formats that are literals; the format is taken apart when it is used.

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef unsigned long long number;
typedef __builtin_va_list va_list;
struct stream;

extern void __heapwright_use_stream(struct stream *stream);
extern void __heapwright_unmodelled(const char *text);
extern int __heapwright_printed(void);
extern void __heapwright_read_wide_string(const __WCHAR_TYPE__ *string, int limit);
extern size_t __heapwright_format_text(char *to, size_t limit, size_t at, const char *text, size_t length);
extern size_t __heapwright_format_string(char *to, size_t limit, size_t at, const char *string, int flags, int width, int precision);
extern size_t __heapwright_format_character(char *to, size_t limit, size_t at, int character, int flags, int width, int precision);
extern size_t __heapwright_format_integer(char *to, size_t limit, size_t at, number value, int letter, int flags, int width, int precision);
extern size_t __heapwright_format_real(char *to, size_t limit, size_t at, double value, int letter, int flags, int width, int precision);
extern int __heapwright_format_end(char *to, size_t limit, size_t at);
extern char *__heapwright_format_room(char **target, int length);

enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16 };

enum length { INT, CHAR, SHORT, LONG, LONG_LONG, SIZE, LONG_DOUBLE };

struct arguments {
    va_list list;
};

static int flag_of(char byte)
{
    switch (byte) {
    case '-':
        return LEFT;
    case '+':
        return PLUS;
    case ' ':
        return SPACE;
    case '#':
        return ALTERNATE;
    case '0':
        return ZERO;
    default:
        return 0;
    }
}

static int amount(const char **next, struct arguments *arguments)
{
    if (**next == '*') {
        (*next)++;
        return __builtin_va_arg(arguments->list, int);
    }
    int value = 0;
    while ('0' <= **next && **next <= '9') {
        value = value < 1000000 ? 10 * value + (**next - '0') : value;
        (*next)++;
    }
    return value;
}

static enum length length_modifier(const char **next)
{
    switch (**next) {
    case 'h':
        (*next)++;
        if (**next != 'h')
            return SHORT;
        (*next)++;
        return CHAR;
    case 'l':
        (*next)++;
        if (**next != 'l')
            return LONG;
        (*next)++;
        return LONG_LONG;
    case 'j':
    case 'q':
        (*next)++;
        return LONG_LONG;
    case 'z':
    case 't':
        (*next)++;
        return SIZE;
    case 'L':
        (*next)++;
        return LONG_DOUBLE;
    default:
        return INT;
    }
}

static number signed_argument(struct arguments *arguments, enum length length)
{
    switch (length) {
    case CHAR:
        return (number)(long long)(signed char)__builtin_va_arg(arguments->list, int);
    case SHORT:
        return (number)(long long)(short)__builtin_va_arg(arguments->list, int);
    case LONG:
        return (number)(long long)__builtin_va_arg(arguments->list, long);
    case SIZE:
        return (number)(long long)__builtin_va_arg(arguments->list, ptrdiff_t);
    case LONG_LONG:
    case LONG_DOUBLE:
        return (number)__builtin_va_arg(arguments->list, long long);
    default:
        return (number)(long long)__builtin_va_arg(arguments->list, int);
    }
}

static number unsigned_argument(struct arguments *arguments, enum length length)
{
    switch (length) {
    case CHAR:
        return (unsigned char)__builtin_va_arg(arguments->list, unsigned int);
    case SHORT:
        return (unsigned short)__builtin_va_arg(arguments->list, unsigned int);
    case LONG:
        return __builtin_va_arg(arguments->list, unsigned long);
    case SIZE:
        return __builtin_va_arg(arguments->list, size_t);
    case LONG_LONG:
    case LONG_DOUBLE:
        return __builtin_va_arg(arguments->list, unsigned long long);
    default:
        return __builtin_va_arg(arguments->list, unsigned int);
    }
}

static void store_count(struct arguments *arguments, enum length length, size_t count)
{
    switch (length) {
    case CHAR:
        *__builtin_va_arg(arguments->list, signed char *) = (signed char)count;
        break;
    case SHORT:
        *__builtin_va_arg(arguments->list, short *) = (short)count;
        break;
    case LONG:
    case SIZE:
        *__builtin_va_arg(arguments->list, long *) = (long)count;
        break;
    case LONG_LONG:
    case LONG_DOUBLE:
        *__builtin_va_arg(arguments->list, long long *) = (long long)count;
        break;
    default:
        *__builtin_va_arg(arguments->list, int *) = (int)count;
    }
}

// Writes to `to`, which has `limit` bytes; gives the length that the whole text has.
static size_t format_all(char *to, size_t limit, const char *format, struct arguments *arguments)
{
    size_t at = 0;
    const char *next = format;
    while (*next != '\0') {
        if (*next != '%' || next[1] == '%') {
            at = __heapwright_format_text(to, limit, at, next, 1);
            next += *next == '%' ? 2 : 1;
            continue;
        }
        next++;
        int flags = 0;
        while (flag_of(*next) != 0)
            flags |= flag_of(*next++);
        int width = amount(&next, arguments);
        int precision = -1;
        if (*next == '.') {
            next++;
            precision = amount(&next, arguments);
        }
        enum length length = length_modifier(&next);
        char letter = *next;
        if (letter != '\0')
            next++;
        switch (letter) {
        case 'd':
        case 'i':
            at = __heapwright_format_integer(to, limit, at, signed_argument(arguments, length), letter,
                                             flags, width, precision);
            break;
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            at = __heapwright_format_integer(to, limit, at, unsigned_argument(arguments, length), letter,
                                             flags, width, precision);
            break;
        case 'c':
            at = __heapwright_format_character(to, limit, at, __builtin_va_arg(arguments->list, int),
                                               flags, width, precision);
            break;
        case 's':
            if (length == LONG) {
                if (limit != 0)
                    __heapwright_unmodelled("the conversion `%ls` into memory");
                __heapwright_read_wide_string(
                    __builtin_va_arg(arguments->list, const __WCHAR_TYPE__ *), precision);
                break;
            }
            at = __heapwright_format_string(to, limit, at,
                                            __builtin_va_arg(arguments->list, const char *), flags,
                                            width, precision);
            break;
        case 'p':
            if (limit != 0)
                __heapwright_unmodelled("the conversion `%p` into memory");
            (void)__builtin_va_arg(arguments->list, void *);
            break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            if (length == LONG_DOUBLE) {
                if (limit != 0)
                    __heapwright_unmodelled("a `long double` printed into memory");
                (void)__builtin_va_arg(arguments->list, long double);
                break;
            }
            if (limit == 0) {
                (void)__builtin_va_arg(arguments->list, double);
                break;
            }
            at = __heapwright_format_real(to, limit, at, __builtin_va_arg(arguments->list, double),
                                          letter, flags, width, precision);
            break;
        case 'n':
            store_count(arguments, length, at);
            break;
        case 'm':
            break;
        default:
            __heapwright_unmodelled("a conversion that `printf` does not know");
        }
    }
    return at;
}

// What goes to a stream is read and forgotten.
static int print(const char *format, struct arguments *arguments)
{
    format_all((char *)0, 0, format, arguments);
    return __heapwright_printed();
}

int vprintf(const char *restrict format, va_list list)
{
    struct arguments arguments;
    __builtin_va_copy(arguments.list, list);
    return print(format, &arguments);
}

int __vprintf_chk(int flag, const char *restrict format, va_list list)
{
    (void)flag;
    return vprintf(format, list);
}

int vfprintf(struct stream *restrict stream, const char *restrict format, va_list list)
{
    __heapwright_use_stream(stream);
    return vprintf(format, list);
}

int __vfprintf_chk(struct stream *stream, int flag, const char *format, va_list list)
{
    (void)flag;
    return vfprintf(stream, format, list);
}

int vdprintf(int descriptor, const char *restrict format, va_list list)
{
    (void)descriptor;
    return vprintf(format, list);
}

int vsnprintf(char *restrict to, size_t limit, const char *restrict format, va_list list)
{
    struct arguments arguments;
    __builtin_va_copy(arguments.list, list);
    // Nothing may be left out of the length, so a buffer of no bytes is measured as one of one byte.
    char none[1];
    size_t length = limit == 0 ? format_all(none, 1, format, &arguments)
                               : format_all(to, limit, format, &arguments);
    return __heapwright_format_end(to, limit, length);
}

int __vsnprintf_chk(char *to, size_t limit, int flag, size_t capacity, const char *format,
                    va_list list)
{
    (void)flag;
    if (limit > capacity)
        __builtin_trap();
    return vsnprintf(to, limit, format, list);
}

int vsprintf(char *restrict to, const char *restrict format, va_list list)
{
    return vsnprintf(to, (size_t)-1, format, list);
}

int __vsprintf_chk(char *to, int flag, size_t capacity, const char *format, va_list list)
{
    (void)flag;
    (void)capacity;
    return vsprintf(to, format, list);
}

int vasprintf(char **restrict target, const char *restrict format, va_list list)
{
    int length = vsnprintf((char *)0, 0, format, list);
    return vsprintf(__heapwright_format_room(target, length), format, list);
}

int printf(const char *restrict format, ...)
{
    struct arguments arguments;
    __builtin_va_start(arguments.list, format);
    return print(format, &arguments);
}

int fprintf(struct stream *restrict stream, const char *restrict format, ...)
{
    struct arguments arguments;
    __builtin_va_start(arguments.list, format);
    __heapwright_use_stream(stream);
    return print(format, &arguments);
}

int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vsprintf(to, format, list);
}

int snprintf(char *restrict to, size_t limit, const char *restrict format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    return vsnprintf(to, limit, format, list);
}
