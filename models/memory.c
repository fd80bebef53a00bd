// defines: memcmp bcmp memchr
// Comparing and searching blocks, byte by byte: nothing after the deciding byte is read.

typedef __SIZE_TYPE__ size_t;

static int compare(const unsigned char *left, const unsigned char *right, size_t size)
{
    for (size_t index = 0; index < size; index++) {
        if (left[index] != right[index])
            return left[index] - right[index];
    }
    return 0;
}

int memcmp(const void *left, const void *right, size_t size)
{
    return compare(left, right, size);
}

int bcmp(const void *left, const void *right, size_t size)
{
    return compare(left, right, size);
}

void *memchr(const void *block, int byte, size_t size)
{
    const unsigned char *bytes = block;
    unsigned char wanted = (unsigned char)byte;
    for (size_t index = 0; index < size; index++) {
        if (bytes[index] == wanted)
            return (void *)(bytes + index);
    }
    return (void *)0;
}
