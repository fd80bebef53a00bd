// defines: wcslen wcsnlen wcscpy wcsncpy wcscat wcscmp wcsncmp wcschr wmemcpy wmemmove wmemset wmemcmp
// Strings and blocks of wide characters.

typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;

extern void __heapwright_disjoint(const void *left, const void *right, size_t size);
extern void *__heapwright_copy(void *to, const void *from, size_t size);

static int order(wchar_t left, wchar_t right)
{
    if (left < right)
        return -1;
    return left > right ? 1 : 0;
}

static void copy(wchar_t *to, const wchar_t *from)
{
    size_t at = 0;
    while (from[at] != 0) {
        to[at] = from[at];
        at++;
    }
    to[at] = 0;
    __heapwright_disjoint(to, from, (at + 1) * sizeof *to);
}

size_t wcslen(const wchar_t *string)
{
    size_t length = 0;
    while (string[length] != 0)
        length++;
    return length;
}

size_t wcsnlen(const wchar_t *string, size_t limit)
{
    size_t length = 0;
    while (length < limit && string[length] != 0)
        length++;
    return length;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    copy(to, from);
    return to;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size)
{
    size_t length = 0;
    while (length < size && from[length] != 0) {
        to[length] = from[length];
        length++;
    }
    for (size_t at = length; at < size; at++)
        to[at] = 0;
    return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    size_t end = 0;
    while (to[end] != 0)
        end++;
    copy(to + end, from);
    return to;
}

int wcscmp(const wchar_t *left, const wchar_t *right)
{
    size_t at = 0;
    while (left[at] != 0 && left[at] == right[at])
        at++;
    return order(left[at], right[at]);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t limit)
{
    for (size_t at = 0; at < limit; at++) {
        if (left[at] != right[at])
            return order(left[at], right[at]);
        if (left[at] == 0)
            return 0;
    }
    return 0;
}

wchar_t *wcschr(const wchar_t *string, wchar_t wanted)
{
    size_t at = 0;
    while (string[at] != wanted) {
        if (string[at] == 0)
            return (wchar_t *)0;
        at++;
    }
    return (wchar_t *)(string + at);
}

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    __heapwright_disjoint(to, from, count * sizeof(wchar_t));
    return __heapwright_copy(to, from, count * sizeof(wchar_t));
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count)
{
    return __heapwright_copy(to, from, count * sizeof(wchar_t));
}

wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count)
{
    for (size_t at = 0; at < count; at++)
        to[at] = value;
    return to;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        if (left[at] != right[at])
            return order(left[at], right[at]);
    }
    return 0;
}
