// defines: mempcpy __mempcpy bcopy bzero explicit_bzero memccpy swab
// The copying and clearing functions beside memcpy, memmove and memset.

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;

extern void *__heapwright_copy(void *to, const void *from, size_t size);
extern void __heapwright_disjoint(const void *left, const void *right, size_t size);
extern void *__heapwright_fill(void *to, int byte, size_t size);

void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    __heapwright_disjoint(to, from, size);
    __heapwright_copy(to, from, size);
    return (char *)to + size;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    __heapwright_disjoint(to, from, size);
    __heapwright_copy(to, from, size);
    return (char *)to + size;
}

void bcopy(const void *from, void *to, size_t size)
{
    __heapwright_copy(to, from, size);
}

void bzero(void *block, size_t size)
{
    __heapwright_fill(block, 0, size);
}

void explicit_bzero(void *block, size_t size)
{
    __heapwright_fill(block, 0, size);
}

// Copies up to and including the first `last` byte; gives the address after it, or null.
void *memccpy(void *restrict to, const void *restrict from, int last, size_t size)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    for (size_t index = 0; index < size; index++) {
        target[index] = source[index];
        if (source[index] == (unsigned char)last)
            return target + (index + 1);
    }
    return (void *)0;
}

// Copies with each two neighbouring bytes exchanged; an odd last byte is left out.
void swab(const void *restrict from, void *restrict to, ssize_t size)
{
    const unsigned char *source = from;
    unsigned char *target = to;
    for (ssize_t index = 0; index < size - 1; index += 2) {
        unsigned char first = source[index];
        unsigned char second = source[index + 1];
        target[index] = second;
        target[index + 1] = first;
    }
}
