// defines: __mempcpy_chk __explicit_bzero_chk __strcpy_chk __stpcpy_chk __strncpy_chk __stpncpy_chk __strcat_chk __strncat_chk __strlcpy_chk __strlcat_chk
// What calls become under _FORTIFY_SOURCE: the function with the size of the target as last
// argument. As in glibc, the program is aborted where the target is too small, before anything
// beyond it is written. (`(size_t)-1` says that the size is unknown.)

typedef __SIZE_TYPE__ size_t;

extern void *__heapwright_copy(void *to, const void *from, size_t size);
extern void *__heapwright_fill(void *to, int byte, size_t size);

static void require(_Bool fits)
{
    if (!fits)
        __builtin_trap();
}

static size_t length_of(const char *string)
{
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    return length;
}

static size_t length_within(const char *string, size_t limit)
{
    size_t length = 0;
    while (length < limit && string[length] != '\0')
        length++;
    return length;
}

// Writes the first `length` bytes and a terminator; gives the address of the terminator.
static char *copy_terminated(char *to, const char *from, size_t length)
{
    for (size_t at = 0; at < length; at++)
        to[at] = from[at];
    to[length] = '\0';
    return to + length;
}

static char *copy_padded(char *to, const char *from, size_t size)
{
    size_t length = 0;
    while (length < size && from[length] != '\0') {
        to[length] = from[length];
        length++;
    }
    for (size_t at = length; at < size; at++)
        to[at] = '\0';
    return to + length;
}

static void append(char *to, const char *from, size_t length, size_t capacity)
{
    size_t start = length_within(to, capacity);
    require(start < capacity && length < capacity - start);
    copy_terminated(to + start, from, length);
}

void *__mempcpy_chk(void *to, const void *from, size_t size, size_t capacity)
{
    require(size <= capacity);
    __heapwright_copy(to, from, size);
    return (char *)to + size;
}

void __explicit_bzero_chk(void *block, size_t size, size_t capacity)
{
    require(size <= capacity);
    __heapwright_fill(block, 0, size);
}

char *__strcpy_chk(char *to, const char *from, size_t capacity)
{
    size_t length = length_of(from);
    require(length < capacity);
    copy_terminated(to, from, length);
    return to;
}

char *__stpcpy_chk(char *to, const char *from, size_t capacity)
{
    size_t length = length_of(from);
    require(length < capacity);
    return copy_terminated(to, from, length);
}

char *__strncpy_chk(char *to, const char *from, size_t size, size_t capacity)
{
    require(size <= capacity);
    copy_padded(to, from, size);
    return to;
}

char *__stpncpy_chk(char *to, const char *from, size_t size, size_t capacity)
{
    require(size <= capacity);
    return copy_padded(to, from, size);
}

char *__strcat_chk(char *to, const char *from, size_t capacity)
{
    append(to, from, length_of(from), capacity);
    return to;
}

char *__strncat_chk(char *to, const char *from, size_t limit, size_t capacity)
{
    append(to, from, length_within(from, limit), capacity);
    return to;
}

size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t capacity)
{
    require(size <= capacity);
    size_t length = length_of(from);
    if (size > 0)
        copy_terminated(to, from, length < size ? length : size - 1);
    return length;
}

size_t __strlcat_chk(char *to, const char *from, size_t size, size_t capacity)
{
    require(size <= capacity);
    size_t start = length_within(to, size);
    size_t length = length_of(from);
    if (start < size) {
        size_t room = size - start;
        copy_terminated(to + start, from, length < room ? length : room - 1);
    }
    return start + length;
}
