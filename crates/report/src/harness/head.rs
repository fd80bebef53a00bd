//! The first lines: what this is, how to compile and run it, what to expect of it.

use std::fmt::Write;

use heapwright_memory::FaultKind;
use heapwright_program::{DataModel, SignedOverflow};
use heapwright_property::Part;

use super::{NativeCommand, Piece, Subject};
use crate::fault::{fault_report, leak_report};
use crate::reproduce::quote;

pub(super) fn comment(subject: &Subject<'_>, command: &NativeCommand, pieces: &[Piece]) -> String {
    let mut lines = vec![title(subject), String::new()];
    lines.push("To see it, in the folder where `heapwright` was run:".to_owned());
    lines.push(String::new());
    lines.push(format!("    {}", compile_and_run(subject, command, pieces)));
    lines.push(String::new());
    lines.push(format!("Expected: {}.", expectation(subject)));
    if subject.task.program.model == DataModel::Ilp32 {
        lines.push(
            "Without the 32-bit libraries leave out -m32: often, not always, it fails alike."
                .to_owned(),
        );
    }
    let caveats: Vec<&String> = pieces.iter().flat_map(|piece| &piece.caveats).collect();
    if !caveats.is_empty() {
        lines.push(String::new());
        lines.push("What this program cannot bring about:".to_owned());
        lines.extend(caveats.into_iter().map(|caveat| format!("- {caveat}")));
    }
    let mut text = String::new();
    for line in lines {
        // A line break in a file's name must not end the comment, nor a backslash prolong it.
        let line = line.replace(|character: char| character.is_control(), "?");
        let line = line.trim_end().trim_end_matches('\\');
        writeln!(text, "{}", format!("// {line}").trim_end()).expect("a string takes everything");
    }
    text
}

fn title(subject: &Subject<'_>) -> String {
    let (program, violation) = (&subject.task.program, subject.violation);
    let report = match (violation.block(), violation.report().fault()) {
        (Some(block), _) => {
            let is_lost = violation.part() == Part::ValidMemtrack;
            leak_report(program, block, violation.loss(), is_lost)
        }
        (None, Some(fault)) => fault_report(program, fault),
        (None, None) => unreachable!("a violation has a fault or a block"),
    };
    let place = report.place.map_or(String::new(), |place| format!(", {place}"));
    format!("{} is violated: {}{place}", violation.part().name(), report.message)
}

fn compile_and_run(subject: &Subject<'_>, command: &NativeCommand, pieces: &[Piece]) -> String {
    let output = match command.harness.strip_suffix(".c") {
        Some(stem) => stem.to_owned(),
        None => format!("{}.out", command.harness),
    };
    let mut words: Vec<String> = ["cc", "-g", "-w", "-fsanitize=address"].map(str::to_owned).into();
    if subject.task.program.model == DataModel::Ilp32 {
        words.push("-m32".to_owned());
    }
    if subject.task.program.signed_overflow == SignedOverflow::Fails {
        words.push("-fsanitize=signed-integer-overflow,shift".to_owned());
        words.push("-fno-sanitize-recover=signed-integer-overflow,shift".to_owned());
    }
    words.extend(pieces.iter().flat_map(|piece| piece.flags.iter().cloned()));
    words.extend(command.flags.iter().cloned());
    words.extend([command.harness.clone()]);
    words.extend(command.files.iter().cloned());
    words.extend(["-lm".to_owned(), "-o".to_owned(), output.clone()]);
    let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
    let run = if output.contains('/') { output } else { format!("./{output}") };
    format!("{} && {}", words.join(" "), quote(&run))
}

/// What the native run shows.
fn expectation(subject: &Subject<'_>) -> &'static str {
    if subject.is_leak() {
        return "LeakSanitizer reports memory that is not freed";
    }
    let Some(fault) = subject.fault() else { return "a failure" };
    match fault {
        FaultKind::NullDereference => "AddressSanitizer reports an access near address 0",
        FaultKind::DanglingDereference if subject.is_about_stack() => {
            "AddressSanitizer reports a use after return or after scope, or, where the compiler \
             gives back null for the address of a local variable, an access near address 0"
        }
        FaultKind::DanglingDereference => "AddressSanitizer reports a use after free",
        FaultKind::OutOfBounds => {
            "AddressSanitizer reports an overflow, or an access to an unknown address"
        }
        FaultKind::WildDereference | FaultKind::InvalidCallee => {
            "AddressSanitizer reports an access to an unknown address"
        }
        FaultKind::ReadOnlyWrite => "AddressSanitizer reports a write to memory that is read-only",
        FaultKind::Overlap => "AddressSanitizer reports ranges that overlap",
        FaultKind::InvalidFree => {
            "AddressSanitizer reports a free of memory that is not from malloc"
        }
        FaultKind::DoubleFree => "AddressSanitizer reports a double free",
        FaultKind::AssertionFailed => "the assertion fails",
        FaultKind::ErrorReached => "the harness says that the error function is reached",
        FaultKind::DivisionByZero | FaultKind::DivisionOverflow => "a floating-point exception",
        FaultKind::SignedOverflow => {
            "UndefinedBehaviorSanitizer reports an overflow, or a shift that loses bits"
        }
        FaultKind::InvalidUsage => "the library is used as it must not be; it may go unnoticed",
        FaultKind::InvalidSize => "UndefinedBehaviorSanitizer reports the size of an array",
        FaultKind::StackExhausted => "AddressSanitizer reports a stack overflow",
        FaultKind::Leak => "LeakSanitizer reports memory that is not freed",
    }
}
