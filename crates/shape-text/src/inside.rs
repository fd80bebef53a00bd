//! Whether a state is one of those that a certificate claims: its blocks can be sent to the nodes there so
//! that every value is allowed.

use crate::certificate::Claims;
use crate::heap::{Heap, NULL, Node, WILD};
use crate::sharpen::sharpen_since;
use crate::state::{Pointer, Slot, State};
use crate::truth::Truth;
use crate::update::point;

/// Ways to send blocks to nodes that are tried.
const MOST_TRIES: u64 = 50_000;

/// Whether the claims of the place describe a state that has come there.
pub(crate) fn is_claimed(claims: &Claims, state: &State) -> bool {
    let known = claims.states.get(&state.spot).map_or(&[][..], Vec::as_slice);
    let mut last: Option<(Vec<Node>, Option<Heap>)> = None;
    for known in known.iter().filter(|known| holds_outside(known, state)) {
        let heads = heads(claims, known, state);
        let is_new = last.as_ref().is_none_or(|(last, _)| *last != heads);
        if is_new {
            last = Some((heads.clone(), arrived(claims, state, &heads)));
        }
        match &last {
            // There is no such heap.
            Some((_, None)) => return true,
            Some((_, Some(heap))) if embeds(heap, &known.heap) == Some(true) => return true,
            Some((_, Some(_))) | None => {}
        }
    }
    false
}

/// Where tracked pointers lead, as far as a claimed state speaks of them.
fn heads(claims: &Claims, known: &State, new: &State) -> Vec<Node> {
    let head = |slot: &Slot| match (known.pointers.get(slot), new.pointers.get(slot)) {
        (Some(Pointer::Block { .. }), Some(Pointer::Block { node, .. })) => *node,
        _ => NULL,
    };
    claims.tracked.iter().map(head).collect()
}

/// The heap of a state, after its predicates have learnt where pointers lead.
fn arrived(claims: &Claims, state: &State, heads: &[Node]) -> Option<Heap> {
    let mut heap = state.heap.clone();
    for (pointer, &target) in heads.iter().enumerate() {
        point(&mut heap, &claims.meaning, pointer, target);
    }
    sharpen_since(&mut heap, &claims.meaning, &state.heap).ok()?;
    Some(heap)
}

/// Whether what is claimed outside of the heap holds of a state.
fn holds_outside(known: &State, new: &State) -> bool {
    let are_numbers_known =
        known.numbers.iter().all(|(variable, bits)| new.numbers.get(variable) == Some(bits));
    // A cell that is not listed holds what it held at the start.
    let are_cells_known = new.pointers.keys().all(|slot| match slot {
        Slot::Variable(_) => true,
        Slot::Cell(..) => known.pointers.contains_key(slot),
    });
    let are_pointers_known = known.pointers.iter().all(|(slot, claimed)| {
        match (claimed, new.pointers.get(slot)) {
            (Pointer::Unknown, _) => true,
            // Which node it is, the structures tell.
            (Pointer::Block { offset, .. }, Some(Pointer::Block { offset: held, .. })) => {
                offset == held
            }
            (claimed, held) => held == Some(claimed),
        }
    });
    let are_objects_alive = known.objects.is_subset(&new.objects);
    are_numbers_known && are_cells_known && are_pointers_known && are_objects_alive
}

/// Whether one heap is an instance of the other. `None`: not found out with so many tries.
pub(crate) fn embeds(small: &Heap, large: &Heap) -> Option<bool> {
    let mut search = Search { small, large, targets: vec![NULL, WILD], tries: MOST_TRIES };
    if !search.fits(NULL) || !search.fits(WILD) {
        return Some(false);
    }
    let found = search.extend();
    (found || search.tries > 0).then_some(found)
}

struct Search<'h> {
    small: &'h Heap,
    large: &'h Heap,
    targets: Vec<Node>,
    tries: u64,
}

impl Search<'_> {
    /// Every node of the large heap stands for at least one block.
    fn extend(&mut self) -> bool {
        let node = self.targets.len();
        if node == self.small.len() {
            return self.large.blocks().all(|target| self.targets.contains(&target));
        }
        for target in self.large.blocks() {
            let is_taken = self.targets.contains(&target);
            if !self.large.is_many[target] && (is_taken || self.small.is_many[node]) {
                continue;
            }
            self.tries = self.tries.saturating_sub(1);
            if self.tries == 0 {
                return false;
            }
            self.targets.push(target);
            if self.fits(node) && self.extend() {
                return true;
            }
            self.targets.pop();
        }
        false
    }

    /// Whether the values of a node, and those between it and the nodes before it, are allowed.
    fn fits(&self, node: Node) -> bool {
        let (small, large) = (self.small, self.large);
        let target = self.targets[node];
        let allows = |claimed: Truth, value: Truth| claimed.allows(value);
        let unary = small.unary.rows().zip(large.unary.rows());
        let binary = || small.binary.iter().zip(&large.binary);
        unary.into_iter().all(|(small, large)| allows(large[target], small[node]))
            && binary().all(|(small, large)| {
                (0..=node).all(|other| {
                    let to = self.targets[other];
                    allows(large[target][to], small[node][other])
                        && allows(large[to][target], small[other][node])
                })
            })
    }
}
