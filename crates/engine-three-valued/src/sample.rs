//! Explicit heaps: runs of the program say which structure its blocks form.
//!
//! Samples guide the choice of a class and prove nothing. They are taken at loop heads, where a
//! structure is whole more often than in the middle of a function that changes it.

use std::collections::BTreeSet;

use heapwright_engine::{Deadline, run_settings};
use heapwright_interpreter::{Environment, Executable, Limits, Machine, SeededInputs};
use heapwright_memory::{BlockId, Memory, Value};
use heapwright_program::{DataModel, sign_extend};
use heapwright_three_valued::class::{Instance, Library, Selection, ShapeClass};
use heapwright_three_valued::{Kleene, NULL, Node, Structure, WILD, truth};

use crate::model::Atlas;
use crate::precision::{Cast, Field, NumberField};

/// The heaps that were seen: for each block of one size, where each of its fields leads and its numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Samples {
    pub(crate) fields: Vec<Field>,
    pub(crate) numbers: Vec<NumberField>,
    pub(crate) heaps: BTreeSet<Vec<SeenBlock>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeenBlock {
    /// By field: a node of a structure.
    links: Vec<Node>,
    /// By number field; none where nothing was written.
    numbers: Vec<Option<i128>>,
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
pub(crate) fn sample(atlas: &Atlas<'_>, mut samples: Samples, deadline: &Deadline) -> Samples {
    let mut settings = run_settings(atlas.task);
    settings.compile.keep_locations = true;
    settings.notes = 0;
    settings.limits = Limits { steps: STEPS, memory: 16 << 20, ..Limits::default() };
    let executable = Executable::compile(atlas.program(), &settings.compile);
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
            let read =
                |number: &NumberField| number_in(memory, machine.program().model, (block, *number));
            SeenBlock {
                links: self.fields.iter().map(lead).collect(),
                numbers: self.numbers.iter().map(read).collect(),
            }
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
            let orders: Vec<Option<NumberField>> = match &item.order {
                Some(_) => self.numbers.iter().copied().map(Some).collect(),
                None => vec![None],
            };
            for roles in injections(&self.fields, item.roles.len()) {
                for &order in &orders {
                    let families = vec![false; item.families.len()];
                    let cast = Cast { class, roles: roles.clone(), order, families };
                    if trust == Trust::None || self.described(item, &cast) >= wanted.max(1) {
                        found.push(cast);
                    }
                }
            }
        }
        found
    }

    /// How many heaps a class describes; none if a role is not played.
    fn described(&self, class: &ShapeClass, cast: &Cast) -> usize {
        let families = cast.families.clone();
        let selection = Selection { families, ..Selection::default() };
        let instance = Instance::of(class, &selection).expect("links alone");
        let Ok(formulas) = instance.samples(class) else { return 0 };
        let places: Vec<usize> = cast
            .roles
            .iter()
            .map(|role| self.fields.iter().position(|field| field == role).expect("a field"))
            .collect();
        let is_played = |&place: &usize| {
            let mut targets = self.heaps.iter().flatten().map(|block| block.links[place]);
            targets.any(|target| target != NULL && target != WILD)
        };
        let number = cast.order.and_then(|it| self.numbers.iter().position(|known| *known == it));
        let fits = |heap: &&Vec<SeenBlock>| {
            let structure = structure_of(&instance, heap, (&places, number));
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

fn structure_of(
    instance: &Instance,
    heap: &[SeenBlock],
    (places, number): (&[usize], Option<usize>),
) -> Structure {
    let mut structure = Structure::new(&instance.vocabulary, heap.len());
    for (block, seen) in heap.iter().enumerate() {
        for (link, place) in instance.links.iter().zip(places) {
            structure.set_binary(*link, block + 2, seen.links[*place], Kleene::True);
        }
        for (other, against) in heap.iter().enumerate() {
            if let (Some(order), Some(number)) = (instance.order, number) {
                let sides = seen.numbers[number].zip(against.numbers[number]);
                let is_at_most = sides.is_some_and(|(one, other)| one <= other);
                structure.set_binary(order, block + 2, other + 2, Kleene::from(is_at_most));
            }
        }
    }
    structure
}

/// The number in a field of a block, if one was written.
fn number_in(
    memory: &Memory,
    model: DataModel,
    (block, number): (BlockId, NumberField),
) -> Option<i128> {
    let address = Value::pointer(memory.block(block).base + number.field.offset, block);
    let bits = match number.ty.size(model) {
        1 => memory.plain_load::<1>(address),
        2 => memory.plain_load::<2>(address),
        4 => memory.plain_load::<4>(address),
        8 => memory.plain_load::<8>(address),
        _ => None,
    }?;
    Some(match number.ty.is_signed() {
        true => sign_extend(u128::from(bits), number.ty.value_bits(model)),
        false => i128::from(bits),
    })
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
