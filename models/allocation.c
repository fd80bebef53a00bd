// defines: calloc realloc reallocarray
// The heap functions beyond malloc and free. realloc ends the old block and begins a new one, which
// is what a program with a stale pointer must be judged by. Asking for the size of the old block says
// that the next one replaces it: it may lie at the same address.

typedef __SIZE_TYPE__ size_t;

extern void *__heapwright_malloc(size_t size);
extern void *__heapwright_zeroed(size_t size);
extern void __heapwright_free(void *block);
extern size_t __heapwright_block_size(void *block);
extern void *__heapwright_copy(void *to, const void *from, size_t size);
// Choices of the implementation: whether an allocation of no bytes gives null, and whether a resize to
// no bytes gives what such an allocation gives. Otherwise it gives null.
extern _Bool __heapwright_choose_null(void);
extern _Bool __heapwright_choose_block(void);

static _Bool product_overflows(size_t left, size_t right)
{
    return right != 0 && left > (size_t)-1 / right;
}

static _Bool is_null(size_t size)
{
    return size == 0 && __heapwright_choose_null();
}

static void *resize(void *old, size_t size)
{
    if (old == (void *)0)
        return is_null(size) ? (void *)0 : __heapwright_malloc(size);
    // Also checks that `old` may be freed, whatever happens next.
    size_t old_size = __heapwright_block_size(old);
    if (size == 0) {
        __heapwright_free(old);
        if (__heapwright_choose_block())
            return __heapwright_malloc(0);
        return (void *)0;
    }
    void *block = __heapwright_malloc(size);
    if (block == (void *)0)
        return (void *)0;
    __heapwright_copy(block, old, old_size < size ? old_size : size);
    __heapwright_free(old);
    return block;
}

void *calloc(size_t count, size_t size)
{
    if (product_overflows(count, size))
        return (void *)0;
    if (is_null(count * size))
        return (void *)0;
    return __heapwright_zeroed(count * size);
}

void *realloc(void *old, size_t size)
{
    return resize(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    if (product_overflows(count, size))
        return (void *)0;
    return resize(old, count * size);
}
