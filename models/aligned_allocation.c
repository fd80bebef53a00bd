// defines: aligned_alloc memalign posix_memalign valloc pvalloc
// Aligned heap blocks. The alignment of addresses is not modelled: each gives an ordinary block.

typedef __SIZE_TYPE__ size_t;

extern void *__heapwright_malloc(size_t size);

enum { INVALID_ARGUMENT = 22, OUT_OF_MEMORY = 12, PAGE_SIZE = 4096 };

void *aligned_alloc(size_t alignment, size_t size)
{
    (void)alignment;
    return __heapwright_malloc(size);
}

void *memalign(size_t alignment, size_t size)
{
    (void)alignment;
    return __heapwright_malloc(size);
}

// Leaves `*result` alone when it fails.
int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
        return INVALID_ARGUMENT;
    void *block = __heapwright_malloc(size);
    if (block == (void *)0)
        return OUT_OF_MEMORY;
    *result = block;
    return 0;
}

void *valloc(size_t size)
{
    return __heapwright_malloc(size);
}

// Like valloc, with the size rounded up to whole pages.
void *pvalloc(size_t size)
{
    size_t beyond = size % PAGE_SIZE;
    if (beyond == 0)
        return __heapwright_malloc(size);
    size_t padding = PAGE_SIZE - beyond;
    if (size > (size_t)-1 - padding)
        return (void *)0;
    return __heapwright_malloc(size + padding);
}
