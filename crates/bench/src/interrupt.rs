//! Stopping a bench early without losing what is finished.

use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, shared by everybody who may make it or has to heed it.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Asks for the stop: no run is started any more, and those under way are killed.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether somebody has asked for the stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// While this lives, Ctrl-C and the signals that ask to end request a stop.
/// The runs are in process groups of their own, so a terminal does not reach them with Ctrl-C:
/// killing them is up to us, and ending at once would leave them behind.
#[derive(Debug)]
pub(crate) struct SignalGuard(Vec<SigId>);

impl SignalGuard {
    pub(crate) fn new(cancellation: &Cancellation) -> io::Result<SignalGuard> {
        let mut guard = SignalGuard(Vec::new());
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Under `nohup` the bench is meant to survive its terminal.
            if signal == SIGHUP && is_ignored(signal) {
                continue;
            }
            guard.0.push(signal_hook::flag::register(signal, Arc::clone(&cancellation.0))?);
        }
        Ok(guard)
    }
}

impl Drop for SignalGuard {
    fn drop(&mut self) {
        for id in self.0.drain(..) {
            signal_hook::low_level::unregister(id);
        }
    }
}

/// Whether this process ignores a signal, as far as the system tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored_signals(&status) & (1 << (signal - 1)) != 0
}

/// The mask in the text of `/proc/self/status`; the lowest bit is signal 1.
fn ignored_signals(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_mask_of_ignored_signals() {
        assert_eq!(ignored_signals("SigBlk:\t0000\nSigIgn:\t0000000000001001\n"), 0x1001);
        assert_eq!(ignored_signals(""), 0);
    }
}
