// defines: __heapwright_scanned __heapwright_scan_word __heapwright_scan_characters __heapwright_scan_set
// contract: `scanf` gives -1 or the number of conversions that succeed, any; each stores any value of its type, and `%s` a word of any length up to its width.

typedef __SIZE_TYPE__ size_t;

extern int __heapwright_input_scanned(void);
extern unsigned char __heapwright_input_character(void);

int __heapwright_scanned(int most)
{
    int count = __heapwright_input_scanned();
    return count < -1 || count > most ? most : count;
}

static _Bool is_blank(unsigned char byte)
{
    return byte == ' ' || ('\t' <= byte && byte <= '\r');
}

// At least one character, then as many as the input likes.
void __heapwright_scan_word(char *target, size_t width)
{
    size_t length = 0;
    while (length < width) {
        unsigned char character = __heapwright_input_character();
        if (is_blank(character)) {
            if (length > 0)
                break;
            character = 'a';
        }
        target[length++] = (char)character;
    }
    target[length] = '\0';
}

// Exactly so many, and no terminator.
void __heapwright_scan_characters(char *target, size_t count)
{
    for (size_t index = 0; index < count; index++)
        target[index] = (char)__heapwright_input_character();
}

static _Bool is_in(unsigned char character, const unsigned char *set, size_t size)
{
    for (size_t index = 0; index < size; index++) {
        if (index + 2 < size && set[index + 1] == '-') {
            if (set[index] <= character && character <= set[index + 2])
                return 1;
            index += 2;
        } else if (set[index] == character) {
            return 1;
        }
    }
    return 0;
}

void __heapwright_scan_set(char *target, size_t width, const char *text, size_t size)
{
    const unsigned char *set = (const unsigned char *)text;
    _Bool is_negated = size > 0 && set[0] == '^';
    if (is_negated) {
        set++;
        size--;
    }
    size_t length = 0;
    while (length < width) {
        unsigned char character = __heapwright_input_character();
        if (is_in(character, set, size) == is_negated) {
            if (length > 0)
                break;
            // The first one matches, or the conversion would have failed.
            for (character = 1; is_in(character, set, size) == is_negated; character++)
                ;
        }
        target[length++] = (char)character;
    }
    target[length] = '\0';
}
