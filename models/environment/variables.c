// defines: getenv secure_getenv setenv putenv unsetenv __heapwright_text
// contract: a variable is not set, or is any text shorter than 128 KiB; a name has the same value whenever it is asked for. What the program sets itself is not read back.

typedef __SIZE_TYPE__ size_t;

extern void *__heapwright_permanent(size_t size);
extern void __heapwright_unmodelled(const char *text);
extern _Bool __heapwright_input_getenv(void);
extern size_t __heapwright_input_length(void);

enum { LONGEST = 131071, KNOWN = 4, NAME = 64, KEPT = 8 };

// Any text: a block whose last byte is zero.
char *__heapwright_text(void)
{
    size_t length = __heapwright_input_length();
    if (length > LONGEST)
        length = LONGEST;
    char *text = __heapwright_permanent(length + 1);
    text[length] = '\0';
    return text;
}

static int count;
static char names[KNOWN][NAME];
static char *values[KNOWN];
static _Bool is_changed;

static _Bool is_same(const char *left, const char *right)
{
    while (*left != '\0' && *left == *right) {
        left++;
        right++;
    }
    return *left == *right;
}

static void read_string(const char *string)
{
    while (*string != '\0')
        string++;
}

static void remember(const char *name)
{
    int length = 0;
    while (name[length] != '\0' && length < NAME - 1) {
        names[count][length] = name[length];
        length++;
    }
    if (length == NAME - 1)
        __heapwright_unmodelled("a variable of the environment with a long name");
    names[count][length] = '\0';
}

char *getenv(const char *name)
{
    if (is_changed)
        __heapwright_unmodelled("`getenv` after the program has changed its environment");
    for (int index = 0; index < count; index++)
        if (is_same(names[index], name))
            return values[index];
    if (count == KNOWN)
        __heapwright_unmodelled("more than four variables of the environment");
    remember(name);
    values[count] = __heapwright_input_getenv() ? __heapwright_text() : (char *)0;
    return values[count++];
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

int setenv(const char *name, const char *value, int overwrite)
{
    (void)overwrite;
    read_string(name);
    read_string(value);
    is_changed = 1;
    return __heapwright_input_getenv() ? 0 : -1;
}

int unsetenv(const char *name)
{
    read_string(name);
    is_changed = 1;
    return 0;
}

// What is put stays a part of the environment, and is not lost.
static char *kept[KEPT];
static int kept_count;

int putenv(char *setting)
{
    read_string(setting);
    if (kept_count == KEPT)
        __heapwright_unmodelled("more than eight calls of `putenv`");
    kept[kept_count++] = setting;
    is_changed = 1;
    return __heapwright_input_getenv() ? 0 : -1;
}
