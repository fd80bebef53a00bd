// defines: drand48 lrand48 mrand48 erand48 nrand48 jrand48 srand48 seed48 lcong48 arc4random arc4random_uniform
// contract: any number of the documented range, whatever the seed.

extern long long __heapwright_input_drand48(void);
extern int __heapwright_input_lrand48(void);

static double fraction(void)
{
    // Forty-eight bits behind the point.
    return (double)(__heapwright_input_drand48() & 281474976710655LL) / 281474976710656.0;
}

static long positive(void)
{
    return __heapwright_input_lrand48() & 2147483647;
}

// The state is read and written.
static void step(unsigned short state[3])
{
    for (int index = 0; index < 3; index++)
        state[index] = state[index] ^ (unsigned short)__heapwright_input_lrand48();
}

double drand48(void)
{
    return fraction();
}

long lrand48(void)
{
    return positive();
}

long mrand48(void)
{
    return __heapwright_input_lrand48();
}

double erand48(unsigned short state[3])
{
    step(state);
    return fraction();
}

long nrand48(unsigned short state[3])
{
    step(state);
    return positive();
}

long jrand48(unsigned short state[3])
{
    step(state);
    return __heapwright_input_lrand48();
}

void srand48(long seed)
{
    (void)seed;
}

static unsigned short earlier[3];

unsigned short *seed48(unsigned short state[3])
{
    int read = state[0] + state[1] + state[2];
    (void)read;
    step(earlier);
    return earlier;
}

void lcong48(unsigned short parameters[7])
{
    int read = 0;
    for (int index = 0; index < 7; index++)
        read += parameters[index];
    (void)read;
}

unsigned int arc4random(void)
{
    return (unsigned int)__heapwright_input_lrand48();
}

unsigned int arc4random_uniform(unsigned int bound)
{
    unsigned int number = (unsigned int)__heapwright_input_lrand48();
    return number & -(unsigned)(number < bound);
}
