/* Runs a compiled program many times, each time in a child of its own with other inputs.
 *
 * usage: program SEEDS [CONSTANT...] [-- VALUE... [-- VALUE...]...]
 * Draws go by a seed among small numbers, edges of types and the constants; lists of values after
 * `--` are inputs that someone worked out, and are tried first. The first run that fails ends it all. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int heapwright_main();

enum { ASSERTION = 77, ERROR_CALL = 78, SANITIZER = 99 };

static unsigned long long state;
static long long constants[64];
static int constant_count, eagerness, draws;
static char **listed, **listed_end;

const char *__asan_default_options(void) {
    return "exitcode=99:detect_leaks=1:detect_stack_use_after_return=1:detect_odr_violation=0:"
           "allocator_may_return_null=1:max_malloc_fill_size=4096";
}

/* splitmix64 */
static unsigned long long bits(void) {
    unsigned long long mixed = state += 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

static unsigned below(unsigned limit) { return bits() % limit; }

static long long number(void) {
    static const int widths[] = {7, 8, 15, 16, 31, 32, 63};
    /* A run that draws for ever would never show anything. */
    if (++draws > 20000) _exit(0);
    if (listed < listed_end) return strtoll(*listed++, 0, 10);
    if (constant_count && (int)below(100) < eagerness) return constants[below(constant_count)];
    switch (below(10)) {
    case 0: case 1: case 2: case 3: return 0;
    case 4: case 5: return 1;
    case 6: return below(16);
    case 7: return -1 - (long long)below(3);
    case 8: return (long long)((1ULL << widths[below(7)]) - below(2));
    default: return (long long)bits();
    }
}

#define DRAW(name, type) type __VERIFIER_nondet_##name(void) { return (type)number(); }
DRAW(bool, _Bool) DRAW(_Bool, _Bool) DRAW(char, char) DRAW(schar, signed char)
DRAW(uchar, unsigned char) DRAW(short, short) DRAW(ushort, unsigned short) DRAW(int, int)
DRAW(uint, unsigned) DRAW(unsigned, unsigned) DRAW(long, long) DRAW(ulong, unsigned long)
DRAW(longlong, long long) DRAW(ulonglong, unsigned long long) DRAW(size_t, size_t)
DRAW(u8, unsigned char) DRAW(u16, unsigned short) DRAW(u32, unsigned) DRAW(U32, unsigned)
DRAW(unsigned_int, unsigned) DRAW(float, float) DRAW(double, double) DRAW(loff_t, long long)
void *__VERIFIER_nondet_pointer(void) { return 0; }

/* What follows a failed assumption is no execution. */
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) _exit(0); }
__attribute__((weak)) void reach_error(void) { _exit(ERROR_CALL); }
__attribute__((weak)) void __VERIFIER_error(void) { _exit(ERROR_CALL); }
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    fprintf(stderr, "%s:%u: assertion %s failed\n", file, line, text);
    (void)function;
    _exit(ASSERTION);
}

static void quiet(int signal) { (void)signal; _exit(0); }

/* In the child. Time is bounded: some mutants never end, and what a short program does not show within a
   fifth of a second of its own it hardly shows later. The alarm is for those that sleep. */
static void execute(void) {
    struct itimerval fifth = {{0, 0}, {0, 200000}};
    setitimer(ITIMER_PROF, &fifth, 0);
    signal(SIGALRM, quiet);
    alarm(3);
    char name[] = "program", *arguments[] = {name, 0};
    exit(heapwright_main(1, arguments));
}

/* Whether a run shows something; ends with its status if so. Says whether the run used up its time. */
static int run(const char *how, long which) {
    pid_t child = fork();
    if (child == 0) execute();
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) exit(3);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (code == ASSERTION || code == ERROR_CALL || code == SANITIZER) {
        fprintf(stderr, "%s %ld\n", how, which);
        exit(code);
    }
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
}

int main(int count, char **arguments) {
    long seeds = count > 1 ? atol(arguments[1]) : 1;
    int at = 2;
    for (; at < count && strcmp(arguments[at], "--") != 0; at++)
        if (constant_count < 64) constants[constant_count++] = strtoll(arguments[at], 0, 10);
    for (long list = 0; at < count; list++) {
        int first = ++at;
        while (at < count && strcmp(arguments[at], "--") != 0) at++;
        listed = arguments + first;
        listed_end = arguments + at;
        run("inputs of list", list);
    }
    listed = listed_end = 0;
    for (long seed = 0, endless = 0; seed < seeds && endless < 3; seed++) {
        state = (unsigned long long)seed;
        eagerness = (int[]){5, 30, 70}[below(3)];
        endless += run("inputs of seed", seed);
    }
    return 0;
}
