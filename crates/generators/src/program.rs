//! What a generator hands over: C text, and what must happen when it runs.

use std::fmt;

/// The kinds of faults, by the names that the interpreter prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    NullDereference,
    DanglingDereference,
    OutOfBounds,
    WildDereference,
    InvalidFree,
    DoubleFree,
    Leak,
    AssertionFailed,
    ErrorReached,
    DivisionByZero,
    StackExhausted,
}

impl FaultKind {
    /// Every kind, in the order of the interface.
    pub const ALL: [FaultKind; 11] = [
        FaultKind::NullDereference,
        FaultKind::DanglingDereference,
        FaultKind::OutOfBounds,
        FaultKind::WildDereference,
        FaultKind::InvalidFree,
        FaultKind::DoubleFree,
        FaultKind::Leak,
        FaultKind::AssertionFailed,
        FaultKind::ErrorReached,
        FaultKind::DivisionByZero,
        FaultKind::StackExhausted,
    ];

    /// The name in fault lines and in `FAULT` comments.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::NullDereference => "null-dereference",
            FaultKind::DanglingDereference => "dangling-dereference",
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::WildDereference => "wild-dereference",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::DoubleFree => "double-free",
            FaultKind::Leak => "leak",
            FaultKind::AssertionFailed => "assertion-failed",
            FaultKind::ErrorReached => "error-reached",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::StackExhausted => "stack-exhausted",
        }
    }

    /// The kind called `name`.
    pub fn parse(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The sizes of C's types: ILP32 is 32-bit x86, LP64 is 64-bit x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    Lp64,
    Ilp32,
}

impl DataModel {
    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }

    /// The model called `name`.
    pub fn parse(name: &str) -> Option<DataModel> {
        [DataModel::Lp64, DataModel::Ilp32].into_iter().find(|model| model.name() == name)
    }
}

/// What running a generated program must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// It ends by itself, without any undefined behaviour, and frees all it allocated.
    Clean,
    /// It commits this fault first, at this line (counted from one).
    Fault { kind: FaultKind, line: usize },
}

/// A generated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedProgram {
    pub source: String,
    pub expectation: Expectation,
}

impl GeneratedProgram {
    /// A program whose expectation is read off its text: the `FAULT` comment, if there is one.
    pub fn from_source(source: String) -> GeneratedProgram {
        let expectation = marked_fault(&source).unwrap_or(Expectation::Clean);
        GeneratedProgram { source, expectation }
    }
}

/// The comment that marks the line of a planted fault.
pub fn fault_marker(kind: FaultKind) -> String {
    format!("/* FAULT: {kind} */")
}

fn marked_fault(source: &str) -> Option<Expectation> {
    source.lines().zip(1..).find_map(|(text, line)| {
        let (_, after) = text.split_once("/* FAULT: ")?;
        let (name, _) = after.split_once(" */")?;
        let kind = FaultKind::parse(name)?;
        Some(Expectation::Fault { kind, line })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_parse_back_from_their_names() {
        for kind in FaultKind::ALL {
            assert_eq!(FaultKind::parse(kind.name()), Some(kind));
        }
    }

    #[test]
    fn the_marker_tells_kind_and_line() {
        let source = format!("int a;\nfree(b); {}\n", fault_marker(FaultKind::DoubleFree));
        let program = GeneratedProgram::from_source(source);
        let expected = Expectation::Fault { kind: FaultKind::DoubleFree, line: 2 };
        assert_eq!(program.expectation, expected);
    }
}
