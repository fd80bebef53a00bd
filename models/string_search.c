// defines: strchr strrchr strchrnul index rindex strstr strpbrk strspn strcspn
// Searching in strings. The terminator counts as a byte of the string where C says so.

typedef __SIZE_TYPE__ size_t;

// The first `wanted` byte, or the terminator.
static const char *first_or_end(const char *string, char wanted)
{
    size_t at = 0;
    while (string[at] != wanted && string[at] != '\0')
        at++;
    return string + at;
}

static char *first(const char *string, char wanted)
{
    const char *found = first_or_end(string, wanted);
    return *found == wanted ? (char *)found : (char *)0;
}

static char *last(const char *string, char wanted)
{
    const char *found = (const char *)0;
    size_t at = 0;
    while (string[at] != '\0') {
        if (string[at] == wanted)
            found = string + at;
        at++;
    }
    if (wanted == '\0')
        found = string + at;
    return (char *)found;
}

// Whether a byte that is no terminator is among those of `set`.
static _Bool contains(const char *set, char byte)
{
    for (size_t at = 0; set[at] != '\0'; at++) {
        if (set[at] == byte)
            return 1;
    }
    return 0;
}

static size_t length_outside(const char *string, const char *set)
{
    size_t length = 0;
    while (string[length] != '\0' && !contains(set, string[length]))
        length++;
    return length;
}

static _Bool starts_with(const char *string, const char *prefix)
{
    for (size_t at = 0; prefix[at] != '\0'; at++) {
        // Also ends at the terminator of `string`, which differs from the prefix.
        if (string[at] != prefix[at])
            return 0;
    }
    return 1;
}

char *strchr(const char *string, int byte)
{
    return first(string, (char)byte);
}

char *strrchr(const char *string, int byte)
{
    return last(string, (char)byte);
}

char *strchrnul(const char *string, int byte)
{
    return (char *)first_or_end(string, (char)byte);
}

char *index(const char *string, int byte)
{
    return first(string, (char)byte);
}

char *rindex(const char *string, int byte)
{
    return last(string, (char)byte);
}

char *strstr(const char *string, const char *wanted)
{
    size_t at = 0;
    while (!starts_with(string + at, wanted)) {
        if (string[at] == '\0')
            return (char *)0;
        at++;
    }
    return (char *)(string + at);
}

char *strpbrk(const char *string, const char *set)
{
    size_t length = length_outside(string, set);
    return string[length] != '\0' ? (char *)(string + length) : (char *)0;
}

size_t strspn(const char *string, const char *set)
{
    size_t length = 0;
    while (string[length] != '\0' && contains(set, string[length]))
        length++;
    return length;
}

size_t strcspn(const char *string, const char *set)
{
    return length_outside(string, set);
}
