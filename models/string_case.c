// defines: strcasecmp strncasecmp strcasestr
// Strings without regard to case, in the C locale: the letters A to Z count as a to z.

typedef __SIZE_TYPE__ size_t;

static int lower(char byte)
{
    int character = (unsigned char)byte;
    return 'A' <= character && character <= 'Z' ? character - 'A' + 'a' : character;
}

int strcasecmp(const char *left, const char *right)
{
    size_t at = 0;
    while (left[at] != '\0' && lower(left[at]) == lower(right[at]))
        at++;
    return lower(left[at]) - lower(right[at]);
}

int strncasecmp(const char *left, const char *right, size_t limit)
{
    for (size_t at = 0; at < limit; at++) {
        int difference = lower(left[at]) - lower(right[at]);
        if (difference != 0 || left[at] == '\0')
            return difference;
    }
    return 0;
}

static _Bool starts_with(const char *string, const char *prefix)
{
    for (size_t at = 0; prefix[at] != '\0'; at++) {
        // Also ends at the terminator of `string`, which differs from the prefix.
        if (lower(string[at]) != lower(prefix[at]))
            return 0;
    }
    return 1;
}

char *strcasestr(const char *string, const char *wanted)
{
    size_t at = 0;
    while (!starts_with(string + at, wanted)) {
        if (string[at] == '\0')
            return (char *)0;
        at++;
    }
    return (char *)(string + at);
}
