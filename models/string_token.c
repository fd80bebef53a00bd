// defines: strtok strtok_r __strtok_r strsep
// Cutting a string into tokens, in place.

typedef __SIZE_TYPE__ size_t;

static _Bool contains(const char *set, char byte)
{
    for (size_t at = 0; set[at] != '\0'; at++) {
        if (set[at] == byte)
            return 1;
    }
    return 0;
}

// The first byte of `string` that is in `set`, or the terminator.
static char *separator(char *string, const char *set)
{
    size_t at = 0;
    while (string[at] != '\0' && !contains(set, string[at]))
        at++;
    return string + at;
}

// `*rest` is where the next call goes on.
static char *next_token(char *string, const char *separators, char **rest)
{
    char *start = string != (char *)0 ? string : *rest;
    while (*start != '\0' && contains(separators, *start))
        start++;
    if (*start == '\0') {
        *rest = start;
        return (char *)0;
    }
    char *end = separator(start, separators);
    if (*end != '\0') {
        *end = '\0';
        end++;
    }
    *rest = end;
    return start;
}

static char *rest_of_strtok;

char *strtok(char *restrict string, const char *restrict separators)
{
    return next_token(string, separators, &rest_of_strtok);
}

char *strtok_r(char *restrict string, const char *restrict separators, char **restrict rest)
{
    return next_token(string, separators, rest);
}

char *__strtok_r(char *restrict string, const char *restrict separators, char **restrict rest)
{
    return next_token(string, separators, rest);
}

// Unlike strtok, gives empty tokens; `*string` becomes null after the last one.
char *strsep(char **restrict string, const char *restrict separators)
{
    char *start = *string;
    if (start == (char *)0)
        return (char *)0;
    char *end = separator(start, separators);
    if (*end != '\0') {
        *end = '\0';
        *string = end + 1;
    } else {
        *string = (char *)0;
    }
    return start;
}
