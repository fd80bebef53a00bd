// defines: stdin stdout stderr __heapwright_use_stream fopen fopen64 fdopen freopen tmpfile fclose feof ferror clearerr fflush setbuf setvbuf setlinebuf fileno fseek fseeko ftell ftello rewind popen pclose __heapwright_quiet_fclose __heapwright_quiet_fflush
// contract: a stream is null or open; using one that is null or closed is a fault. Opening a file succeeds or fails, whatever its name; what is in it is any text.
// A stream is memory of the environment: a program that forgets to close one has lost none of its own.
// A closed one is never opened again, so that a stale pointer to it is noticed.

typedef __SIZE_TYPE__ size_t;

struct stream {
    _Bool is_open;
};

extern void *__heapwright_permanent(size_t size);
extern void __heapwright_misuse(const char *text);
extern void __heapwright_unmodelled(const char *text);
extern _Bool __heapwright_input_fopen(void);
extern _Bool __heapwright_input_fclose(void);
extern int __heapwright_input_feof(void);
extern int __heapwright_input_ferror(void);
extern int __heapwright_input_fflush(void);
extern long __heapwright_input_ftell(void);
extern int __heapwright_input_fileno(void);
extern int *__errno_location(void);
extern int __heapwright_input_errno(void);

static struct stream input_stream = {1};
static struct stream output_stream = {1};
static struct stream error_stream = {1};

struct stream *stdin = &input_stream;
struct stream *stdout = &output_stream;
struct stream *stderr = &error_stream;

void __heapwright_use_stream(struct stream *stream)
{
    if (!stream->is_open)
        __heapwright_misuse("the stream is closed");
}

static void set_error(void)
{
    int error = __heapwright_input_errno();
    *__errno_location() = error > 0 ? error : 2;
}

static struct stream *opened(void)
{
    if (!__heapwright_input_fopen()) {
        set_error();
        return (struct stream *)0;
    }
    struct stream *stream = __heapwright_permanent(sizeof(struct stream));
    stream->is_open = 1;
    return stream;
}

static void read_string(const char *string)
{
    while (*string != '\0')
        string++;
}

// Whether the program may have written a file. What it then reads may be that, and not any text.
static _Bool has_written;

static void check_mode(const char *mode)
{
    if (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a')
        __heapwright_misuse("the mode of a stream begins with r, w or a");
    _Bool is_both = 0;
    for (const char *next = mode; *next != '\0'; next++)
        if (*next == '+')
            is_both = 1;
    if (is_both || (mode[0] == 'r' && has_written))
        __heapwright_unmodelled("a file that the program may read and has perhaps written");
    if (mode[0] != 'r')
        has_written = 1;
}

struct stream *fopen(const char *restrict name, const char *restrict mode)
{
    read_string(name);
    check_mode(mode);
    return opened();
}

struct stream *fopen64(const char *restrict name, const char *restrict mode)
{
    return fopen(name, mode);
}

struct stream *popen(const char *command, const char *mode)
{
    read_string(command);
    check_mode(mode);
    return opened();
}

struct stream *fdopen(int descriptor, const char *mode)
{
    (void)descriptor;
    check_mode(mode);
    return opened();
}

struct stream *tmpfile(void)
{
    __heapwright_unmodelled("`tmpfile`");
    return opened();
}

// The stream is closed in any case, and opened again if that succeeds.
struct stream *freopen(const char *restrict name, const char *restrict mode, struct stream *stream)
{
    __heapwright_use_stream(stream);
    if (name != (const char *)0)
        read_string(name);
    check_mode(mode);
    if (__heapwright_input_fopen())
        return stream;
    stream->is_open = 0;
    set_error();
    return (struct stream *)0;
}

// Calls whose result nobody looks at: nothing depends on whether they succeed.

void __heapwright_quiet_fclose(struct stream *stream)
{
    __heapwright_use_stream(stream);
    stream->is_open = 0;
}

void __heapwright_quiet_fflush(struct stream *stream)
{
    if (stream != (struct stream *)0)
        __heapwright_use_stream(stream);
}

int fclose(struct stream *stream)
{
    __heapwright_quiet_fclose(stream);
    if (!__heapwright_input_fclose())
        return 0;
    set_error();
    return -1;
}

int pclose(struct stream *stream)
{
    return fclose(stream);
}

int feof(struct stream *stream)
{
    __heapwright_use_stream(stream);
    return __heapwright_input_feof();
}

int ferror(struct stream *stream)
{
    __heapwright_use_stream(stream);
    return __heapwright_input_ferror();
}

void clearerr(struct stream *stream)
{
    __heapwright_use_stream(stream);
}

// Null stands for all streams.
int fflush(struct stream *stream)
{
    __heapwright_quiet_fflush(stream);
    return __heapwright_input_fflush() == 0 ? 0 : -1;
}

// The buffer belongs to the stream from here on; nobody looks at what is in it.
void setbuf(struct stream *restrict stream, char *restrict buffer)
{
    (void)buffer;
    __heapwright_use_stream(stream);
}

void setlinebuf(struct stream *stream)
{
    __heapwright_use_stream(stream);
}

int setvbuf(struct stream *restrict stream, char *restrict buffer, int mode, size_t size)
{
    (void)buffer;
    (void)mode;
    (void)size;
    __heapwright_use_stream(stream);
    return 0;
}

int fileno(struct stream *stream)
{
    __heapwright_use_stream(stream);
    int number = __heapwright_input_fileno();
    return number < -1 ? -1 : number;
}

int fseek(struct stream *stream, long offset, int origin)
{
    (void)offset;
    (void)origin;
    return fflush(stream);
}

int fseeko(struct stream *stream, long offset, int origin)
{
    (void)offset;
    (void)origin;
    return fflush(stream);
}

long ftell(struct stream *stream)
{
    __heapwright_use_stream(stream);
    long position = __heapwright_input_ftell();
    return position < -1 ? -1 : position;
}

long ftello(struct stream *stream)
{
    return ftell(stream);
}

void rewind(struct stream *stream)
{
    __heapwright_use_stream(stream);
}
