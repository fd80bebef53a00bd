//! Laws over random programs: text and program are the same thing, passes keep programs well
//! formed, and no text makes the reader panic.

mod generator;

use generator::{Generator, Random};
use heapwright_program::{check, draw, parse, passes, print, well_formed};

const SEEDS: u64 = 3000;

#[test]
fn generated_programs_are_well_formed() {
    for seed in 0..SEEDS {
        let program = Generator::program(seed);
        if let Err(defects) = well_formed(&program) {
            panic!("seed {seed}: {}\n{}", check::explain(&program, &defects[0]), print(&program));
        }
    }
}

#[test]
fn parsing_the_text_gives_the_program_in_canonical_order() {
    for seed in 0..SEEDS {
        let program = Generator::program(seed);
        let text = print(&program);
        let parsed = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert!(parsed == program.renumbered(), "seed {seed}\n{text}\n{}", print(&parsed));
        assert!(parsed.is_same_as(&program), "seed {seed}");
        assert_eq!(print(&parsed), text, "seed {seed}");
    }
}

#[test]
fn renumbering_twice_is_renumbering_once() {
    for seed in 0..SEEDS {
        let once = Generator::program(seed).renumbered();
        assert!(once.renumbered() == once, "seed {seed}");
    }
}

#[test]
fn passes_keep_programs_well_formed() {
    for seed in 0..SEEDS {
        let mut program = Generator::program(seed);
        for pass in [passes::remove_unreachable, passes::remove_dead_inputs, passes::merge_skips] {
            program = pass(program);
            if let Err(defects) = well_formed(&program) {
                panic!(
                    "seed {seed}: {}\n{}",
                    check::explain(&program, &defects[0]),
                    print(&program)
                );
            }
        }
        assert!(passes::merge_skips(program.clone()) == program, "seed {seed}: not idempotent");
    }
}

#[test]
fn damaged_texts_are_errors_or_programs_and_never_panics() {
    let golden =
        [include_str!("programs/list.program"), include_str!("programs/everything.program")];
    let letters =
        ["(", ")", "#", "`", "\"", "-", "9", ".", "\n", "", "[", "x", "ü", "\\", "#f9", "0x"];
    for seed in 0..4 * SEEDS {
        let mut random = Random::new(seed);
        let mut text: Vec<char> = random.pick(&golden).chars().collect();
        for _ in 0..=random.below(3) {
            let start = random.below(text.len());
            let end = (start + random.below(4)).min(text.len());
            text.splice(start..end, random.pick(&letters).chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(program) = parse(&text) {
            let _ = well_formed(&program);
            let _ = print(&program);
        }
    }
}

#[test]
fn everything_can_be_drawn() {
    for seed in 0..300 {
        let program = Generator::program(seed);
        for function in program.functions.ids() {
            assert!(draw::function_svg(&program, function).ends_with("</svg>\n"));
            assert!(draw::function_dot(&program, function).ends_with("}\n"));
        }
        assert!(draw::call_graph_svg(&program).ends_with("</svg>\n"));
        assert!(draw::call_graph_dot(&program).ends_with("}\n"));
    }
}
