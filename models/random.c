// defines: rand srand random srandom rand_r
// Random numbers: any number from 0 to RAND_MAX, whatever the seed. A proof must not rest on the
// sequence that some library happens to give.

extern int __heapwright_input_rand(void);
extern unsigned int __heapwright_input_seed(void);

enum { LARGEST = 2147483647 };

int rand(void)
{
    return __heapwright_input_rand() & LARGEST;
}

void srand(unsigned int seed)
{
    (void)seed;
}

long random(void)
{
    return __heapwright_input_rand() & LARGEST;
}

void srandom(unsigned int seed)
{
    (void)seed;
}

int rand_r(unsigned int *seed)
{
    // Reads the old seed because the function does: that must be allowed.
    *seed = *seed ^ __heapwright_input_seed();
    return __heapwright_input_rand() & LARGEST;
}
