//! `--memory-limit`: we give up with a reason before the system ends us without one.

use std::cell::Cell;

/// How much memory this process may use.
#[derive(Debug)]
pub(crate) struct MemoryLimit {
    bytes: Option<u64>,
    was_reached: Cell<bool>,
}

impl MemoryLimit {
    pub(crate) fn none() -> MemoryLimit {
        MemoryLimit { bytes: None, was_reached: Cell::new(false) }
    }

    /// What the user says, or three quarters of what there is, where that is known.
    pub(crate) fn of(wanted: Option<u64>) -> MemoryLimit {
        let bytes = wanted.or_else(|| Some(available()? / 4 * 3));
        MemoryLimit { bytes, ..MemoryLimit::none() }
    }

    /// Whether more is used now.
    pub(crate) fn is_reached(&self) -> bool {
        let is_reached = self.bytes.zip(used()).is_some_and(|(limit, used)| used >= limit);
        if is_reached {
            self.was_reached.set(true);
        }
        is_reached
    }

    pub(crate) fn was_reached(&self) -> bool {
        self.was_reached.get()
    }

    pub(crate) fn reason(&self) -> String {
        let megabytes = self.bytes.unwrap_or_default() >> 20;
        format!("the memory limit of {megabytes} MB was reached; --memory-limit sets another")
    }
}

/// Bytes of memory that this process holds; known on Linux.
fn used() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&text, "VmRSS:").map(|kilobytes| kilobytes << 10)
}

/// The memory of the machine, or what the control group allows.
fn available() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| kilobytes(&text, "MemTotal:"));
    let machine = machine.map(|kilobytes| kilobytes << 10);
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(group).min()
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_below_what_is_used_is_reached_and_stays_in_mind() {
        if used().is_none() {
            println!("skipped: this system does not tell how much memory is used");
            return;
        }
        let small = MemoryLimit::of(Some(1));
        assert!(!small.was_reached());
        assert!(small.is_reached() && small.was_reached());
        assert!(!MemoryLimit::of(Some(u64::MAX)).is_reached());
        assert!(!MemoryLimit::none().is_reached());
    }
}
