// defines: getwchar fgetwc getwc iswalpha iswdigit iswalnum iswspace iswupper iswlower iswxdigit iswprint iswpunct towupper towlower wcsncat wcsrchr wcsstr wcsdup wmemchr
// contract: wide characters in the locale "C"; texts of other locales are not modelled.

typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;

extern void *malloc(size_t size);
extern int __heapwright_character(void);
struct stream;
extern void __heapwright_use_stream(struct stream *stream);

int getwchar(void)
{
    return __heapwright_character();
}

int fgetwc(struct stream *stream)
{
    __heapwright_use_stream(stream);
    return __heapwright_character();
}

int getwc(struct stream *stream)
{
    return fgetwc(stream);
}

int iswupper(unsigned int c)
{
    return 'A' <= c && c <= 'Z';
}

int iswlower(unsigned int c)
{
    return 'a' <= c && c <= 'z';
}

int iswalpha(unsigned int c)
{
    return iswupper(c) || iswlower(c);
}

int iswdigit(unsigned int c)
{
    return '0' <= c && c <= '9';
}

int iswalnum(unsigned int c)
{
    return iswalpha(c) || iswdigit(c);
}

int iswxdigit(unsigned int c)
{
    return iswdigit(c) || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F');
}

int iswspace(unsigned int c)
{
    return c == ' ' || ('\t' <= c && c <= '\r');
}

int iswprint(unsigned int c)
{
    return ' ' <= c && c <= '~';
}

int iswpunct(unsigned int c)
{
    return '!' <= c && c <= '~' && !iswalnum(c);
}

unsigned int towupper(unsigned int c)
{
    return iswlower(c) ? c - 'a' + 'A' : c;
}

unsigned int towlower(unsigned int c)
{
    return iswupper(c) ? c - 'A' + 'a' : c;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t limit)
{
    size_t start = 0;
    while (to[start] != 0)
        start++;
    size_t index = 0;
    while (index < limit && from[index] != 0) {
        to[start + index] = from[index];
        index++;
    }
    to[start + index] = 0;
    return to;
}

wchar_t *wcsrchr(const wchar_t *string, wchar_t wanted)
{
    const wchar_t *found = (const wchar_t *)0;
    for (;; string++) {
        if (*string == wanted)
            found = string;
        if (*string == 0)
            return (wchar_t *)found;
    }
}

wchar_t *wcsstr(const wchar_t *string, const wchar_t *part)
{
    for (;; string++) {
        size_t index = 0;
        while (part[index] != 0 && string[index] == part[index])
            index++;
        if (part[index] == 0)
            return (wchar_t *)string;
        if (*string == 0)
            return (wchar_t *)0;
    }
}

wchar_t *wcsdup(const wchar_t *string)
{
    size_t length = 0;
    while (string[length] != 0)
        length++;
    wchar_t *copy = malloc((length + 1) * sizeof(wchar_t));
    if (copy == (wchar_t *)0)
        return copy;
    for (size_t index = 0; index <= length; index++)
        copy[index] = string[index];
    return copy;
}

wchar_t *wmemchr(const wchar_t *block, wchar_t wanted, size_t count)
{
    for (size_t index = 0; index < count; index++)
        if (block[index] == wanted)
            return (wchar_t *)&block[index];
    return (wchar_t *)0;
}
