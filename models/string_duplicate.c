// defines: strdup strndup __strdup __strndup
// Copies of strings on the heap, as long as they need to be.

typedef __SIZE_TYPE__ size_t;

extern void *__heapwright_malloc(size_t size);

static char *duplicate(const char *string, size_t length)
{
    char *copy = __heapwright_malloc(length + 1);
    if (copy == (char *)0)
        return (char *)0;
    for (size_t index = 0; index < length; index++)
        copy[index] = string[index];
    copy[length] = '\0';
    return copy;
}

static char *duplicate_all(const char *string)
{
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    return duplicate(string, length);
}

static char *duplicate_start(const char *string, size_t limit)
{
    size_t length = 0;
    while (length < limit && string[length] != '\0')
        length++;
    return duplicate(string, length);
}

char *strdup(const char *string)
{
    return duplicate_all(string);
}

char *strndup(const char *string, size_t limit)
{
    return duplicate_start(string, limit);
}

char *__strdup(const char *string)
{
    return duplicate_all(string);
}

char *__strndup(const char *string, size_t limit)
{
    return duplicate_start(string, limit);
}
