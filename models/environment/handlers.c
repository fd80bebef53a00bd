// defines: atexit __heapwright_run_handlers
// contract: handlers are run when the program ends by `exit` or by a return from `main`, the last one first; registering one succeeds. No more than 32 are modelled.

typedef void (*handler)(void);

extern void __heapwright_unmodelled(const char *text);

enum { MOST = 32 };

static handler handlers[MOST];
static int count;

int atexit(handler added)
{
    if (count == MOST)
        __heapwright_unmodelled("more than 32 handlers for the end of the program");
    handlers[count++] = added;
    return 0;
}

// A handler that ends the program itself has been taken off, so that the others are run.
void __heapwright_run_handlers(void)
{
    while (count > 0) {
        count--;
        handlers[count]();
    }
}
