//! C functions that harnesses share. Names of our own begin with `@` until a harness is named.

/// Functions that are written once, if at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Text,
    ShortText,
    Shared,
    Bytes,
    NonNull,
    Refuse,
    Stream,
}

impl Need {
    /// Its definition.
    pub(super) fn text(self) -> &'static str {
        match self {
            Need::Text => TEXT,
            Need::ShortText => SHORT_TEXT,
            Need::Shared => SHARED,
            Need::Bytes => BYTES,
            Need::NonNull => NON_NULL,
            Need::Refuse => REFUSE,
            Need::Stream => STREAM,
        }
    }
}

const TEXT: &str = "
static char *@text(void)
{
    unsigned long length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length < 268435456);
    char *it = __builtin_malloc(length + 1);
    __VERIFIER_assume(it != 0);
    it[length] = 0;
    return it;
}
";

const SHORT_TEXT: &str = "
static char *@short_text(void)
{
    char *it = __builtin_malloc(16);
    __VERIFIER_assume(it != 0);
    it[15] = 0;
    return it;
}
";

const SHARED: &str = "
static char @shared[16];
";

pub(super) const PREPARE_SHARED: &str = "    void *any = __builtin_malloc(15);
    __VERIFIER_assume(any != 0);
    __builtin_memcpy(@shared, any, 15);
    __builtin_free(any);
";

const BYTES: &str = "
static void *@bytes(unsigned long size)
{
    void *it = __builtin_malloc(size);
    __VERIFIER_assume(it != 0);
    return it;
}
";

const NON_NULL: &str = "
static void *@not_null(void *it)
{
    __VERIFIER_assume(it != 0);
    return it;
}
";

const REFUSE: &str = "
extern void __heapwright_unmodelled(const char *) __attribute__((weak));
";

const STREAM: &str = "
extern struct _IO_FILE *tmpfile(void);

static struct _IO_FILE *@stream(void)
{
    struct _IO_FILE *it = tmpfile();
    __VERIFIER_assume(it != 0);
    return it;
}
";
