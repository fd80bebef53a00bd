//! The harness: C that makes the user's own compiler show a violation.
//!
//! Compiled together with the program it stands in for the world: it gives the inputs of the
//! failing execution in their order, lets the allocations fail that failed, and fills fresh memory
//! with the bytes that mattered. A sanitizer, or an assertion, then reports what we report. The
//! first lines say how to compile it, what to expect, and what no harness can bring about.

mod head;
mod inputs;
mod leaks;
mod memory;
mod outside;
mod streams;

use std::fmt::Write;

use heapwright_engine::Task;
use heapwright_memory::{BlockKind, FaultKind};
use heapwright_property::Part;
use heapwright_verdict::ReplayedViolation;

/// How the program is compiled natively.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeCommand {
    /// Where the harness is written to.
    pub harness: String,
    /// C that goes first: the call of a function, where the program has no `main` of its own.
    pub prelude: String,
    /// The files of the program, as the user calls them.
    pub files: Vec<String>,
    /// Preprocessor flags.
    pub flags: Vec<String>,
}

/// What a harness is made for.
struct Subject<'s> {
    task: &'s Task,
    violation: &'s ReplayedViolation,
}

/// A piece of the harness, and what it asks of its reader.
#[derive(Debug, Default)]
struct Piece {
    /// C.
    text: String,
    /// Compiler flags without which it does not work.
    flags: Vec<String>,
    /// What the execution had and a native run has not.
    caveats: Vec<String>,
}

/// The C text of a harness.
#[must_use]
pub fn harness(task: &Task, violation: &ReplayedViolation, command: &NativeCommand) -> String {
    let subject = Subject { task, violation };
    let pieces = [
        Piece { text: START.to_owned(), ..Piece::default() },
        subject.options(),
        leaks::piece(&subject),
        inputs::piece(&subject),
        memory::piece(&subject),
        streams::piece(&subject),
        outside::piece(&subject),
    ];
    let mut text = head::comment(&subject, command, &pieces);
    text.push_str(&command.prelude);
    for piece in &pieces {
        text.push_str(&piece.text);
    }
    text
}

const START: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(const char *text)
{
    fprintf(stderr, \"harness: %s\\n\", text);
}
";

impl Subject<'_> {
    fn fault(&self) -> Option<FaultKind> {
        self.violation.report().fault().map(|fault| fault.kind)
    }

    /// Whether what is shown is a block that nobody frees.
    fn is_leak(&self) -> bool {
        self.violation.block().is_some()
    }

    /// Whether the memory in question is a local variable's, or from alloca.
    fn is_about_stack(&self) -> bool {
        let fault = self.violation.report().fault();
        let block = fault.and_then(|fault| fault.blocks.first());
        block.is_some_and(|block| block.kind == BlockKind::Stack)
    }

    /// The sanitizer's settings; the environment's ASAN_OPTIONS come later and win.
    fn options(&self) -> Piece {
        let mut text = String::from(
            "
// Memory from malloc is zero where the execution does not say otherwise.
const char *__asan_default_options(void)
{
    return \"malloc_fill_byte=0:max_malloc_fill_size=1000000000:allocator_may_return_null=1\"
           \":detect_stack_use_after_return=1",
        );
        write!(text, ":detect_leaks={}\";\n}}\n", u8::from(self.is_leak()))
            .expect("a string takes everything");
        if self.violation.part() == Part::ValidMemcleanup {
            text.push_str(
                "
// Every block that is not freed counts, also where there is still a pointer to it.
const char *__lsan_default_options(void)
{
    return \"use_globals=0:use_stacks=0:use_registers=0:use_tls=0\";
}
",
            );
        }
        let mut caveats = Vec::new();
        if self.is_about_stack() && self.fault() == Some(FaultKind::DanglingDereference) {
            caveats.push(
                "that the address of a dead local variable, or of memory from alloca, is not in \
                 use again; where it is, nothing is reported"
                    .to_owned(),
            );
        }
        Piece { text, caveats, ..Piece::default() }
    }
}

/// A text as a string literal of C.
fn literal(text: &[u8]) -> String {
    let mut result = String::from("\"");
    for &byte in text {
        match byte {
            b'"' => result.push_str("\\\""),
            b'\\' => result.push_str("\\\\"),
            b'\n' => result.push_str("\\n"),
            // A question mark could begin a trigraph.
            b' '..=b'~' if byte != b'?' => result.push(char::from(byte)),
            _ => write!(result, "\\{byte:03o}").expect("a string takes everything"),
        }
    }
    result.push('"');
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_says_every_byte() {
        assert_eq!(literal(b"a\"b\\\n\0?1"), "\"a\\\"b\\\\\\n\\000\\0771\"");
    }
}
