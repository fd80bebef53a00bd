//! Whether a state is one of those that a certificate claims: its blocks can be sent to the nodes there so
//! that every value is allowed.

use crate::certificate::{Claims, Numeral};
use crate::heap::{Heap, NULL, Node, WILD};
use crate::number::Number;
use crate::sharpen::{sharpen, sharpen_since};
use crate::state::{Pointer, Slot, State};
use crate::truth::Truth;
use crate::update::point;

/// Ways to send blocks to nodes that are tried.
const MOST_TRIES: u64 = 50_000;

/// Whether the claims of the place describe a state that has come there.
pub(crate) fn is_claimed(claims: &Claims, state: &State) -> bool {
    let known = claims.states.get(&state.spot).map_or(&[][..], Vec::as_slice);
    let mut last: Option<(Heads, Option<Heap>)> = None;
    for known in known.iter().filter(|known| holds_outside(known, state)) {
        let Some(heads) = heads(claims, known, state) else { continue };
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

/// Where tracked pointers lead, and the numbers of tracked variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Heads {
    pointers: Vec<Node>,
    /// By numeral; none where a claimed state does not speak of it, and for constants, whose nodes stay.
    numbers: Vec<Option<Number>>,
}

/// What a claimed state speaks of; nothing if it speaks of a number that is not known.
fn heads(claims: &Claims, known: &State, new: &State) -> Option<Heads> {
    let mut numbers = Vec::new();
    for (numeral, _) in &claims.numerals {
        let Numeral::Variable(variable) = numeral else {
            numbers.push(None);
            continue;
        };
        let number = new.data.get(variable).map(|node| Number::Like(*node)).or_else(|| {
            let bits = new.numbers.get(variable)?;
            Some(claims.constant(&new.heap, *bits).map_or(Number::Some, Number::Like))
        });
        match (known.data.contains_key(variable), number) {
            (true, None) => return None,
            (true, number) => numbers.push(number),
            (false, _) => numbers.push(None),
        }
    }
    let head = |slot: &Slot| match (known.pointers.get(slot), new.pointers.get(slot)) {
        (Some(Pointer::Block { .. }), Some(Pointer::Block { node, .. })) => *node,
        _ => NULL,
    };
    Some(Heads { pointers: claims.tracked.iter().map(head).collect(), numbers })
}

/// The heap of a state, after its predicates have learnt where pointers lead and which numbers there are.
fn arrived(claims: &Claims, state: &State, heads: &Heads) -> Option<Heap> {
    let mut heap = state.heap.clone();
    let kept = add_numbers(claims, &mut heap, heads)?;
    for (pointer, &target) in heads.pointers.iter().enumerate() {
        point(&mut heap, &claims.meaning, pointer, target);
    }
    if claims.order.is_none() {
        sharpen_since(&mut heap, &claims.meaning, &state.heap).ok()?;
        return Some(heap);
    }
    let is_gone = |node: &Node| claims.is_number(&heap, *node) && !kept.contains(node);
    let gone: Vec<Node> = heap.blocks().filter(is_gone).collect();
    for node in gone.into_iter().rev() {
        heap.remove(node);
    }
    sharpen(&mut heap, &claims.meaning).ok()?;
    Some(heap)
}

/// Gives the numbers that a claimed state speaks of nodes of their own, behind the others; and which nodes of numbers stay:
/// these, and those of constants.
fn add_numbers(claims: &Claims, heap: &mut Heap, heads: &Heads) -> Option<Vec<Node>> {
    let mut kept = Vec::new();
    for ((numeral, predicate), number) in claims.numerals.iter().zip(&heads.numbers) {
        match (numeral, number) {
            (Numeral::Constant(bits), _) => kept.extend(claims.constant(heap, *bits)),
            (Numeral::Variable(_), None) => lead(heap, *predicate, NULL),
            (Numeral::Variable(_), Some(number)) => {
                let (larger, node) = claims.with_number(heap, *number).ok()?;
                *heap = larger;
                lead(heap, *predicate, node);
                kept.push(node);
            }
        }
    }
    Some(kept)
}

fn lead(heap: &mut Heap, predicate: usize, node: Node) {
    heap.unary[predicate].fill(Truth::No);
    heap.unary[predicate][node] = Truth::Yes;
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
