// defines: setlocale __ctype_get_mb_cur_max localeconv
// contract: the locale is "C", whatever is asked for; asking for another one fails or succeeds without effect.

typedef __SIZE_TYPE__ size_t;

extern _Bool __heapwright_input_setlocale(void);
extern void __heapwright_unmodelled(const char *text);

static char name[] = "C";

char *setlocale(int category, const char *locale)
{
    (void)category;
    if (locale != (const char *)0) {
        while (*locale != '\0')
            locale++;
        if (!__heapwright_input_setlocale())
            return (char *)0;
    }
    return name;
}

size_t __ctype_get_mb_cur_max(void)
{
    return 1;
}

void *localeconv(void)
{
    __heapwright_unmodelled("`localeconv`");
    return (void *)0;
}
