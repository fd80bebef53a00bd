//! Explicit heaps: runs of the program say which structure its blocks form.
//!
//! Samples guide the choice of a class and prove nothing. They are taken at loop heads, where a
//! structure is whole more often than in the middle of a function that changes it.

use std::collections::BTreeSet;

use heapwright_engine::{Deadline, run_settings};
use heapwright_interpreter::{Environment, Executable, Limits, Machine, SeededInputs};
use heapwright_memory::{BlockId, Memory, Value};
use heapwright_three_valued::class::{Instance, Library, Selection, ShapeClass};
use heapwright_three_valued::{Kleene, NULL, Node, Structure, WILD, truth};

use crate::model::Atlas;
use crate::precision::{Cast, Field};

/// The heaps that were seen: for each block of one size, where each of its fields leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Samples {
    pub(crate) fields: Vec<Field>,
    /// Blocks by fields: a node of a structure.
    pub(crate) heaps: BTreeSet<Vec<Vec<Node>>>,
}

/// How far samples are believed: one that was taken while the structure was being changed fits nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    All,
    Most,
    None,
}

/// How many different heaps are enough, and how large they are.
const ENOUGH: usize = 12;
const SMALLEST: usize = 4;
const LARGEST: usize = 24;
const SEEDS: u64 = 64;
const STEPS: u64 = 20_000;
const EDGES: u64 = 4_000;

/// Runs the program, and looks at the blocks of one size at loop heads.
pub(crate) fn sample(atlas: &Atlas<'_>, fields: Vec<Field>, deadline: &Deadline) -> Samples {
    let mut settings = run_settings(atlas.task);
    settings.compile.keep_locations = true;
    settings.notes = 0;
    settings.limits = Limits { steps: STEPS, memory: 16 << 20, ..Limits::default() };
    let executable = Executable::compile(atlas.program(), &settings.compile);
    let mut samples = Samples { fields, heaps: BTreeSet::new() };
    for seed in 0..SEEDS {
        let inputs = SeededInputs::new(seed);
        let mut machine = Machine::new(&executable, &settings, Environment::silent(inputs));
        for _ in 0..EDGES {
            if machine.step().is_some() {
                break;
            }
            let is_cut = machine
                .location()
                .is_some_and(|(function, location)| atlas.is_cut(function, location));
            if is_cut {
                samples.look(&machine);
            }
        }
        if samples.heaps.len() >= ENOUGH || deadline.is_over() {
            break;
        }
    }
    samples
}

impl Samples {
    fn look(&mut self, machine: &Machine<'_>) {
        let memory = machine.memory();
        let Some(size) = self.fields.first().map(|field| field.size) else { return };
        let blocks: Vec<BlockId> =
            memory.live_heap().filter(|(_, block)| block.size == size).map(|it| it.0).collect();
        if !(SMALLEST..=LARGEST).contains(&blocks.len()) || self.heaps.len() >= ENOUGH {
            return;
        }
        let of_block = |&block: &BlockId| {
            let lead = |field: &Field| leads_to(memory, &blocks, (block, field.offset));
            self.fields.iter().map(lead).collect()
        };
        self.heaps.insert(blocks.iter().map(of_block).collect());
    }

    /// The classes that describe all heaps that were seen, or most of them, or that there are, with the
    /// fields that play their roles.
    pub(crate) fn casts(&self, library: &Library, trust: Trust) -> Vec<Cast> {
        let wanted = match trust {
            Trust::All => self.heaps.len(),
            Trust::Most => self.heaps.len() / 2 + 1,
            Trust::None => 0,
        };
        let mut found = Vec::new();
        for (class, item) in library.classes.iter().enumerate() {
            for roles in injections(&self.fields, item.roles.len()) {
                if trust == Trust::None || self.described(item, &roles) >= wanted.max(1) {
                    let families = vec![false; item.families.len()];
                    found.push(Cast { class, roles, families });
                }
            }
        }
        found
    }

    /// How many heaps a class describes; none if a role is not played.
    fn described(&self, class: &ShapeClass, roles: &[Field]) -> usize {
        let families = vec![false; class.families.len()];
        let selection = Selection { families, pointers: Vec::new(), marks: Vec::new() };
        let instance = Instance::of(class, &selection).expect("links alone");
        let Ok(formulas) = instance.samples(class) else { return 0 };
        let places: Vec<usize> = roles
            .iter()
            .map(|role| self.fields.iter().position(|field| field == role).expect("a field"))
            .collect();
        let is_played = |&place: &usize| {
            let mut targets = self.heaps.iter().flatten().map(|block| block[place]);
            targets.any(|target| target != NULL && target != WILD)
        };
        let fits = |heap: &&Vec<Vec<Node>>| {
            let structure = structure_of(&instance, heap, &places);
            formulas.iter().all(|formula| truth(&structure, formula) == Kleene::True)
        };
        match places.iter().all(is_played) {
            true => self.heaps.iter().filter(fits).count(),
            false => 0,
        }
    }

    /// How many heaps, and of how many blocks: for people.
    pub(crate) fn words(&self) -> String {
        let sizes = || self.heaps.iter().map(Vec::len);
        match (sizes().min(), sizes().max()) {
            (Some(least), Some(most)) => {
                format!("{} samples of {least} to {most} nodes", self.heaps.len())
            }
            _ => "no samples".to_owned(),
        }
    }
}

/// All ways to choose different fields for so many roles.
fn injections(fields: &[Field], count: usize) -> Vec<Vec<Field>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for chosen in injections(fields, count - 1) {
        for field in fields.iter().filter(|field| !chosen.contains(field)) {
            found.push([chosen.as_slice(), &[*field]].concat());
        }
    }
    found
}

fn structure_of(instance: &Instance, heap: &[Vec<Node>], places: &[usize]) -> Structure {
    let mut structure = Structure::new(&instance.vocabulary, heap.len());
    for (block, targets) in heap.iter().enumerate() {
        for (link, place) in instance.links.iter().zip(places) {
            structure.set_binary(*link, block + 2, targets[*place], Kleene::True);
        }
    }
    structure
}

/// The node that a word of a block leads to.
fn leads_to(memory: &Memory, blocks: &[BlockId], (block, offset): (BlockId, u64)) -> Node {
    let base = memory.block(block).base;
    let word = memory.plain_load_pointer(Value::pointer(base + offset, block));
    match word {
        None => WILD,
        Some(word) if word.low == 0 => NULL,
        Some(word) => {
            let target = word.block().and_then(|id| blocks.iter().position(|known| *known == id));
            let is_start = word.block().is_some_and(|id| memory.block(id).base == word.low);
            target.filter(|_| is_start).map_or(WILD, |index| index + 2)
        }
    }
}
