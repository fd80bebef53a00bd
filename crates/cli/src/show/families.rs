//! `show --format families`: one invariant as four families of shape analysis have it, side by side.
//!
//! Each engine proves the program by itself; of what it says about the first loop head, the largest heap is drawn.

use heapwright_engine::{Deadline, Engine, Run, Task};
use heapwright_engine_symbolic_heap::{PathTurns, SymbolicHeapEngine};
use heapwright_engine_three_valued::{ThreeValuedEngine, refine_shapes};
use heapwright_engines::{EngineOptions, engines_on_request};
use heapwright_frontend::{InputError, World};
use heapwright_pictures::{
    Panel, abstract_heap, of_forest, of_storage_graph, side_by_side, structure_svg, svg,
};
use heapwright_program::Program;
use heapwright_property::Specification;
use heapwright_verdict::{Verdict, conclude};

use super::Shown;
use crate::arguments::ShowArguments;
use crate::exit;
use crate::question::specification;
use crate::shapes::{heaps, links};
use crate::sources::Input;

pub(super) fn families(arguments: &ShowArguments) -> Result<Shown, InputError> {
    let Input { program, messages, .. } = arguments.sources.load(World::Modelled)?;
    let panels =
        [storage_graph(&program), structure(&program), symbolic_heap(&program), forest(&program)];
    let panels: Vec<Panel> = panels.into_iter().flatten().collect();
    let exit = if panels.len() == 4 { 0 } else { exit::UNKNOWN };
    Ok(Shown { text: side_by_side(&panels), messages, exit })
}

fn storage_graph(program: &Program) -> Option<Panel> {
    // Storage graphs say nothing of lost memory, so they are asked about accesses.
    let question = specification(Some("valid-deref")).ok()?;
    let text = invariant(program, question, on_request("k-limited")?)?;
    let (text, links) = of_storage_graph(program, &text);
    let words = "what variables lead to has a node of its own; two rings are many blocks";
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    panel("storage graph (k-limited)", words, structure_svg(&text, &links)?)
}

fn structure(program: &Program) -> Option<Panel> {
    let task = Task::new(program.clone(), Specification::everyday(), false);
    let refined = refine_shapes(&task, &ThreeValuedEngine::default(), &Deadline::never());
    let certificate = refined.certificate?;
    let states: Vec<&str> = certificate.split("\nstate ").skip(1).collect();
    let place = |state: &str| state.lines().next().map(str::to_owned);
    let first = place(states.first()?);
    let at_first = states.into_iter().filter(|state| place(state) == first);
    let text = largest(at_first.flat_map(heaps).map(str::to_owned))?;
    let words = "two rings are one block or more; what is dotted is 1/2, true for some of them";
    panel(
        "three-valued structure",
        words,
        structure_svg(&from_pointers_on(&text), &links(&certificate))?,
    )
}

fn symbolic_heap(program: &Program) -> Option<Panel> {
    let mut engine = SymbolicHeapEngine::default();
    // What single paths decide has no invariants, so they come last.
    engine.settings.paths = PathTurns::Last;
    let text = invariant(program, Specification::everyday(), Box::new(engine))?;
    let words = "separation logic: one box is a segment, a list of one or more nodes";
    panel("symbolic heap", words, svg(&abstract_heap(program, &text)?.scene))
}

fn forest(program: &Program) -> Option<Panel> {
    let text = invariant(program, Specification::everyday(), on_request("forest-automata")?)?;
    let (text, links) = of_forest(program, &text);
    let words =
        "states and rules: a heap is a run of the automaton, with choices where it is dotted";
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    panel("forest automaton", words, structure_svg(&text, &links)?)
}

fn panel(title: &str, words: &str, picture: String) -> Option<Panel> {
    Some(Panel { title: title.to_owned(), words: words.to_owned(), picture })
}

fn on_request(name: &str) -> Option<Box<dyn Engine>> {
    engines_on_request(&EngineOptions::default()).into_iter().find(|engine| engine.name() == name)
}

/// The largest heap at the first loop head of a proof.
fn invariant(
    program: &Program,
    specification: Specification,
    engine: Box<dyn Engine>,
) -> Option<String> {
    let task = Task::new(program.clone(), specification, false);
    let deadline = Deadline::never();
    let finding = engine.run(&task, &Run::alone(&deadline));
    let Verdict::Holds(proof) = conclude(&task, finding, &deadline) else { return None };
    let invariants = proof.invariants();
    let place = |text: &String| text.lines().next().map(str::to_owned);
    let first = place(invariants.first()?);
    largest(invariants.iter().filter(|text| place(text) == first).cloned())
}

/// The text with the most lines; of several, the longest says that most is possible.
fn largest(texts: impl Iterator<Item = String>) -> Option<String> {
    texts.max_by_key(|text| (text.lines().count(), text.len()))
}

/// A structure whose blocks begin with those that pointers lead to, as one reads a list.
fn from_pointers_on(text: &str) -> String {
    let Some((blocks, rest)) = text.split_once('\n') else { return text.to_owned() };
    let mut blocks: Vec<&str> = blocks.trim_start_matches("blocks:").split_whitespace().collect();
    let pointers = rest.lines().filter_map(|line| line.split_once(": "));
    let is_pointer = |name: &str| name.contains('/') && !name.starts_with("size/");
    let pointed: Vec<&str> =
        pointers.filter(|(name, _)| is_pointer(name)).flat_map(|it| it.1.split(' ')).collect();
    blocks.sort_by_key(|block| !pointed.contains(&block.trim_end_matches('*')));
    format!("blocks: {}\n{rest}", blocks.join(" "))
}
