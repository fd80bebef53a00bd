//! Traps: small programs with inputs, each about something that verifiers get wrong.
//!
//! A trap is a text with choices: wide offsets, locals that outlive their round, pointers that are
//! only half kept, what the implementation decides. Most choices are harmless; some make an execution
//! faulty, often only on a rare input. Nobody says which: the interpreter, the engines and compiled
//! programs are asked, and may not contradict each other.

mod bytes;
mod choices;
mod leaks;
mod lives;
mod loops;
mod objects;
mod pointers;

use crate::random::Random;
use crate::text::indent;

/// A text with choices. `⟨a¦b¦c⟩` is one of its parts, which may have choices again; `№` is a small
/// number; `@` tells apart the names of the traps of one program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trap {
    /// Types, globals and functions.
    pub(crate) globals: &'static str,
    /// Statements of `main` or of a function.
    pub(crate) body: &'static str,
}

const PRELUDE: &str = "
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
#define ND __VERIFIER_nondet_int()
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
";

/// Inputs that a trap waits for.
const RARE: [&str; 5] = ["987654321", "-5", "1234567", "77", "0x7fffffff"];

/// Where a trap stands in its program.
const FRAMES: [&str; 8] = [
    "{\n$\n}",
    "{\n$\n}",
    "{\n$\n}",
    "if (ND) {\n$\n}",
    "if (RARE) {\n$\n}",
    "for (int round@ = 0; round@ < ⟨1¦2¦3⟩; round@++) {\n$\n}",
    "while (ND) {\n$\n}",
    "switch (ND) {\ncase 3: {\n$\nbreak;\n}\ndefault:\nbreak;\n}",
];

/// The program of a seed.
pub fn trap_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491).wrapping_add(0x7a9));
    let all: Vec<&[Trap]> = vec![
        bytes::TRAPS,
        choices::TRAPS,
        leaks::TRAPS,
        lives::TRAPS,
        loops::TRAPS,
        objects::TRAPS,
        pointers::TRAPS,
    ];
    let count = random.pick(&[1, 1, 1, 1, 2, 2, 3]);
    let rare = format!("#define RARE (__VERIFIER_nondet_int() == {})\n", random.pick(&RARE));
    let (mut globals, mut main) = (format!("{PRELUDE}{rare}"), String::new());
    for number in 0..count {
        let topic = random.pick(&all);
        let trap = random.pick(topic);
        let suffix = number.to_string();
        globals.push_str(&filled(trap.globals, &suffix, &mut random));
        globals.push('\n');
        let body = filled(trap.body, &suffix, &mut random);
        let frame = random.pick(&FRAMES);
        let framed = filled(frame, &suffix, &mut random).replace('$', &body);
        if random.percent(25) {
            globals.push_str(&format!("static void part{number}(void) {{\n{framed}\n}}\n"));
            main.push_str(&format!("part{number}();\n"));
        } else {
            main.push_str(&framed);
            main.push('\n');
        }
    }
    indent(&format!("{globals}\nint main(void) {{\n{main}\nreturn 0;\n}}\n"))
}

/// The text with its choices made.
pub(crate) fn filled(template: &str, suffix: &str, random: &mut Random) -> String {
    let mut text = chosen(template, random).replace('@', suffix);
    while let Some(at) = text.find('№') {
        let number = random.below(6).to_string();
        text.replace_range(at..at + '№'.len_utf8(), &number);
    }
    text
}

/// Resolves choices from the outside in.
fn chosen(template: &str, random: &mut Random) -> String {
    let Some(open) = template.find('⟨') else { return template.to_owned() };
    let (before, rest) = (&template[..open], &template[open + '⟨'.len_utf8()..]);
    let (parts, length) = parts(rest);
    let part = random.pick(&parts);
    let after = &rest[length..];
    format!("{before}{}{}", chosen(part, random), chosen(after, random))
}

/// The parts of a choice up to its end, and its length. A choice without an end is our mistake.
fn parts(rest: &str) -> (Vec<&str>, usize) {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, symbol) in rest.char_indices() {
        match symbol {
            '⟨' => depth += 1,
            '⟩' if depth == 0 => {
                parts.push(&rest[start..at]);
                return (parts, at + symbol.len_utf8());
            }
            '⟩' => depth -= 1,
            '¦' if depth == 0 => {
                parts.push(&rest[start..at]);
                start = at + symbol.len_utf8();
            }
            _ => {}
        }
    }
    panic!("a choice without an end: {rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_may_have_choices() {
        let mut random = Random::new(1);
        for _ in 0..50 {
            let text = filled("a⟨b¦⟨c¦d⟩e⟩f@", "1", &mut random);
            assert!(["abf1", "acef1", "adef1"].contains(&text.as_str()), "{text}");
        }
    }

    #[test]
    fn every_seed_gives_a_program_without_holes() {
        for seed in 0..500 {
            let text = trap_program(seed);
            assert!(!text.contains(['⟨', '⟩', '¦', '№', '@', '$']), "{text}");
        }
    }
}
