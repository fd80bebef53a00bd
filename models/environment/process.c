// defines: getpid getppid getuid geteuid getgid getegid isatty system signal raise kill getpagesize sysconf remove unlink rename rmdir mkdir chdir access getcwd
// contract: numbers of processes and users are any; commands and file operations succeed or fail. No signal arrives by itself.

typedef __SIZE_TYPE__ size_t;

extern void __heapwright_unmodelled(const char *text);
extern int __heapwright_input_process(void);
extern _Bool __heapwright_input_failure(void);
extern int *__errno_location(void);
extern int __heapwright_input_errno(void);
extern size_t __heapwright_input_length(void);
extern char __heapwright_input_text(void);

static int number(void)
{
    int given = __heapwright_input_process();
    return given < 0 ? 0 : given;
}

static int outcome(void)
{
    if (!__heapwright_input_failure())
        return 0;
    int error = __heapwright_input_errno();
    *__errno_location() = error > 0 ? error : 1;
    return -1;
}

static void read_string(const char *string)
{
    while (*string != '\0')
        string++;
}

int getpid(void)
{
    return number();
}

int getppid(void)
{
    return number();
}

unsigned int getuid(void)
{
    return (unsigned int)number();
}

unsigned int geteuid(void)
{
    return (unsigned int)number();
}

unsigned int getgid(void)
{
    return (unsigned int)number();
}

unsigned int getegid(void)
{
    return (unsigned int)number();
}

int getpagesize(void)
{
    return 4096;
}

long sysconf(int name)
{
    (void)name;
    return (long)__heapwright_input_process();
}

int isatty(int descriptor)
{
    (void)descriptor;
    return !__heapwright_input_failure();
}

int system(const char *command)
{
    if (command != (const char *)0)
        read_string(command);
    return __heapwright_input_process();
}

enum { SIGNALS = 65 };

typedef void (*handler)(int);

static handler handlers[SIGNALS];

// The handler that was there before, or (handler)-1.
handler signal(int signal, handler action)
{
    if (signal < 1 || signal >= SIGNALS || signal == 9 || signal == 19)
        return (handler)-1;
    handler before = handlers[signal];
    handlers[signal] = action;
    return before;
}

// 0 is the default action, 1 ignores.
int raise(int signal)
{
    if (signal < 1 || signal >= SIGNALS)
        return -1;
    handler action = handlers[signal];
    if (action == (handler)1)
        return 0;
    if (action == (handler)0)
        __heapwright_unmodelled("`raise` of a signal without a handler");
    action(signal);
    return 0;
}

int kill(int process, int signal)
{
    (void)process;
    (void)signal;
    __heapwright_unmodelled("`kill`");
    return 0;
}

int remove(const char *name)
{
    read_string(name);
    return outcome();
}

int unlink(const char *name)
{
    return remove(name);
}

int rmdir(const char *name)
{
    return remove(name);
}

int chdir(const char *name)
{
    return remove(name);
}

int mkdir(const char *name, unsigned int mode)
{
    (void)mode;
    return remove(name);
}

int access(const char *name, int mode)
{
    (void)mode;
    return remove(name);
}

int rename(const char *from, const char *to)
{
    read_string(from);
    return remove(to);
}

// A path that fits, or null.
char *getcwd(char *target, size_t size)
{
    if (target == (char *)0)
        __heapwright_unmodelled("`getcwd` without a buffer");
    size_t length = __heapwright_input_length();
    if (outcome() != 0 || length < 1 || length >= size)
        return (char *)0;
    target[0] = '/';
    for (size_t index = 1; index < length; index++) {
        char letter = __heapwright_input_text();
        target[index] = letter == '\0' ? 'a' : letter;
    }
    target[length] = '\0';
    return target;
}
