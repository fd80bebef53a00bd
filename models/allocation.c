// defines: calloc realloc reallocarray
// The heap functions beyond malloc and free. realloc always moves: the old block ends and a new one
// begins, which is the behaviour that a program with a stale pointer must be judged by.

typedef __SIZE_TYPE__ size_t;

extern void *__heapwright_malloc(size_t size);
extern void *__heapwright_zeroed(size_t size);
extern void __heapwright_free(void *block);
extern size_t __heapwright_block_size(void *block);
extern void *__heapwright_copy(void *to, const void *from, size_t size);

static _Bool product_overflows(size_t left, size_t right)
{
    return right != 0 && left > (size_t)-1 / right;
}

static void *resize(void *old, size_t size)
{
    if (old == (void *)0)
        return __heapwright_malloc(size);
    // Also checks that `old` may be freed, whatever happens next.
    size_t old_size = __heapwright_block_size(old);
    if (size == 0) {
        __heapwright_free(old);
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
