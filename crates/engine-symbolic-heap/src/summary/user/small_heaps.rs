//! A check of definitions at load: every small heap of a predicate is recognised as one.
//!
//! What folding does not recognise would never become an instance, and nobody would know why: say so before it begins.
//! Heaps are those that the definitions tell of themselves, with a block of its own for each argument.

use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdMap;

use crate::definition::check::Problem;
use crate::definition::members::{Held, Member, members};
use crate::definition::{Definitions, Kind};
use crate::heap::block::{Block, BlockId, BlockKind, Cell, DefaultBytes, Life};
use crate::heap::contents::Contents;
use crate::heap::names::Names;
use crate::heap::role::Role;
use crate::heap::state::State;
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::{Possible, require};
use crate::summary::user::derive::{Place, derive};

/// Nodes of the largest heaps that are tried, and how many heaps of each predicate.
const NODES: usize = 4;
const HEAPS: usize = 200;

/// Whether all small heaps of all predicates are recognised.
pub(crate) fn check_small_heaps(
    reasoner: &mut Reasoner<'_>,
    start: &State,
    definitions: &Arc<Definitions>,
) -> Result<(), Problem> {
    for predicate in 0..definitions.predicates.len() {
        let mut is_possible = false;
        for member in members(definitions, predicate, NODES, HEAPS) {
            let mut state = start.clone();
            let heap = write_member(&mut reasoner.names, &mut state, &member);
            if matches!(reasoner.possible(&state, TermId::TRUE), Possible::No) {
                // Its laws contradict each other.
                continue;
            }
            is_possible = true;
            if !is_recognised(reasoner, (&state, &heap), definitions, predicate) {
                let message = format!(
                    "a heap of this predicate with {} nodes is not recognised as one: {}",
                    member.nodes.len(),
                    told(&member)
                );
                return Err(Problem { predicate, node: None, parameter: None, message });
            }
        }
        if !is_possible {
            let message = format!(
                "the laws of this predicate let no heap with at most {NODES} nodes be one of it"
            );
            return Err(Problem { predicate, node: None, parameter: None, message });
        }
    }
    Ok(())
}

/// Whether the blocks of a heap are found to be an instance. Numbers may be told more narrowly than they are given.
fn is_recognised(
    reasoner: &mut Reasoner<'_>,
    (state, heap): (&State, &Written),
    definitions: &Arc<Definitions>,
    predicate: usize,
) -> bool {
    let referrers = reasoner.names.referrers(state);
    let place = Place { state, referrers: &referrers, definitions };
    let kinds = &definitions.predicates[predicate].parameters;
    let found = derive(&mut reasoner.names, place, heap.nodes[0], predicate);
    found.into_iter().any(|found| {
        let given = kinds.iter().zip(found.arguments.iter().zip(&heap.arguments));
        let mut pointers = given.filter(|(kind, _)| **kind == Kind::Pointer);
        found.hole.is_none()
            && pointers.all(|(_, (found, given))| found == given)
            && found.blocks.iter().eq(heap.nodes.iter())
            && found.is_lawful(reasoner, state)
    })
}

/// A heap of a predicate in a state.
pub(crate) struct Written {
    /// The root first.
    pub(crate) nodes: Vec<BlockId>,
    /// Addresses of blocks that are no nodes, and numbers.
    pub(crate) arguments: Vec<TermId>,
}

/// Adds a heap to a state, with a block for each argument that is a pointer, and a name for each number.
pub(crate) fn write_member(names: &mut Names<'_>, state: &mut State, member: &Member) -> Written {
    let nodes: Vec<BlockId> = member.nodes.iter().map(|_| state.new_block_id()).collect();
    let others = member.arguments.iter().map(|held| match held {
        Held::Argument(_) => Some(state.new_block_id()),
        Held::Null | Held::Node(_) | Held::Number(_) | Held::Unknown(_) => None,
    });
    let others: Vec<Option<BlockId>> = others.collect();
    let addresses: Vec<Option<TermId>> =
        others.iter().map(|id| id.map(|id| names.address(id))).collect();
    let numbers = member.numbers.iter().map(|&bytes| names.fresh("number", 8 * bytes as u32));
    let numbers: Vec<TermId> = numbers.collect();
    let term = |held: Held| match held {
        Held::Argument(index) => addresses[index],
        Held::Unknown(index) => Some(numbers[index]),
        Held::Null | Held::Node(_) | Held::Number(_) => None,
    };
    let arguments = member.arguments.iter();
    let arguments = arguments.map(|&held| term(held).expect("arguments are what they stand for"));
    let arguments: Vec<TermId> = arguments.collect();
    for law in &member.laws {
        let (law, held) = law.parts();
        let formula = law.formula(&mut names.terms, &|value| term(held(value)?));
        // What compares constants alone is no law.
        require(names, state, formula.expect("every name of a law has a term"));
    }
    for (&id, node) in nodes.iter().zip(&member.nodes) {
        let mut block = empty_block(names, state, node.size);
        for &(offset, size, held) in &node.fields {
            let value = match held {
                Held::Null => names.terms.bit_vector(0, 8 * size as u32),
                Held::Node(index) => names.address(nodes[index]),
                Held::Argument(_) | Held::Unknown(_) => term(held).expect("it stands for itself"),
                Held::Number(number) => names.terms.bit_vector(number, 8 * size as u32),
            };
            block.cells.insert(offset, Cell { size, value });
        }
        state.blocks.insert(id, Arc::new(block));
    }
    for id in others.into_iter().flatten() {
        let block = empty_block(names, state, 1);
        state.blocks.insert(id, Arc::new(block));
    }
    Written { nodes, arguments }
}

fn empty_block(names: &mut Names<'_>, state: &mut State, size: u64) -> Block {
    let serial = state.next_serial;
    state.next_serial += 1;
    Block {
        kind: BlockKind::Heap,
        life: Life::Alive,
        size: names.terms.bit_vector(u128::from(size), names.pointer_bits()),
        cells: OrdMap::new(),
        rest: DefaultBytes::Uninitialised,
        zero: None,
        contents: Contents::default(),
        serial,
        origin: names.origin_of_calls(Vec::new()),
        role: Role::default(),
    }
}

/// A heap in words: what each node holds.
fn told(member: &Member) -> String {
    let nodes = member.nodes.iter().enumerate().map(|(index, node)| {
        let fields = node.fields.iter().map(|(offset, size, held)| {
            let held = match held {
                Held::Null => "null".to_owned(),
                Held::Node(node) => format!("node {}", node + 1),
                Held::Argument(argument) => format!("argument {}", argument + 1),
                Held::Number(number) => number.to_string(),
                Held::Unknown(number) => format!("number {}", number + 1),
            };
            format!("+{offset}/{size} = {held}")
        });
        format!("node {} has {}", index + 1, fields.collect::<Vec<String>>().join(", "))
    });
    nodes.collect::<Vec<String>>().join("; ")
}
