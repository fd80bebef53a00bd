// defines: malloc free memcpy memmove memset abort
// Bodies for the functions that are operations of the program when called by name: linked only when
// a program takes the address of one of them. (`exit` and `_Exit` have no operation to call from
// here.)

typedef __SIZE_TYPE__ size_t;

extern void *__heapwright_malloc(size_t size);
extern void __heapwright_free(void *block);
extern void __heapwright_disjoint(const void *left, const void *right, size_t size);
extern void *__heapwright_copy(void *to, const void *from, size_t size);
extern void *__heapwright_fill(void *to, int byte, size_t size);

void *malloc(size_t size)
{
    return __heapwright_malloc(size);
}

void free(void *block)
{
    __heapwright_free(block);
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    __heapwright_disjoint(to, from, size);
    return __heapwright_copy(to, from, size);
}

void *memmove(void *to, const void *from, size_t size)
{
    return __heapwright_copy(to, from, size);
}

void *memset(void *to, int byte, size_t size)
{
    return __heapwright_fill(to, byte, size);
}

_Noreturn void abort(void)
{
    __builtin_trap();
}
