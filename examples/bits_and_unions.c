//@ truth: holds
//@ now: holds
//@ run: exit 0
// Bit-fields and unions: a tagged value, and the same bytes seen in two ways.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct flags {
    unsigned is_text : 1;
    unsigned length : 7;
    signed bias : 4;
};

struct value {
    struct flags flags;
    union {
        long number;
        char *text;
        unsigned char bytes[sizeof(long)];
    };
};

static void clear(struct value *value) {
    if (value->flags.is_text)
        free(value->text);
    memset(value, 0, sizeof *value);
}

int main(void) {
    struct value value = {.number = 258};
    value.flags.bias = -3;
    assert(value.flags.bias == -3);
    assert(value.bytes[0] == 2 && value.bytes[1] == 1);
    clear(&value);
    value.text = malloc(4);
    value.flags.is_text = 1;
    value.flags.length = 3;
    strcpy(value.text, "abc");
    assert(value.flags.length == strlen(value.text));
    clear(&value);
    assert(value.number == 0 && !value.flags.is_text);
    return 0;
}
