//! `show --invariants`: what holds at the loop heads of a program that is proved.

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_symbolic_heap::{LEGEND, PathTurns, SymbolicHeapEngine};
use heapwright_frontend::{InputError, World};
use heapwright_pictures::{Scene, abstract_heap, dot, svg_page};
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

use super::Shown;
use crate::arguments::{ShowArguments, ShowFormat};
use crate::exit;
use crate::sources::Input;

pub(super) fn invariants(arguments: &ShowArguments) -> Result<Shown, InputError> {
    let Input { program, messages, .. } = arguments.sources.load(World::Modelled)?;
    let task = Task { program, specification: Specification::everyday(), malloc_may_fail: false };
    let mut engine = SymbolicHeapEngine::default();
    // What single paths decide has no invariants, so they come last.
    engine.settings.paths = PathTurns::Last;
    let deadline = Deadline::never();
    let finding = engine.run(&task, &Run::alone(&deadline));
    let shown = |text: String, exit: u8| Ok(Shown { text, messages, exit });
    match conclude(&task, finding, &deadline) {
        Verdict::Holds(proof) if proof.invariants().is_empty() => {
            shown(format!("// no invariants are needed: {}\n", proof.summary()), 0)
        }
        Verdict::Holds(proof) => {
            let invariants = proof.invariants();
            let scenes = || -> Vec<Scene> {
                let heaps = invariants.iter().filter_map(|it| abstract_heap(&task.program, it));
                heaps.map(|heap| heap.scene).collect()
            };
            let text = match arguments.format {
                ShowFormat::Svg => svg_page(&scenes()),
                ShowFormat::Dot => {
                    let scenes = scenes();
                    let named = scenes.iter().enumerate();
                    named.map(|(index, scene)| dot(scene, &format!("heap {}", index + 1))).collect()
                }
                ShowFormat::Text
                | ShowFormat::Stats
                | ShowFormat::Layouts
                | ShowFormat::Families
                | ShowFormat::Invariants => page(invariants),
            };
            shown(text, 0)
        }
        Verdict::Violated(_) => shown(not_proved("it is violated"), exit::VIOLATED),
        Verdict::Unknown(_) => shown(not_proved("it is not decided"), exit::UNKNOWN),
    }
}

fn not_proved(why: &str) -> String {
    format!(
        "// no invariants, since the program is not proved: {why}; `heapwright check` says why\n"
    )
}

/// All invariants, each below a remark that says where it holds.
fn page(invariants: &[String]) -> String {
    let mut text = format!("// {LEGEND}\n");
    let places: Vec<String> = invariants.iter().map(|invariant| place(invariant)).collect();
    for (index, invariant) in invariants.iter().enumerate() {
        let number = places[..=index].iter().filter(|place| **place == places[index]).count();
        let shapes = places.iter().filter(|place| **place == places[index]).count();
        text.push_str(&format!("\n// {}, shape {number} of {shapes}\n", places[index]));
        text.push_str(invariant);
    }
    text
}

/// The calls at a loop head, the innermost first: `function at file:line`. The stack of a call that is
/// looked at for itself begins with it, and is empty when it has returned.
fn place(invariant: &str) -> String {
    let calls = invariant.lines().filter_map(|line| line.strip_prefix("in "));
    let mut calls: Vec<String> = calls
        .map(|call| match call.split_once(" // ") {
            Some((call, place)) => {
                format!("{} at {place}", call.split(' ').next().unwrap_or(call))
            }
            None => call.to_owned(),
        })
        .collect();
    calls.reverse();
    match invariant.lines().find_map(|line| line.strip_prefix("call of ")) {
        Some(function) if calls.is_empty() => format!("where a call of {function} returns"),
        Some(_) => format!("{}, called by anyone", calls.join(", called by ")),
        None => calls.join(", called by "),
    }
}
