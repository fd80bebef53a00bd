//! Leaks: LeakSanitizer looks when a program exits. A harness has it look also when the program
//! aborts, when it asks for more inputs than there are, and when it does not end.

use super::{Piece, Subject};

pub(super) fn piece(subject: &Subject<'_>) -> Piece {
    let text = if subject.is_leak() { WATCH } else { NO_WATCH };
    Piece { text: text.to_owned(), ..Piece::default() }
}

const NO_WATCH: &str = "
static void check_leaks(void)
{
}
";

const WATCH: &str = "
#include <signal.h>
#include <unistd.h>

void __lsan_do_leak_check(void);

// Pointers that earlier calls left on the stack would hide a leak.
static void clear_stack(void)
{
    volatile char stale[1 << 16];
    for (size_t index = 0; index < sizeof stale; index++)
        stale[index] = 0;
}

static void check_leaks(void)
{
    clear_stack();
    __lsan_do_leak_check();
}

static void check_leaks_at(int signal)
{
    note(signal == SIGALRM ? \"the program does not end; what is lost by now?\"
                           : \"the program aborts\");
    check_leaks();
    _exit(125);
}

__attribute__((constructor)) static void watch_leaks(void)
{
    signal(SIGABRT, check_leaks_at);
    signal(SIGALRM, check_leaks_at);
    alarm(5);
}

__attribute__((destructor)) static void check_leaks_at_exit(void)
{
    check_leaks();
}
";
