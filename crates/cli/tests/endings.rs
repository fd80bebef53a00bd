//! Endings that a transcript cannot show: signals, time limits, closed pipes.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Runs for longer than any test waits.
const ENDLESS: &str = "int main(void) { int x = 1; while (x) { } return 0; }\n";

/// Asks for the factors of the product of two primes near 3 · 10^9: no engine answers that in a
/// fraction of a second, and none can prove that there are none.
const HARD: &str = "
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (a > 1 && b > 1 && a * b == 8670687648630721837ul) reach_error();
  return 0;
}
";

fn program(text: &str) -> tempfile::TempPath {
    let file = tempfile::Builder::new().suffix(".c").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file.into_temp_path()
}

fn endless_program() -> tempfile::TempPath {
    program(ENDLESS)
}

fn heapwright(arguments: &[&str], file: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    command.args(arguments).arg(file).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the command, sends it a signal, waits for its end.
fn interrupted(arguments: &[&str], signal: &str) -> Output {
    let program = endless_program();
    let child = heapwright(arguments, &program).spawn().unwrap();
    sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    Command::new("kill").args([signal, &id]).status().unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_run_ends_when_it_is_interrupted() {
    let output = interrupted(&["run"], "-INT");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "interrupted\n");
}

#[test]
fn an_interrupted_check_is_unknown() {
    // A compiler that takes its time, so that the answer cannot come before the signal.
    let folder = tempfile::tempdir().unwrap();
    let compiler = folder.path().join("slow.sh");
    std::fs::write(&compiler, "exec sleep 10\n").unwrap();
    let compiler = format!("sh {}", compiler.display());
    let output = interrupted(&["check", "--verdict-line", "--cc", &compiler], "-TERM");
    assert_eq!(output.status.code(), Some(20));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "UNKNOWN(interrupted)\n");
}

#[test]
fn a_timeout_holds_and_is_named() {
    let program = program(HARD);
    let start = Instant::now();
    let arguments = ["check", "--verdict-line", "--property", "unreach-call", "--timeout", "50ms"];
    let output = heapwright(&arguments, &program).output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(output.status.code(), Some(20));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "UNKNOWN(timeout after 0.05 s)\n");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let program = endless_program();
    let mut child = heapwright(&["show"], &program).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// What a terminal gets to see of a check, or nothing where none can be had.
#[expect(clippy::print_stderr, reason = "whoever runs the tests shall know what was not tried")]
fn on_a_terminal(arguments: &str, file: &std::path::Path) -> Option<String> {
    let command = format!("{} {arguments} {}", env!("CARGO_BIN_EXE_heapwright"), file.display());
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &command, "/dev/null"]);
    match script.env("COLUMNS", "100").stdin(Stdio::null()).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(error) => {
            eprintln!("SKIPPED: no terminal without `script` of util-linux: {error}");
            None
        }
    }
}

#[test]
fn a_terminal_sees_who_is_at_work_until_the_answer_comes() {
    let program = program(HARD);
    let arguments = "check --color never --property unreach-call --timeout 2500ms";
    let Some(seen) = on_a_terminal(arguments, &program) else { return };
    let lines: Vec<&str> = seen.split("\r\u{1b}[J").collect();
    assert!(lines.len() > 2, "{seen}");
    let is_live = |line: &&str| line.ends_with("(Ctrl-C shows what is known)");
    assert!(lines[1..lines.len() - 1].iter().all(is_live), "{seen}");
    assert!(lines.last().is_some_and(|line| line.starts_with("unknown")), "{seen}");
    let quiet = on_a_terminal("check --quiet --timeout 1500ms", &program).expect("as before");
    assert!(!quiet.contains("Ctrl-C"), "{quiet}");
}
