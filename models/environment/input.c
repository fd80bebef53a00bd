// defines: getchar getchar_unlocked getc fgetc _IO_getc getc_unlocked ungetc fread gets __heapwright_character
// contract: any character or the end, each time; `fread` gives any number of items up to the wanted one, of any bytes.

typedef __SIZE_TYPE__ size_t;
struct stream;

extern void __heapwright_use_stream(struct stream *stream);
extern int __heapwright_input_getchar(void);
extern unsigned char __heapwright_input_fread(void);
extern size_t __heapwright_input_items(void);

// A character, or -1 at the end or after an error.
int __heapwright_character(void)
{
    int character = __heapwright_input_getchar();
    return character < 0 || character > 255 ? -1 : character;
}

int getchar(void)
{
    return __heapwright_character();
}

int getchar_unlocked(void)
{
    return __heapwright_character();
}

int fgetc(struct stream *stream)
{
    __heapwright_use_stream(stream);
    return __heapwright_character();
}

int getc(struct stream *stream)
{
    return fgetc(stream);
}

int _IO_getc(struct stream *stream)
{
    return fgetc(stream);
}

int getc_unlocked(struct stream *stream)
{
    return fgetc(stream);
}

int ungetc(int character, struct stream *stream)
{
    __heapwright_use_stream(stream);
    return character == -1 ? -1 : (int)(unsigned char)character;
}

size_t fread(void *restrict target, size_t size, size_t count, struct stream *restrict stream)
{
    __heapwright_use_stream(stream);
    if (size == 0 || count == 0)
        return 0;
    size_t items = __heapwright_input_items();
    if (items > count)
        items = count;
    unsigned char *bytes = target;
    for (size_t item = 0; item < items; item++)
        for (size_t byte = 0; byte < size; byte++)
            *bytes++ = __heapwright_input_fread();
    return items;
}

// However long the line is, it is stored.
char *gets(char *target)
{
    size_t length = 0;
    int character = __heapwright_character();
    if (character == -1)
        return (char *)0;
    while (character != -1 && character != '\n') {
        target[length++] = (char)character;
        character = __heapwright_character();
    }
    target[length] = '\0';
    return target;
}
