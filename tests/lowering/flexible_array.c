// Flexible array members: on the heap and in a static object with an initialiser.
void *malloc(unsigned long);
void free(void *);
struct text {
    int length;
    char bytes[];
};
static struct text constant = {3, "xyz"};

int main(void) {
    struct text *t = malloc(sizeof *t + 4);
    if (!t)
        return 0;
    t->length = 4;
    for (int i = 0; i < t->length; i++)
        t->bytes[i] = 'a' + i;
    int good = t->bytes[3] == 'd' && constant.bytes[2] == 'z' && sizeof(struct text) == 4;
    free(t);
    return !good;
}
