// defines: strcpy stpcpy __stpcpy strncpy stpncpy strcat strncat strlcpy strlcat
// Copying and appending strings. What is read and what is written must not overlap; it is looked
// at afterwards, when the length is known: a copy that overwrites its own terminator runs out of
// its block before.

typedef __SIZE_TYPE__ size_t;

extern void __heapwright_disjoint(const void *left, const void *right, size_t size);

static size_t length_of(const char *string)
{
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    return length;
}

// Gives the address of the terminator that it wrote.
static char *copy(char *to, const char *from)
{
    size_t index = 0;
    while (from[index] != '\0') {
        to[index] = from[index];
        index++;
    }
    to[index] = '\0';
    __heapwright_disjoint(to, from, index + 1);
    return to + index;
}

// Writes `size` bytes: the string, cut off there, or padded with zeros. Gives the address of the
// first zero, or of the end.
static char *copy_padded(char *to, const char *from, size_t size)
{
    size_t length = 0;
    while (length < size && from[length] != '\0') {
        to[length] = from[length];
        length++;
    }
    __heapwright_disjoint(to, from, length < size ? length + 1 : length);
    for (size_t index = length; index < size; index++)
        to[index] = '\0';
    return to + length;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    copy(to, from);
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    return copy(to, from);
}

char *__stpcpy(char *restrict to, const char *restrict from)
{
    return copy(to, from);
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    copy_padded(to, from, size);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t size)
{
    return copy_padded(to, from, size);
}

char *strcat(char *restrict to, const char *restrict from)
{
    copy(to + length_of(to), from);
    return to;
}

// Appends at most `limit` bytes, and a terminator after them.
char *strncat(char *restrict to, const char *restrict from, size_t limit)
{
    char *end = to + length_of(to);
    size_t index = 0;
    while (index < limit && from[index] != '\0') {
        end[index] = from[index];
        index++;
    }
    end[index] = '\0';
    __heapwright_disjoint(end, from, index);
    return to;
}

// Gives the length that the copy would have had in a buffer without end.
size_t strlcpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t index = 0;
    if (size > 0) {
        while (index < size - 1 && from[index] != '\0') {
            to[index] = from[index];
            index++;
        }
        to[index] = '\0';
    }
    return index + length_of(from + index);
}

// Gives the length that the result would have had; a buffer without terminator stays as it is.
size_t strlcat(char *restrict to, const char *restrict from, size_t size)
{
    size_t start = 0;
    while (start < size && to[start] != '\0')
        start++;
    if (start == size)
        return size + length_of(from);
    size_t index = 0;
    while (start + index < size - 1 && from[index] != '\0') {
        to[start + index] = from[index];
        index++;
    }
    to[start + index] = '\0';
    return start + index + length_of(from + index);
}
