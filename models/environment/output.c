// defines: puts fputs putchar putchar_unlocked putc fputc _IO_putc putc_unlocked fwrite perror __heapwright_printed __heapwright_printed_so_far __heapwright_read_string __heapwright_read_wide_string fputws putwchar fputwc __heapwright_quiet_puts __heapwright_quiet_fputs __heapwright_quiet_putchar __heapwright_quiet_fputc __heapwright_quiet_putc __heapwright_quiet_fwrite
// contract: what is printed is read, up to its terminator; printing may fail, and then gives a negative number.

typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
struct stream;

extern void __heapwright_use_stream(struct stream *stream);
extern void __heapwright_misuse(const char *text);
extern int __heapwright_input_printf(void);
extern size_t __heapwright_input_fwrite(void);

// How many bytes were printed, or -1.
int __heapwright_printed(void)
{
    int count = __heapwright_input_printf();
    // Without a branch: whether printing fails changes nothing but the result.
    return count | -(int)(count < 0);
}

int __heapwright_printed_so_far(void)
{
    int count = __heapwright_input_printf();
    return count & -(int)(count >= 0);
}

// Reads a string to its end, or `limit` bytes of it if that is not negative.
void __heapwright_read_string(const char *string, int limit)
{
    if (limit < 0) {
        while (*string != '\0')
            string++;
        return;
    }
    for (int index = 0; index < limit && string[index] != '\0'; index++)
        ;
}

void __heapwright_read_wide_string(const wchar_t *string, int limit)
{
    if (limit < 0) {
        while (*string != 0)
            string++;
        return;
    }
    for (int index = 0; index < limit && string[index] != 0; index++)
        ;
}

// Calls whose result nobody looks at: nothing depends on whether they succeed.

void __heapwright_quiet_puts(const char *string)
{
    __heapwright_read_string(string, -1);
}

void __heapwright_quiet_fputs(const char *restrict string, struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    __heapwright_read_string(string, -1);
}

void __heapwright_quiet_putchar(int character)
{
    (void)character;
}

void __heapwright_quiet_fputc(int character, struct stream *stream)
{
    (void)character;
    __heapwright_use_stream(stream);
}

void __heapwright_quiet_putc(int character, struct stream *stream)
{
    (void)character;
    __heapwright_use_stream(stream);
}

void __heapwright_quiet_fwrite(const void *restrict source, size_t size, size_t count,
                               struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    if (size == 0 || count == 0)
        return;
    if (size > (size_t)-1 / count)
        __heapwright_misuse("`fwrite` of more bytes than there can be");
    const unsigned char *bytes = source;
    unsigned char sum = 0;
    for (size_t byte = 0; byte < size * count; byte++)
        sum ^= bytes[byte];
    (void)sum;
}

int puts(const char *string)
{
    __heapwright_read_string(string, -1);
    return __heapwright_printed();
}

int fputs(const char *restrict string, struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    __heapwright_read_string(string, -1);
    return __heapwright_printed();
}

static int printed(int character)
{
    return __heapwright_input_printf() < 0 ? -1 : (int)(unsigned char)character;
}

int putchar(int character)
{
    return printed(character);
}

int putchar_unlocked(int character)
{
    return printed(character);
}

int fputc(int character, struct stream *stream)
{
    __heapwright_use_stream(stream);
    return printed(character);
}

int putc(int character, struct stream *stream)
{
    return fputc(character, stream);
}

int _IO_putc(int character, struct stream *stream)
{
    return fputc(character, stream);
}

int putc_unlocked(int character, struct stream *stream)
{
    return fputc(character, stream);
}

size_t fwrite(const void *restrict source, size_t size, size_t count, struct stream *restrict stream)
{
    __heapwright_quiet_fwrite(source, size, count, stream);
    if (size == 0 || count == 0)
        return 0;
    size_t written = __heapwright_input_fwrite();
    return written > count ? count : written;
}

void perror(const char *prefix)
{
    if (prefix != (const char *)0)
        __heapwright_read_string(prefix, -1);
}

int fputws(const wchar_t *restrict string, struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    __heapwright_read_wide_string(string, -1);
    return __heapwright_printed();
}

wchar_t putwchar(wchar_t character)
{
    return __heapwright_input_printf() < 0 ? (wchar_t)-1 : character;
}

wchar_t fputwc(wchar_t character, struct stream *stream)
{
    __heapwright_use_stream(stream);
    return putwchar(character);
}
