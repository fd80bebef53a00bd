//! A check of definitions at load: every small heap of a predicate is recognised as one.
//!
//! What folding does not recognise would never become an instance, and nobody would know why: say so before it begins.
//! Heaps are those that the definitions tell of themselves, with a block of its own for each argument.

use std::sync::Arc;

use heapwright_logic::TermId;
use imbl::OrdMap;

use crate::definition::Definitions;
use crate::definition::check::Problem;
use crate::definition::members::{Held, Member, members};
use crate::heap::block::{Block, BlockId, BlockKind, Cell, DefaultBytes, Life};
use crate::heap::contents::Contents;
use crate::heap::names::Names;
use crate::heap::role::Role;
use crate::heap::state::State;
use crate::summary::user::derive::{Place, derive};

/// Nodes of the largest heaps that are tried, and how many heaps of each predicate.
const NODES: usize = 4;
const HEAPS: usize = 200;

/// Whether all small heaps of all predicates are recognised.
pub(crate) fn check_small_heaps(
    names: &mut Names<'_>,
    start: &State,
    definitions: &Arc<Definitions>,
) -> Result<(), Problem> {
    for (predicate, item) in definitions.predicates.iter().enumerate() {
        for member in members(definitions, predicate, NODES, HEAPS) {
            let mut state = start.clone();
            let heap = write_member(names, &mut state, &member, item.parameters);
            let referrers = names.referrers(&state);
            let place = Place { state: &state, referrers: &referrers, definitions };
            let found = derive(names, place, heap.nodes[0], predicate);
            let is_right = found.is_some_and(|found| {
                found.hole.is_none()
                    && found.arguments == heap.arguments
                    && found.blocks.iter().eq(heap.nodes.iter())
            });
            if !is_right {
                let message = format!(
                    "a heap of this predicate with {} nodes is not recognised as one: {}",
                    member.nodes.len(),
                    told(&member)
                );
                return Err(Problem { predicate, node: None, parameter: None, message });
            }
        }
    }
    Ok(())
}

/// A heap of a predicate in a state.
pub(crate) struct Written {
    /// The root first.
    pub(crate) nodes: Vec<BlockId>,
    /// Addresses of blocks that are no nodes.
    pub(crate) arguments: Vec<TermId>,
}

/// Adds a heap to a state, with a block for each argument.
pub(crate) fn write_member(
    names: &mut Names<'_>,
    state: &mut State,
    member: &Member,
    parameters: usize,
) -> Written {
    let nodes: Vec<BlockId> = member.nodes.iter().map(|_| state.new_block_id()).collect();
    let others: Vec<BlockId> = (0..parameters).map(|_| state.new_block_id()).collect();
    let arguments: Vec<TermId> = others.iter().map(|&id| names.address(id)).collect();
    for (&id, node) in nodes.iter().zip(&member.nodes) {
        let mut block = empty_block(names, state, node.size);
        for &(offset, size, held) in &node.fields {
            let value = match held {
                Held::Null => names.terms.bit_vector(0, 8 * size as u32),
                Held::Node(index) => names.address(nodes[index]),
                Held::Argument(index) => arguments[index],
                Held::Number(number) => names.terms.bit_vector(number, 8 * size as u32),
            };
            block.cells.insert(offset, Cell { size, value });
        }
        state.blocks.insert(id, Arc::new(block));
    }
    for id in others {
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
            };
            format!("+{offset}/{size} = {held}")
        });
        format!("node {} has {}", index + 1, fields.collect::<Vec<String>>().join(", "))
    });
    nodes.collect::<Vec<String>>().join("; ")
}
