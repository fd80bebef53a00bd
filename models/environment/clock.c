// defines: time clock difftime gettimeofday clock_gettime clock_getres nanosleep sleep usleep times __heapwright_quiet_time
// contract: clocks show any time, also an earlier one than before; waiting takes none.

extern long __heapwright_input_time(void);
extern long __heapwright_input_clock(void);
extern long __heapwright_input_seconds(void);
extern long __heapwright_input_fraction(void);
extern _Bool __heapwright_input_clock_fails(void);

struct moment {
    long seconds;
    long fraction;
};

// Without branches, here and below: a program that only prints the time takes the same course whatever the
// clock shows.
static long at_least_minus_one(long number)
{
    return number | -(long)(number < -1);
}

static long below(unsigned long limit)
{
    long fraction = __heapwright_input_fraction();
    return fraction & -(long)((unsigned long)fraction < limit);
}

// The one number or the other.
static long either(_Bool is_first, long first, long second)
{
    return second ^ ((first ^ second) & -(long)is_first);
}

long time(long *target)
{
    long now = at_least_minus_one(__heapwright_input_time());
    if (target != (long *)0)
        *target = now;
    return now;
}

void __heapwright_quiet_time(long *target)
{
    if (target != (long *)0)
        time(target);
}

long clock(void)
{
    return at_least_minus_one(__heapwright_input_clock());
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}

int gettimeofday(struct moment *restrict now, void *restrict zone)
{
    (void)zone;
    if (now != (struct moment *)0) {
        now->seconds = at_least_minus_one(__heapwright_input_seconds());
        now->fraction = below(1000000);
    }
    return 0;
}

int clock_gettime(int clock, struct moment *now)
{
    (void)clock;
    _Bool fails = __heapwright_input_clock_fails();
    now->seconds = either(fails, now->seconds, at_least_minus_one(__heapwright_input_seconds()));
    now->fraction = either(fails, now->fraction, below(1000000000));
    return -(int)fails;
}

int clock_getres(int clock, struct moment *resolution)
{
    if (resolution == (struct moment *)0)
        return -(int)__heapwright_input_clock_fails();
    return clock_gettime(clock, resolution);
}

int nanosleep(const struct moment *wanted, struct moment *rest)
{
    struct moment asked = *wanted;
    _Bool fails = __heapwright_input_clock_fails();
    if (rest != (struct moment *)0) {
        rest->seconds = either(fails, asked.seconds, rest->seconds);
        rest->fraction = either(fails, asked.fraction, rest->fraction);
    }
    return -(int)fails;
}

unsigned int sleep(unsigned int seconds)
{
    (void)seconds;
    return 0;
}

int usleep(unsigned int microseconds)
{
    (void)microseconds;
    return 0;
}


struct process_times {
    long own, system, children, children_system;
};

long times(struct process_times *used)
{
    if (used != (struct process_times *)0) {
        used->own = at_least_minus_one(__heapwright_input_clock());
        used->system = at_least_minus_one(__heapwright_input_clock());
        used->children = at_least_minus_one(__heapwright_input_clock());
        used->children_system = at_least_minus_one(__heapwright_input_clock());
    }
    return at_least_minus_one(__heapwright_input_clock());
}
