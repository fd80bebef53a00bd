//! What a process group uses right now, summed over its processes.
//! Resource limits of the kernel hold for each process alone, and limiting the address space
//! breaks tools that reserve much and use little; so the group is watched instead. Memory that
//! two processes share is counted twice. Elsewhere than on Linux there is nothing to read: there
//! only the wall clock stops a run early.

use rustix::process::Pid;
use std::time::Duration;

/// Use of processor and memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) cpu: Duration,
    pub(crate) memory: u64,
}

/// Sums up the processes of a group.
#[cfg(target_os = "linux")]
pub(crate) fn group_usage(group: Pid) -> Usage {
    let ticks_per_second = rustix::param::clock_ticks_per_second().max(1);
    let page_size = rustix::param::page_size() as u64;
    let Ok(entries) = std::fs::read_dir("/proc") else { return Usage::default() };
    let mut total = ProcessStatus::default();
    for entry in entries.flatten() {
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with(|first: char| first.is_ascii_digit()) {
            continue;
        }
        // A process may end between listing and reading: then there is nothing to add.
        let Ok(text) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        if let Some(status) = parse_status(&text, group.as_raw_nonzero().get()) {
            total.ticks += status.ticks;
            total.pages += status.pages;
        }
    }
    Usage {
        cpu: Duration::from_millis(total.ticks.saturating_mul(1000) / ticks_per_second),
        memory: total.pages.saturating_mul(page_size),
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn group_usage(_group: Pid) -> Usage {
    Usage::default()
}

#[derive(Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
struct ProcessStatus {
    /// Own time and that of children already waited for.
    ticks: u64,
    pages: u64,
}

/// Reads `/proc/N/stat`; `None` when the process belongs to another group.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn parse_status(text: &str, group: i32) -> Option<ProcessStatus> {
    // The second field is the program's name in parentheses and may contain anything.
    let (_, rest) = text.rsplit_once(')')?;
    // Field 3 of proc(5) comes first here.
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|text| text.parse::<i64>().ok());
    if field(5)? != i64::from(group) {
        return None;
    }
    let ticks = (14..=17).filter_map(field).sum::<i64>();
    let pages = field(24)?;
    Some(ProcessStatus { ticks: ticks.max(0).unsigned_abs(), pages: pages.max(0).unsigned_abs() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = "41 (a) b (c) S 1 40 40 0 -1 4194304 90 0 0 0 7 5 2 1 20 0 1 0 100 \
                          8192 300 18446744073709551615 1 1 0";

    #[test]
    fn reads_time_and_memory_of_a_process_in_the_group() {
        assert_eq!(parse_status(STATUS, 40), Some(ProcessStatus { ticks: 15, pages: 300 }));
    }

    #[test]
    fn skips_processes_of_other_groups_and_rubbish() {
        assert_eq!(parse_status(STATUS, 41), None);
        assert_eq!(parse_status("", 40), None);
        assert_eq!(parse_status("1 (x) S 1", 40), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn sees_the_own_group() {
        assert!(group_usage(rustix::process::getpgrp()).memory > 0);
    }
}
