//! Ctrl-C and the signal that asks to end: the first ends the work in good order, the second at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use crate::exit;

/// Whether somebody wants us to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens, and raises `flag` as well. Without signals we still work, so that failing to listen
    /// is no error.
    pub(crate) fn listen(flag: &Arc<AtomicBool>) -> Interrupt {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM] {
            let again = Arc::clone(&interrupt.0);
            let code = i32::from(exit::INTERRUPTED);
            // The order matters: at the first signal the condition is not yet true.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, code, again);
            let _ = signal_hook::flag::register(signal, Arc::clone(&interrupt.0));
            let _ = signal_hook::flag::register(signal, Arc::clone(flag));
        }
        interrupt
    }

    pub(crate) fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
