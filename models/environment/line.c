// defines: fgets __fgets_chk fgetws getline getdelim __getdelim
// contract: a line of any length, cut at the size of the buffer, or nothing at the end of the input; then the buffer is as it was. `getline` may move its buffer, also when it gives nothing.

typedef __SIZE_TYPE__ size_t;
typedef __WCHAR_TYPE__ wchar_t;
struct stream;

extern void __heapwright_use_stream(struct stream *stream);
extern int __heapwright_character(void);
extern int __heapwright_input_fgetws(void);
extern void *malloc(size_t size);
extern void *realloc(void *block, size_t size);

char *fgets(char *restrict target, int size, struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    if (size <= 0)
        return (char *)0;
    int length = 0;
    int character = 0;
    while (length < size - 1 && character != '\n') {
        character = __heapwright_character();
        if (character == -1)
            break;
        target[length++] = (char)character;
    }
    if (character == -1 && length == 0)
        return (char *)0;
    target[length] = '\0';
    return target;
}

char *__fgets_chk(char *target, size_t capacity, int size, struct stream *stream)
{
    if (size > 0 && (size_t)size > capacity)
        __builtin_trap();
    return fgets(target, size, stream);
}

wchar_t *fgetws(wchar_t *restrict target, int size, struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    if (size <= 0)
        return (wchar_t *)0;
    int length = 0;
    int character = 0;
    while (length < size - 1 && character != '\n') {
        character = __heapwright_input_fgetws();
        if (character < 0)
            break;
        target[length++] = (wchar_t)character;
    }
    if (character < 0 && length == 0)
        return (wchar_t *)0;
    target[length] = 0;
    return target;
}

// glibc begins with room for 120 bytes.
enum { FIRST_ROOM = 120 };

static int make_room(char **line, size_t *room, size_t wanted)
{
    if (*line != (char *)0 && *room >= wanted)
        return 1;
    size_t size = *room < FIRST_ROOM ? FIRST_ROOM : *room;
    while (size < wanted)
        size *= 2;
    char *block = *line == (char *)0 ? malloc(size) : realloc(*line, size);
    if (block == (char *)0)
        return 0;
    *line = block;
    *room = size;
    return 1;
}

long getdelim(char **restrict line, size_t *restrict room, int end, struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    if (!make_room(line, room, 1))
        return -1;
    size_t length = 0;
    int character = end + 1;
    while (character != end) {
        character = __heapwright_character();
        if (character == -1)
            break;
        if (!make_room(line, room, length + 2))
            return -1;
        (*line)[length++] = (char)character;
    }
    if (length == 0)
        return -1;
    (*line)[length] = '\0';
    return (long)length;
}

long __getdelim(char **restrict line, size_t *restrict room, int end, struct stream *restrict stream)
{
    return getdelim(line, room, end, stream);
}

long getline(char **restrict line, size_t *restrict room, struct stream *restrict stream)
{
    return getdelim(line, room, '\n', stream);
}
