//@ truth: holds
//@ now: holds
//@ run: exit 0
// A string that grows: realloc moves it, and the old pointer is never used again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *text;
    size_t length, capacity;
};

static void append(struct buffer *buffer, const char *more) {
    size_t length = strlen(more);
    if (buffer->length + length + 1 > buffer->capacity) {
        buffer->capacity = 2 * (buffer->length + length + 1);
        buffer->text = realloc(buffer->text, buffer->capacity);
    }
    memcpy(buffer->text + buffer->length, more, length + 1);
    buffer->length += length;
}

int main(void) {
    struct buffer buffer = {NULL, 0, 0};
    append(&buffer, "list");
    append(&buffer, " of ");
    append(&buffer, "lists");
    puts(buffer.text);
    free(buffer.text);
    return 0;
}
