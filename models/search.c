// defines: bsearch lfind lsearch
// Searching arrays with the program's own order, halving a sorted one or from the start.

typedef __SIZE_TYPE__ size_t;
typedef int order(const void *key, const void *element);

extern void *__heapwright_copy(void *to, const void *from, size_t size);

void *bsearch(const void *key, const void *array, size_t count, size_t size, order *compare)
{
    const char *elements = array;
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = elements + middle * size;
        int result = compare(key, element);
        if (result == 0)
            return (void *)element;
        if (result < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (void *)0;
}

static char *find(const void *key, const void *array, size_t count, size_t size, order *compare)
{
    const char *elements = array;
    for (size_t at = 0; at < count; at++) {
        if (compare(key, elements + at * size) == 0)
            return (char *)(elements + at * size);
    }
    return (char *)0;
}

void *lfind(const void *key, const void *array, size_t *count, size_t size, order *compare)
{
    return find(key, array, *count, size, compare);
}

// Appends the key, for which the caller keeps room, if it is not there.
void *lsearch(const void *key, void *array, size_t *count, size_t size, order *compare)
{
    char *found = find(key, array, *count, size, compare);
    if (found != (char *)0)
        return found;
    char *end = (char *)array + *count * size;
    __heapwright_copy(end, key, size);
    *count = *count + 1;
    return end;
}
