//! Reading the reports of AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer.
//! Each report becomes a fault of our own kinds and the line of the program's own code.

use heapwright_generators::program::FaultKind;

/// What a sanitizer said first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    Fault {
        kind: FaultKind,
        line: Option<usize>,
    },
    /// Undefined behaviour that is not one of our kinds, such as signed overflow.
    Other(String),
}

/// Reads the first report in `stderr` about the program in the file called `file_name`.
pub fn read_report(stderr: &str, file_name: &str) -> Option<Report> {
    let (position, line) = stderr.lines().enumerate().find(|(_, line)| is_headline(line))?;
    let kind = match kind_of_headline(line) {
        // Freeing read-only memory makes the sanitizer itself fault on the way.
        Some(FaultKind::WildDereference) if is_inside_free(stderr, file_name) => {
            Some(FaultKind::InvalidFree)
        }
        kind => kind,
    };
    let place = line_of_location(line, file_name).or_else(|| {
        // The first stack of the report is the one of the access; those of the allocation and of
        // the deallocation follow after it.
        stderr.lines().skip(position).find_map(|frame| line_of_frame(frame, file_name))
    });
    Some(match kind {
        Some(kind) => Report::Fault { kind, line: place },
        None => Report::Other(line.trim().to_owned()),
    })
}

fn is_inside_free(stderr: &str, file_name: &str) -> bool {
    let is_own = |frame: &&str| line_of_frame(frame, file_name).is_some();
    stderr
        .lines()
        .take_while(|line| !is_own(line))
        .any(|line| line.contains(" in __interceptor_free"))
}

fn is_headline(line: &str) -> bool {
    line.contains("ERROR: AddressSanitizer")
        || line.contains("ERROR: LeakSanitizer")
        || line.contains(": runtime error: ")
}

fn kind_of_headline(line: &str) -> Option<FaultKind> {
    const KINDS: [(&str, FaultKind); 16] = [
        ("heap-use-after-free", FaultKind::DanglingDereference),
        ("stack-use-after-scope", FaultKind::DanglingDereference),
        ("stack-use-after-return", FaultKind::DanglingDereference),
        ("heap-buffer-overflow", FaultKind::OutOfBounds),
        ("stack-buffer-overflow", FaultKind::OutOfBounds),
        ("stack-buffer-underflow", FaultKind::OutOfBounds),
        ("global-buffer-overflow", FaultKind::OutOfBounds),
        ("attempting double-free", FaultKind::DoubleFree),
        ("attempting free on address", FaultKind::InvalidFree),
        ("SEGV on unknown address 0x000000000", FaultKind::NullDereference),
        ("LeakSanitizer: detected memory leaks", FaultKind::Leak),
        ("stack-overflow", FaultKind::StackExhausted),
        ("null pointer", FaultKind::NullDereference),
        ("out of bounds for type", FaultKind::OutOfBounds),
        ("division by zero", FaultKind::DivisionByZero),
        ("SEGV on unknown address", FaultKind::WildDereference),
    ];
    KINDS.iter().find(|(words, _)| line.contains(words)).map(|(_, kind)| *kind)
}

/// The line in `…/file.c:LINE:COLUMN: runtime error: …`.
fn line_of_location(line: &str, file_name: &str) -> Option<usize> {
    let (location, _) = line.split_once(": runtime error: ")?;
    number_after_file(location, file_name)
}

/// The line in `    #1 0x55d0 in main /tmp/file.c:LINE`.
fn line_of_frame(frame: &str, file_name: &str) -> Option<usize> {
    frame.trim_start().starts_with('#').then(|| number_after_file(frame, file_name)).flatten()
}

fn number_after_file(text: &str, file_name: &str) -> Option<usize> {
    let (_, after) = text.rsplit_once(&format!("{file_name}:"))?;
    let digits = after.split(|letter: char| !letter.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_first_own_frame_of_an_access() {
        let stderr = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6020\n\
                      WRITE of size 8 at 0x6020 thread T0\n    \
                      #0 0x7f in __interceptor_memcpy ../../asan.cpp:69\n    \
                      #1 0x55 in part /tmp/x/program.c:17\n    \
                      #2 0x55 in main /tmp/x/program.c:99\n";
        let expected = Report::Fault { kind: FaultKind::OutOfBounds, line: Some(17) };
        assert_eq!(read_report(stderr, "program.c"), Some(expected));
    }

    #[test]
    fn reads_the_place_of_undefined_behaviour() {
        let null = "/somewhere/program.c:5:7: runtime error: load of null pointer of type 'int'";
        let expected = Report::Fault { kind: FaultKind::NullDereference, line: Some(5) };
        assert_eq!(read_report(null, "program.c"), Some(expected));
        let overflow = "program.c:5:7: runtime error: signed integer overflow: 1 + 2";
        assert!(matches!(read_report(overflow, "program.c"), Some(Report::Other(_))));
    }

    #[test]
    fn a_crash_inside_free_is_an_invalid_free() {
        let stderr = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x5627d4ba82d0\n    \
                      #0 0x7f in __asan::asan_free ../../asan.cpp:955\n    \
                      #1 0x7f in __interceptor_free ../../asan.cpp:53\n    \
                      #2 0x56 in main /somewhere/program.c:3\n";
        let expected = Report::Fault { kind: FaultKind::InvalidFree, line: Some(3) };
        assert_eq!(read_report(stderr, "program.c"), Some(expected));
    }

    #[test]
    fn silence_is_no_report() {
        assert_eq!(read_report("warning: nothing", "program.c"), None);
    }
}
