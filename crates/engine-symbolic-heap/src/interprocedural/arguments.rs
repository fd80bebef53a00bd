//! What a result may depend on: numbers at entry that a call and those who wait for it both hold.
//!
//! These are the numbers that a call is given, those in globals that functions change, and how many nodes the lists and trees have that it reaches. Whatever the call
//! does to its parameters and to its lists, they stay what they were when it began. The exits say how the result
//! and the lists go with them, and what waits knows what they were. There are as many for all calls of a
//! function that reach the same shape, so that the entry of one may describe another.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;
use heapwright_program::VariableId;

use crate::abstraction::leak::reduce;
use crate::abstraction::normalise::project;
use crate::execution::step::scalar_of;
use crate::heap::block::{Block, BlockKind, End, Life};
use crate::heap::names::Names;
use crate::heap::state::{Outside, State};
use crate::interprocedural::localise::{HeapFrame, is_number, reached_in_order};
use crate::no_proof::NoProof;
use crate::precision::{Arguments, Measuring};
use crate::summary::domain::Domain;

/// Arguments that are held.
const MOST_ARGUMENTS: usize = 4;

/// Globals that are held.
const MOST_GLOBALS: usize = 3;

/// Lists whose lengths are held.
const MOST_LENGTHS: usize = 4;

/// The widest arguments that are held.
const WIDEST: u32 = 64;

/// Numbers of which each stands at a place of the callee's list, and at the same place of the list of what waits.
#[derive(Default)]
struct Held {
    callee: Vec<TermId>,
    waiting: Vec<TermId>,
}

impl Held {
    fn add(&mut self, callee: TermId, waiting: TermId) {
        self.callee.push(callee);
        self.waiting.push(waiting);
    }

    fn has(&self, callee: TermId, waiting: TermId) -> bool {
        self.callee.iter().zip(&self.waiting).any(|(&a, &b)| (a, b) == (callee, waiting))
    }
}

/// Lets a call that was cut off hold its arguments.
pub(crate) fn hold_arguments(
    domain: &mut Domain<'_, '_>,
    entry: &mut State,
    waiting: &mut HeapFrame,
) -> Result<(), NoProof> {
    match domain.precision.arguments {
        Arguments::Forgotten => return Ok(()),
        Arguments::Held => {}
    }
    let names = &mut domain.reasoner.names;
    let arguments = arguments(names, entry);
    // Lengths are known once the lists are folded, by the names of numbers that may have changed until then.
    let of_lengths = names_in_lengths(names, entry);
    // The lengths themselves are told. What one was before its list was folded would be one number more in each call.
    let is_told = |name: &TermId| of_lengths.contains(name);
    waiting.held.retain(|name| !is_told(name));
    let before = waiting.held.len();
    waiting.held.extend(arguments.iter().chain(&of_lengths));
    set_held(entry, waiting.held.clone());
    reduce(domain, entry)?;
    let after: Vec<TermId> = entry.held_outside().collect();
    let mut held = Held::default();
    let behind = before + arguments.len();
    for (&callee, &name) in after[before..behind].iter().zip(&arguments) {
        held.add(callee, name);
    }
    let renaming = after[behind..].iter().copied().zip(of_lengths).collect();
    let ends = match domain.precision.measuring {
        Measuring::Unseen => &[End::Length][..],
        Measuring::Seen => &[End::Length, End::Height],
    };
    add_lengths(&mut domain.reasoner.names, entry, (&renaming, ends), &mut held);
    let mut all = Held::default();
    for (&callee, &name) in after[..before].iter().zip(&waiting.held) {
        // Where an argument is a number that callers hold for themselves, it would be told twice in some calls only.
        if !held.has(callee, name) {
            all.add(callee, name);
        }
    }
    all.callee.extend(held.callee);
    all.waiting.extend(held.waiting);
    waiting.held = all.waiting;
    set_held(entry, all.callee);
    project(domain.reasoner, domain.precision, entry);
    Ok(())
}

fn set_held(entry: &mut State, held: Vec<TermId>) {
    let outside = entry.outside.as_ref().expect("a call that was cut off");
    let (function, result) = (outside.function, outside.result);
    entry.outside = Some(Arc::new(Outside { function, held, result }));
}

/// The numbers that a call is given, by its parameters and by globals. A variable that is never read or that has a part of an address is as
/// good as a constant.
fn arguments(names: &mut Names<'_>, entry: &State) -> Vec<TermId> {
    let frame = entry.frame();
    let parameters = names.program().functions[frame.function].parameters.clone();
    let is_narrow = |names: &Names<'_>, id: VariableId| {
        let ty = scalar_of(names, id);
        ty.is_integer() && names.bits(ty) <= WIDEST
    };
    let mut given: Vec<(VariableId, Option<TermId>)> = Vec::new();
    for id in parameters.into_iter().filter(|&id| is_narrow(names, id)).take(MOST_ARGUMENTS) {
        given.push((id, frame.registers[names.facts.slot(id)]));
    }
    let globals = names.facts.changing_globals.iter().copied();
    for id in globals.filter(|&id| is_narrow(names, id)).take(MOST_GLOBALS) {
        given.push((id, entry.globals[names.facts.slot(id)]));
    }
    let mut values = Vec::new();
    for (id, value) in given {
        let width = names.bits(scalar_of(names, id));
        let number = value.filter(|&value| is_number(names, value));
        values.push(number.unwrap_or_else(|| names.terms.bit_vector(0, width)));
    }
    values
}

fn names_in_lengths(names: &Names<'_>, entry: &State) -> Vec<TermId> {
    let ends = |block: &Arc<Block>| [End::Length, End::Height].map(|end| block.end(end));
    let lengths: Vec<TermId> = entry.blocks.values().flat_map(ends).flatten().collect();
    let mut found = names.terms.free_variables(&lengths);
    found.retain(|&name| is_number(names, name));
    found
}

/// Adds how many nodes the lists and trees have that a call reaches, and how high trees are, if that is told. A single node may be described by a list
/// elsewhere, and has a length too; what has none is as good as a single node.
fn add_lengths(
    names: &mut Names<'_>,
    entry: &State,
    (renaming, ends): (&BTreeMap<TermId, TermId>, &[End]),
    held: &mut Held,
) {
    let has_length = |block: &Block| {
        block.kind == BlockKind::Heap && block.life == Life::Alive && !block.is_peer()
    };
    let one = names.terms.bit_vector(1, names.pointer_bits());
    let reached = reached_in_order(names, entry).into_iter();
    let blocks = reached.map(|id| entry.block(id)).filter(|block| has_length(block));
    let blocks: Vec<&Arc<Block>> = blocks.take(MOST_LENGTHS).collect();
    for (block, &end) in
        blocks.into_iter().flat_map(|block| ends.iter().map(move |end| (block, end)))
    {
        let length = block.end(end).unwrap_or(one);
        let free = names.terms.free_variables(&[length]);
        match free.iter().all(|name| renaming.contains_key(name)) {
            true => held.add(length, names.terms.substitute(length, renaming)),
            false => held.add(one, one),
        }
    }
}
