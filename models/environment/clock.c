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

static long at_least_minus_one(long number)
{
    return number < -1 ? -1 : number;
}

static long below(long limit)
{
    long fraction = __heapwright_input_fraction();
    return fraction < 0 || fraction >= limit ? 0 : fraction;
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
    if (__heapwright_input_clock_fails())
        return -1;
    now->seconds = at_least_minus_one(__heapwright_input_seconds());
    now->fraction = below(1000000000);
    return 0;
}

int clock_getres(int clock, struct moment *resolution)
{
    if (resolution == (struct moment *)0)
        return __heapwright_input_clock_fails() ? -1 : 0;
    return clock_gettime(clock, resolution);
}

int nanosleep(const struct moment *wanted, struct moment *rest)
{
    struct moment asked = *wanted;
    if (!__heapwright_input_clock_fails())
        return 0;
    if (rest != (struct moment *)0)
        *rest = asked;
    return -1;
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
