// defines: __heapwright_leading_zeros __heapwright_trailing_zeros __heapwright_ones __heapwright_parity __heapwright_first_set __heapwright_redundant_sign __heapwright_byte_swap
// What GNU's bit builtins compute, on the low `width` bits of a value, bit by bit. Where the
// builtin is undefined (counting zeros of 0), the answer is `width`.

typedef unsigned long long bits;

static bits bit_at(bits value, int index)
{
    return (value >> index) & 1;
}

bits __heapwright_leading_zeros(bits value, int width)
{
    bits count = 0;
    for (int index = width - 1; index >= 0; index--) {
        if (bit_at(value, index) != 0)
            return count;
        count++;
    }
    return count;
}

bits __heapwright_trailing_zeros(bits value, int width)
{
    bits count = 0;
    for (int index = 0; index < width; index++) {
        if (bit_at(value, index) != 0)
            return count;
        count++;
    }
    return count;
}

bits __heapwright_ones(bits value, int width)
{
    bits count = 0;
    for (int index = 0; index < width; index++)
        count += bit_at(value, index);
    return count;
}

bits __heapwright_parity(bits value, int width)
{
    bits parity = 0;
    for (int index = 0; index < width; index++)
        parity ^= bit_at(value, index);
    return parity;
}

// 0 if no bit is set, else 1 plus the index of the lowest.
bits __heapwright_first_set(bits value, int width)
{
    bits position = 1;
    for (int index = 0; index < width; index++) {
        if (bit_at(value, index) != 0)
            return position;
        position++;
    }
    return 0;
}

// How many bits below the sign bit are equal to it.
bits __heapwright_redundant_sign(bits value, int width)
{
    bits sign = bit_at(value, width - 1);
    bits count = 0;
    for (int index = width - 2; index >= 0; index--) {
        if (bit_at(value, index) != sign)
            return count;
        count++;
    }
    return count;
}

bits __heapwright_byte_swap(bits value, int width)
{
    bits swapped = 0;
    for (int index = 0; index < width; index += 8)
        swapped = (swapped << 8) | ((value >> index) & 0xff);
    return swapped;
}
