// defines: strlen strnlen strcmp strncmp
// Measuring and comparing strings. Nothing after the terminator or the deciding byte is read.

typedef __SIZE_TYPE__ size_t;

size_t strlen(const char *string)
{
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    return length;
}

size_t strnlen(const char *string, size_t limit)
{
    size_t length = 0;
    while (length < limit && string[length] != '\0')
        length++;
    return length;
}

int strcmp(const char *left, const char *right)
{
    size_t index = 0;
    while (left[index] != '\0' && left[index] == right[index])
        index++;
    return (unsigned char)left[index] - (unsigned char)right[index];
}

int strncmp(const char *left, const char *right, size_t limit)
{
    for (size_t index = 0; index < limit; index++) {
        if (left[index] != right[index])
            return (unsigned char)left[index] - (unsigned char)right[index];
        if (left[index] == '\0')
            return 0;
    }
    return 0;
}
