// defines: strcoll strxfrm
// Collation in the C locale: the order of strcmp, hence strings are their own transformation.

typedef __SIZE_TYPE__ size_t;

int strcoll(const char *left, const char *right)
{
    size_t at = 0;
    while (left[at] != '\0' && left[at] == right[at])
        at++;
    return (unsigned char)left[at] - (unsigned char)right[at];
}

// Writes at most `size` bytes, the terminator among them if it fits; gives the whole length.
size_t strxfrm(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = 0;
    while (from[length] != '\0') {
        if (length < size)
            to[length] = from[length];
        length++;
    }
    if (length < size)
        to[length] = '\0';
    return length;
}
