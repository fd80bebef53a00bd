// defines: memrchr rawmemchr memmem
// GNU's searches in blocks.

typedef __SIZE_TYPE__ size_t;

void *memrchr(const void *block, int byte, size_t size)
{
    const unsigned char *bytes = block;
    unsigned char wanted = (unsigned char)byte;
    for (size_t index = size; index > 0; index--) {
        if (bytes[index - 1] == wanted)
            return (void *)(bytes + (index - 1));
    }
    return (void *)0;
}

// The byte is there, says the caller: no size bounds the search.
void *rawmemchr(const void *block, int byte)
{
    const unsigned char *bytes = block;
    unsigned char wanted = (unsigned char)byte;
    size_t index = 0;
    while (bytes[index] != wanted)
        index++;
    return (void *)(bytes + index);
}

static _Bool equal(const unsigned char *left, const unsigned char *right, size_t size)
{
    for (size_t index = 0; index < size; index++) {
        if (left[index] != right[index])
            return 0;
    }
    return 1;
}

void *memmem(const void *block, size_t size, const void *wanted, size_t wanted_size)
{
    const unsigned char *bytes = block;
    if (wanted_size > size)
        return (void *)0;
    for (size_t start = 0; start <= size - wanted_size; start++) {
        if (equal(bytes + start, wanted, wanted_size))
            return (void *)(bytes + start);
    }
    return (void *)0;
}
