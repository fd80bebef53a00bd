// defines: qsort_r
// GNU's qsort whose order function takes one more argument: sort.c once more with that argument.
// Two files, because a program that calls qsort should not have to tell two kinds of order
// functions apart.

typedef __SIZE_TYPE__ size_t;
typedef int order(const void *left, const void *right, void *argument);

extern void *__heapwright_malloc(size_t size);
extern void __heapwright_free(void *block);
extern void *__heapwright_copy(void *to, const void *from, size_t size);

enum { SHORT_ARRAY = 64, CHUNK = 256 };

static void swap(char *left, char *right, size_t size)
{
    char saved[CHUNK];
    for (size_t done = 0; done < size; done += CHUNK) {
        size_t part = size - done < CHUNK ? size - done : CHUNK;
        __heapwright_copy(saved, left + done, part);
        __heapwright_copy(left + done, right + done, part);
        __heapwright_copy(right + done, saved, part);
    }
}

static void insertion_sort(char *array, size_t count, size_t size, order *compare, void *argument)
{
    for (size_t sorted = 1; sorted < count; sorted++) {
        size_t at = sorted;
        while (at > 0 && compare(array + (at - 1) * size, array + at * size, argument) > 0) {
            swap(array + (at - 1) * size, array + at * size, size);
            at--;
        }
    }
}

// Merges two sorted neighbours of `left_count` and `right_count` elements.
static void merge(char *array, size_t left_count, size_t right_count, size_t size, order *compare,
                  void *argument, char *buffer)
{
    char *left = array;
    char *left_end = array + left_count * size;
    char *right = left_end;
    char *right_end = left_end + right_count * size;
    char *merged = buffer;
    while (left != left_end && right != right_end) {
        if (compare(left, right, argument) <= 0) {
            __heapwright_copy(merged, left, size);
            left += size;
        } else {
            __heapwright_copy(merged, right, size);
            right += size;
        }
        merged += size;
    }
    // What is left of the right part is in its place already.
    size_t left_rest = (size_t)(left_end - left);
    __heapwright_copy(merged, left, left_rest);
    __heapwright_copy(array, buffer, (size_t)(merged - buffer) + left_rest);
}

static void merge_sort(char *array, size_t count, size_t size, order *compare, void *argument,
                       char *buffer)
{
    for (size_t start = 0; start < count; start += SHORT_ARRAY) {
        size_t part = count - start < SHORT_ARRAY ? count - start : SHORT_ARRAY;
        insertion_sort(array + start * size, part, size, compare, argument);
    }
    for (size_t sorted = SHORT_ARRAY; sorted < count; sorted *= 2) {
        for (size_t start = 0; count - start > sorted; start += 2 * sorted) {
            size_t right = count - start - sorted;
            if (right > sorted)
                right = sorted;
            merge(array + start * size, sorted, right, size, compare, argument, buffer);
            if (count - start <= 2 * sorted)
                break;
        }
    }
}

void qsort_r(void *array, size_t count, size_t size, order *compare, void *argument)
{
    char *buffer = (char *)0;
    if (count > SHORT_ARRAY)
        buffer = __heapwright_malloc(count * size);
    if (buffer == (char *)0) {
        insertion_sort(array, count, size, compare, argument);
    } else {
        merge_sort(array, count, size, compare, argument, buffer);
        __heapwright_free(buffer);
    }
}
