// defines: localtime gmtime localtime_r gmtime_r mktime timegm asctime ctime strftime
// contract: any date within the ranges of `struct tm`; `localtime` and `gmtime` may give null. One static object serves them all, as C allows.

typedef __SIZE_TYPE__ size_t;

extern int __heapwright_input_date(void);
extern _Bool __heapwright_input_date_fails(void);
extern long __heapwright_input_mktime(void);
extern size_t __heapwright_input_strftime(void);
extern char __heapwright_input_text(void);

struct date {
    int second, minute, hour, day, month, year, weekday, day_of_year, is_summer;
    long offset;
    const char *zone;
};

static struct date shared;

static int within(int least, int most)
{
    int number = __heapwright_input_date();
    return number < least || number > most ? least : number;
}

static void fill(struct date *date)
{
    date->second = within(0, 60);
    date->minute = within(0, 59);
    date->hour = within(0, 23);
    date->day = within(1, 31);
    date->month = within(0, 11);
    date->year = __heapwright_input_date();
    date->weekday = within(0, 6);
    date->day_of_year = within(0, 365);
    date->is_summer = within(-1, 1);
    date->offset = within(-86400, 86400);
    date->zone = "UTC";
}

struct date *localtime_r(const long *restrict time, struct date *restrict date)
{
    long read = *time;
    (void)read;
    if (__heapwright_input_date_fails())
        return (struct date *)0;
    fill(date);
    return date;
}

struct date *gmtime_r(const long *restrict time, struct date *restrict date)
{
    return localtime_r(time, date);
}

struct date *localtime(const long *time)
{
    return localtime_r(time, &shared);
}

struct date *gmtime(const long *time)
{
    return localtime_r(time, &shared);
}

long mktime(struct date *date)
{
    long read = date->second + (long)date->year;
    (void)read;
    fill(date);
    return __heapwright_input_mktime();
}

long timegm(struct date *date)
{
    return mktime(date);
}

// Www Mmm dd hh:mm:ss yyyy, a newline and a terminator.
enum { SHOWN = 26 };

static char shown[SHOWN];

static char *show(void)
{
    for (int index = 0; index < SHOWN - 2; index++) {
        char letter = __heapwright_input_text();
        shown[index] = letter < ' ' ? ' ' : letter;
    }
    shown[SHOWN - 2] = '\n';
    shown[SHOWN - 1] = '\0';
    return shown;
}

char *asctime(const struct date *date)
{
    int read = date->second;
    (void)read;
    return show();
}

char *ctime(const long *time)
{
    long read = *time;
    (void)read;
    return show();
}

// Nothing fits, and what the buffer holds is anything; or a text that fits.
size_t strftime(char *restrict target, size_t size, const char *restrict format,
                const struct date *restrict date)
{
    int read = date->second;
    (void)read;
    while (*format != '\0')
        format++;
    size_t length = __heapwright_input_strftime();
    if (size == 0 || length >= size)
        return 0;
    for (size_t index = 0; index < length; index++) {
        char letter = __heapwright_input_text();
        target[index] = letter == '\0' ? ' ' : letter;
    }
    target[length] = '\0';
    return length;
}
