//! One program under limits, in a process group of its own.
//! The group is killed as a whole, and only while its leader has not been waited for: until then
//! the number of the group cannot pass to a stranger.

use crate::interrupt::Cancellation;
use crate::sample::group_usage;
use crate::tool::CommandLine;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What one run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Processor time, summed over all processes of the run.
    pub cpu: Duration,
    /// Time on the wall clock.
    pub wall: Duration,
    /// Resident memory in bytes, summed over all processes of the run.
    pub memory: u64,
}

/// What one run has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// Bytes. Never below what this process itself uses: the kernel hands that on at the start.
    pub(crate) peak_memory: u64,
}

/// Why a run was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    CpuTime,
    WallTime,
    Memory,
    Output,
    Cancelled,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Set when a limit was reached.
    pub(crate) stop: Option<Stop>,
    pub(crate) status: ExitStatus,
    pub(crate) measured: Measured,
    /// The ends of both outputs.
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// Output beyond this is taken for a runaway: more would fill the disk.
const OUTPUT_LIMIT: u64 = 256 << 20;
/// How much of an output's end is kept: the verdict, or the message of a panic.
const OUTPUT_KEPT: u64 = 64 << 10;
/// How often the group is looked at; a look reads the whole of `/proc`.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);

/// Runs a program to its end, or to the first limit it reaches.
pub(crate) fn run_limited(
    line: &CommandLine,
    limits: &Limits,
    cancellation: &Cancellation,
) -> io::Result<Finished> {
    // Files instead of pipes: a pipe stays open as long as any stray descendant holds it.
    let mut output = tempfile::tempfile()?;
    let mut errors = tempfile::tempfile()?;
    let started = Instant::now();
    let child = Command::new(&line.program)
        .args(&line.arguments)
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(errors.try_clone()?)
        .process_group(0)
        .spawn()?;
    let group = Pid::from_child(&child);
    set_backstop(group, limits);
    let mut watch =
        Watch { limits, started, measured: Measured::default(), outputs: [&output, &errors] };
    let supervised = supervise(group, &mut watch, cancellation);
    let Watch { measured, .. } = watch;
    let (status, measured) = end(child, group, started, measured)?;
    let stop = supervised?.or_else(|| exceeded(status, &measured, limits));
    let output = end_of(&mut output)?;
    let errors = end_of(&mut errors)?;
    Ok(Finished { stop, status, measured, output, errors })
}

/// The kernel's own limits hold even if this process is killed: no run goes on for ever.
/// A descendant started before they are set escapes them, but not the watch over the group.
#[cfg(target_os = "linux")]
fn set_backstop(group: Pid, limits: &Limits) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let seconds = limits.cpu.as_secs().saturating_add(2);
    let cpu = Rlimit { current: Some(seconds), maximum: Some(seconds.saturating_add(1)) };
    // Crashes are expected here; core files of gigabytes are not wanted.
    let core = Rlimit { current: Some(0), maximum: Some(0) };
    // Failing is harmless: the watch does the work, and the process may have ended already.
    let _ = prlimit(Some(group), Resource::Cpu, cpu);
    let _ = prlimit(Some(group), Resource::Core, core);
}

#[cfg(not(target_os = "linux"))]
fn set_backstop(_group: Pid, _limits: &Limits) {}

struct Watch<'a> {
    limits: &'a Limits,
    started: Instant,
    measured: Measured,
    outputs: [&'a File; 2],
}

/// Returns when the leader has ended, or when something calls for its end.
/// Ends because the wall clock does not stand still.
fn supervise(
    leader: Pid,
    watch: &mut Watch<'_>,
    cancellation: &Cancellation,
) -> io::Result<Option<Stop>> {
    let mut sampled = Instant::now();
    loop {
        if has_ended(leader)? {
            return Ok(None);
        }
        if cancellation.is_cancelled() {
            return Ok(Some(Stop::Cancelled));
        }
        let elapsed = watch.started.elapsed();
        if elapsed > watch.limits.wall {
            return Ok(Some(Stop::WallTime));
        }
        if sampled.elapsed() >= SAMPLE_INTERVAL {
            if let Some(stop) = watch.sample(leader)? {
                return Ok(Some(stop));
            }
            sampled = Instant::now();
        }
        // Short runs are looked at often, long ones seldom: the wall time is off by 5 % at most.
        std::thread::sleep((elapsed / 20).clamp(Duration::from_millis(1), SAMPLE_INTERVAL / 4));
    }
}

/// Whether the leader has ended; it is not waited for yet.
fn has_ended(leader: Pid) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    Ok(waitid(WaitId::Pid(leader), options)?.is_some())
}

impl Watch<'_> {
    fn sample(&mut self, group: Pid) -> io::Result<Option<Stop>> {
        let usage = group_usage(group);
        self.measured.cpu = self.measured.cpu.max(usage.cpu);
        self.measured.peak_memory = self.measured.peak_memory.max(usage.memory);
        for file in self.outputs {
            if file.metadata()?.len() > OUTPUT_LIMIT {
                return Ok(Some(Stop::Output));
            }
        }
        Ok(over_limit(&self.measured, self.limits))
    }
}

fn over_limit(measured: &Measured, limits: &Limits) -> Option<Stop> {
    if measured.peak_memory > limits.memory {
        Some(Stop::Memory)
    } else if measured.cpu > limits.cpu {
        Some(Stop::CpuTime)
    } else {
        None
    }
}

/// A run that ended by itself, but not within the limits.
fn exceeded(status: ExitStatus, measured: &Measured, limits: &Limits) -> Option<Stop> {
    if status.signal() == Some(Signal::XCPU.as_raw()) {
        return Some(Stop::CpuTime);
    }
    over_limit(measured, limits)
}

/// Kills what is left of the group, waits for the leader and adds up what it used.
fn end(
    mut child: Child,
    group: Pid,
    started: Instant,
    sampled: Measured,
) -> io::Result<(ExitStatus, Measured)> {
    // Fails when nothing is left to kill, which is just as well.
    let _ = kill_process_group(group, Signal::KILL);
    let used = child.wait4()?;
    // The kernel's account misses descendants that were not waited for; the samples miss what
    // happened since the last one. Both are lower bounds.
    let measured = Measured {
        cpu: sampled.cpu.max(used.rusage.utime + used.rusage.stime),
        wall: started.elapsed(),
        peak_memory: sampled.peak_memory.max(used.rusage.maxrss),
    };
    Ok((used.status, measured))
}

fn end_of(file: &mut File) -> io::Result<String> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(OUTPUT_KEPT)))?;
    let mut bytes = Vec::new();
    file.take(OUTPUT_KEPT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: &Limits) -> Finished {
        let line =
            CommandLine { program: "sh".into(), arguments: vec!["-c".into(), script.into()] };
        run_limited(&line, limits, &Cancellation::default()).unwrap()
    }

    fn limits() -> Limits {
        Limits { cpu: Duration::from_secs(20), wall: Duration::from_secs(60), memory: 1 << 30 }
    }

    #[test]
    fn keeps_status_and_both_outputs() {
        let finished = shell("echo out; echo err >&2; exit 7", &limits());
        assert_eq!(finished.stop, None);
        assert_eq!(finished.status.code(), Some(7));
        assert_eq!((finished.output.as_str(), finished.errors.as_str()), ("out\n", "err\n"));
        assert!(finished.measured.peak_memory > 0);
    }

    #[test]
    fn the_wall_limit_stops_a_sleeper() {
        let limits = Limits { wall: Duration::from_millis(300), ..limits() };
        let finished = shell("sleep 30", &limits);
        assert_eq!(finished.stop, Some(Stop::WallTime));
        assert!(finished.measured.wall < Duration::from_secs(20));
    }

    #[test]
    fn the_cpu_limit_counts_descendants_too() {
        let limits = Limits { cpu: Duration::from_millis(300), ..limits() };
        let finished = shell("(while :; do :; done) & wait", &limits);
        assert_eq!(finished.stop, Some(Stop::CpuTime));
        assert!(finished.measured.cpu >= Duration::from_millis(300));
    }

    #[test]
    fn descendants_die_with_their_leader() {
        let finished = shell("sleep 300 & echo $!", &limits());
        let pid: i32 = finished.output.trim().parse().unwrap();
        let pid = Pid::from_raw(pid).unwrap();
        // Killed at once, but gone only when the system's first process has collected it.
        let is_gone = || {
            std::fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |text| {
                text.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z'))
            })
        };
        let deadline = Instant::now() + Duration::from_secs(10);
        while !is_gone() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(is_gone());
    }

    #[test]
    fn cancelling_stops_a_run() {
        let cancellation = Cancellation::default();
        cancellation.cancel();
        let line = CommandLine { program: "sleep".into(), arguments: vec!["30".into()] };
        let finished = run_limited(&line, &limits(), &cancellation).unwrap();
        assert_eq!(finished.stop, Some(Stop::Cancelled));
    }

    #[test]
    fn only_the_end_of_a_long_output_is_kept() {
        let finished = shell("yes | head -c 200000; echo last", &limits());
        assert_eq!(finished.output.len(), 64 << 10);
        assert!(finished.output.ends_with("last\n"));
    }
}
