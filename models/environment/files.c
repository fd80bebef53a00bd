// defines: open open64 close read write lseek socket bind listen accept connect send recv shutdown setsockopt inet_addr
// contract: a descriptor is any number from -1 on; reading gives any number of bytes up to the wanted one, any bytes, or -1. Addresses are read as far as their length says.

typedef __SIZE_TYPE__ size_t;

extern int __heapwright_input_descriptor(void);
extern long __heapwright_input_read(void);
extern unsigned char __heapwright_input_byte(void);
extern int *__errno_location(void);
extern int __heapwright_input_errno(void);

static void set_error(void)
{
    int error = __heapwright_input_errno();
    *__errno_location() = error > 0 ? error : 1;
}

static int descriptor(void)
{
    int number = __heapwright_input_descriptor();
    if (number >= 0)
        return number;
    set_error();
    return -1;
}

static int outcome(void)
{
    return descriptor() < 0 ? -1 : 0;
}

static long amount(size_t most)
{
    long count = __heapwright_input_read();
    if (count < 0) {
        set_error();
        return -1;
    }
    return (size_t)count > most ? (long)most : count;
}

static void touch(const void *start, size_t size)
{
    const unsigned char *bytes = start;
    unsigned char sum = 0;
    for (size_t index = 0; index < size; index++)
        sum ^= bytes[index];
    (void)sum;
}

static long fill(void *target, size_t size)
{
    unsigned char *bytes = target;
    long count = amount(size);
    for (long index = 0; index < count; index++)
        bytes[index] = __heapwright_input_byte();
    return count;
}

int open(const char *name, int flags, ...)
{
    (void)flags;
    while (*name != '\0')
        name++;
    return descriptor();
}

int open64(const char *name, int flags, ...)
{
    return open(name, flags);
}

int close(int descriptor)
{
    (void)descriptor;
    return outcome();
}

long read(int descriptor, void *target, size_t size)
{
    (void)descriptor;
    return fill(target, size);
}

long write(int descriptor, const void *source, size_t size)
{
    (void)descriptor;
    touch(source, size);
    return amount(size);
}

long lseek(int descriptor, long offset, int origin)
{
    (void)descriptor;
    (void)offset;
    (void)origin;
    long position = __heapwright_input_read();
    return position < -1 ? -1 : position;
}

int socket(int domain, int type, int protocol)
{
    (void)domain;
    (void)type;
    (void)protocol;
    return descriptor();
}

int bind(int socket, const void *address, unsigned int size)
{
    (void)socket;
    touch(address, size);
    return outcome();
}

int connect(int socket, const void *address, unsigned int size)
{
    return bind(socket, address, size);
}

int listen(int socket, int backlog)
{
    (void)socket;
    (void)backlog;
    return outcome();
}

int accept(int socket, void *restrict address, unsigned int *restrict size)
{
    (void)socket;
    if (address != (void *)0) {
        unsigned char *bytes = address;
        unsigned int room = *size;
        for (unsigned int index = 0; index < room; index++)
            bytes[index] = __heapwright_input_byte();
    }
    return descriptor();
}

long send(int socket, const void *source, size_t size, int flags)
{
    (void)flags;
    return write(socket, source, size);
}

long recv(int socket, void *target, size_t size, int flags)
{
    (void)flags;
    return read(socket, target, size);
}

int shutdown(int socket, int how)
{
    (void)socket;
    (void)how;
    return outcome();
}

int setsockopt(int socket, int level, int name, const void *value, unsigned int size)
{
    (void)socket;
    (void)level;
    (void)name;
    touch(value, size);
    return outcome();
}

unsigned int inet_addr(const char *text)
{
    while (*text != '\0')
        text++;
    return (unsigned int)__heapwright_input_descriptor();
}
