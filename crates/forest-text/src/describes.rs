//! When a forest stands for another: its trees take all blocks of the other, each once, and hold what these hold.
//!
//! Trees of the claim are laid over the other's blocks from the roots on. Over an open block a rule of the claim
//! is laid, over a closed one the claim's state by simulation (`simulate`). The check of certificates asks it of
//! forests that a step leads to, the oracle of the memory of a running machine, all blocks of which are open.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::automaton::{Automaton, Known, Rule, StateId, Term, Value};
use crate::bytes::read;
use crate::forest::{Base, BlockId, Body, Cells, Forest};
use crate::ways::known_ups;

/// Rules that are laid over blocks.
const MOST_TRIES: u32 = 20_000;

/// Whether the claimed forest stands for the other. `None`: not found out with so many tries.
#[must_use]
pub fn describes(claimed: &Forest, other: &Forest) -> Option<bool> {
    if claimed.spot != other.spot || other.may_lose && !claimed.may_lose {
        return Some(false);
    }
    if !may_hold_what_roots_hold(claimed, other) {
        return Some(false);
    }
    // A block of the claim may be found by nothing but what it tells one in its hole.
    let claimed = &named(claimed, &known_ups(claimed));
    let known = known_ups(other);
    let other = &named(other, &known);
    let mut search = Search { claimed, other, known, tries: MOST_TRIES };
    let is_found = search.start();
    (is_found || search.tries > 0).then_some(is_found)
}

/// Whether variables and objects hold the same as far as that is seen without knowing what names stand for. Most claims are left
/// out by it, before anything is copied.
fn may_hold_what_roots_hold(claimed: &Forest, other: &Forest) -> bool {
    let is_held = |claimed: Value<Base>, held: Value<Base>| match (claimed, held) {
        (Value::Any, _) | (_, Value::To(..)) => true,
        (Value::To(Base::Up(..), _), _) => true,
        (Value::To(Base::Block(_), _), _) => false,
        (Value::Bits(_) | Value::Object(..) | Value::Function(_), _) => claimed == held,
    };
    let variables = claimed.variables.iter().all(|(variable, value)| {
        let held = other.variables.get(variable).copied().unwrap_or(Value::Any);
        is_held(*value, held)
    });
    variables
        && claimed.objects.iter().all(|(object, cells)| {
            other.objects.get(object).is_some_and(|held| {
                let mut cells = cells.iter();
                cells.all(|(offset, cell)| is_held(cell.holds, read(held, *offset, cell.width)))
            })
        })
}

/// A forest with names in the place of what blocks in holes are told.
fn named(forest: &Forest, known: &BTreeMap<Base, Value<Base>>) -> Forest {
    let mut named = forest.clone();
    named.substitute(|base| known.get(&base).copied().unwrap_or(Value::To(base, 0)));
    named
}

/// What a parameter of the claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    /// A name of the claim, so many bytes on.
    Name(Base, i64),
    /// A value of the other forest.
    Is(Value<Base>),
    Any,
    /// Nobody knows, so that nothing may be asked of it.
    Unknown,
}

/// A tree that is to be laid over a block.
#[derive(Clone, Debug)]
pub(crate) struct Laid {
    pub(crate) automaton: Arc<Automaton>,
    pub(crate) state: StateId,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) over: BlockId,
}

/// What is settled so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// What the claim's names are in the other forest.
    pub(crate) names: BTreeMap<Base, Value<Base>>,
    used: BTreeSet<BlockId>,
    begun: BTreeSet<BlockId>,
    pub(crate) open: Vec<Laid>,
}

impl Course {
    /// Whether a binding of the claim can be this value of the other forest.
    pub(crate) fn unify(&mut self, binding: Binding, value: Value<Base>) -> bool {
        match binding {
            Binding::Any => true,
            Binding::Unknown => false,
            Binding::Is(is) => is == value && is != Value::Any,
            Binding::Name(name, by) => {
                let Value::To(base, at) = value else { return false };
                let Some(at) = at.checked_sub(by) else { return false };
                let is_block = matches!(base, Base::Block(_)) && at == 0;
                if matches!(name, Base::Block(_)) && !is_block {
                    return false;
                }
                *self.names.entry(name).or_insert(Value::To(base, at)) == Value::To(base, at)
            }
        }
    }

    /// Puts a tree over a block, unless another one is there or will be: then nothing can come of it, and to find that
    /// out behind all other trees takes long.
    pub(crate) fn put(&mut self, laid: Laid) -> bool {
        let place = Value::To(Base::Block(laid.over), 0);
        let mut names = self.names.iter();
        let is_taken = self.used.contains(&laid.over)
            || self.open.iter().any(|other| other.over == laid.over)
            || names.any(|(name, at)| matches!(name, Base::Block(_)) && *at == place);
        self.open.push(laid);
        !is_taken
    }

    /// A tree to lay next; first one of which all that it is given is settled.
    fn settled(&mut self) -> Option<Laid> {
        let is_settled = |laid: &Laid| {
            let mut bindings = laid.bindings.iter();
            bindings.all(|it| !matches!(self.resolve(*it), Binding::Name(..)))
        };
        let index = self.open.iter().rposition(is_settled);
        match index {
            Some(index) => Some(self.open.remove(index)),
            None => self.open.pop(),
        }
    }

    /// What a binding is in the other forest, if that is settled.
    pub(crate) fn resolve(&self, binding: Binding) -> Binding {
        match binding {
            Binding::Name(name, by) => {
                self.names.get(&name).map_or(binding, |value| Binding::Is(value.moved(by)))
            }
            Binding::Is(_) | Binding::Any | Binding::Unknown => binding,
        }
    }
}

pub(crate) struct Search<'f> {
    pub(crate) claimed: &'f Forest,
    pub(crate) other: &'f Forest,
    /// What blocks in holes of the other forest are told, where it has a name there.
    pub(crate) known: BTreeMap<Base, Value<Base>>,
    pub(crate) tries: u32,
}

impl Search<'_> {
    fn start(&mut self) -> bool {
        let mut course = Course::default();
        for (variable, value) in &self.claimed.variables {
            let held = self.other.variables.get(variable).copied().unwrap_or(Value::Any);
            if !course.unify(binding_of(*value), held) {
                return false;
            }
        }
        for (object, cells) in &self.claimed.objects {
            let Some(held) = self.other.objects.get(object) else { return false };
            for (offset, cell) in cells {
                if !course.unify(binding_of(cell.holds), read(held, *offset, cell.width)) {
                    return false;
                }
            }
        }
        self.go_on(course)
    }

    /// Lays one more tree, until all blocks are taken.
    fn go_on(&mut self, mut course: Course) -> bool {
        let Some(laid) = course.settled().or_else(|| self.next(&mut course)) else {
            let unplaced = self.claimed.blocks.keys().find(|block| !course.begun.contains(block));
            if let Some(block) = unplaced {
                return self.place(*block, &course);
            }
            let is_used = |block: &BlockId| course.used.contains(block);
            return self.claimed.may_lose || self.other.blocks.keys().all(is_used);
        };
        self.tries = self.tries.saturating_sub(1);
        if self.tries == 0 || !course.used.insert(laid.over) {
            return false;
        }
        match &self.other.blocks[&laid.over] {
            Body::Open { size, cells, .. } => {
                let state = &laid.automaton.states[laid.state];
                if state.size != *size {
                    return false;
                }
                let fits = |rule: &&Rule| kids_of(rule, cells).is_some();
                let rules: Vec<&Rule> = state.rules.iter().filter(fits).collect();
                each_way(course, &rules, |mut course, rule| {
                    lay(&mut course, &laid, rule, cells) && self.go_on(course)
                })
            }
            Body::Closed { .. } => {
                let fillings = self.fillings(&course, &laid);
                each_way(course, &fillings, |course, filling| {
                    let simulated = self.simulated(course, &laid, filling);
                    simulated.is_some_and(|course| self.go_on(course))
                })
            }
        }
    }

    /// Tries all places for a block of the claim that nothing settled leads to: a tree that is only come to from within, by
    /// what a block in its hole is told.
    fn place(&mut self, block: BlockId, course: &Course) -> bool {
        if course.names.contains_key(&Base::Block(block)) {
            return false;
        }
        let free = self.other.blocks.keys().filter(|over| !course.used.contains(over));
        let free: Vec<BlockId> = free.copied().collect();
        free.into_iter().any(|over| {
            let mut course = course.clone();
            let place = Value::To(Base::Block(over), 0);
            course.unify(Binding::Name(Base::Block(block), 0), place) && self.go_on(course)
        })
    }

    /// A block of the claim whose place is settled; first one of which all arguments are.
    fn next(&self, course: &mut Course) -> Option<Laid> {
        let place = |block: &BlockId| match course.names.get(&Base::Block(*block)) {
            Some(Value::To(Base::Block(over), 0)) => Some(*over),
            Some(_) | None => None,
        };
        let is_open = |block: &&BlockId| !course.begun.contains(block) && place(block).is_some();
        let candidates: Vec<BlockId> =
            self.claimed.blocks.keys().filter(is_open).copied().collect();
        let is_settled = |block: &&BlockId| match &self.claimed.blocks[block] {
            Body::Open { .. } => false,
            Body::Closed { arguments, .. } => arguments
                .iter()
                .filter_map(|value| value.base())
                .all(|base| matches!(base, Base::Block(_)) || course.names.contains_key(&base)),
        };
        let block = *candidates.iter().find(is_settled).or(candidates.first())?;
        let over = place(&block)?;
        let Body::Closed { automaton, state, arguments } = &self.claimed.blocks[&block] else {
            return None;
        };
        course.begun.insert(block);
        let bindings = arguments.iter().map(|value| binding_of(*value)).collect();
        Some(Laid { automaton: Arc::clone(automaton), state: *state, bindings, over })
    }
}

fn binding_of(value: Value<Base>) -> Binding {
    match value {
        Value::Any => Binding::Any,
        Value::To(base, by) => Binding::Name(base, by),
        Value::Bits(_) | Value::Object(..) | Value::Function(_) => Binding::Is(value),
    }
}

/// Whether one of the ways leads on from a course, which only has to be copied where another way is left.
fn each_way<W>(course: Course, ways: &[W], mut leads_on: impl FnMut(Course, &W) -> bool) -> bool {
    let Some((last, others)) = ways.split_last() else { return false };
    others.iter().any(|way| leads_on(course.clone(), way)) || leads_on(course, last)
}

/// The blocks that links of an open block lead to where a rule has trees and holes; none if the rule cannot be laid there.
fn kids_of(rule: &Rule, cells: &Cells) -> Option<BTreeMap<u64, BlockId>> {
    let mut kids = BTreeMap::new();
    for (offset, cell) in rule {
        let by = match &cell.holds {
            Term::Tree { by, .. } | Term::Hole { by, .. } => *by,
            Term::Value(_) => continue,
        };
        match read(cells, *offset, cell.width) {
            Value::To(Base::Block(kid), at) if at == by => kids.insert(*offset, kid),
            Value::Any | Value::Bits(_) | Value::Object(..) => return None,
            Value::Function(_) | Value::To(..) => return None,
        };
    }
    Some(kids)
}

/// Lays a rule over an open block.
fn lay(course: &mut Course, laid: &Laid, rule: &Rule, cells: &Cells) -> bool {
    let Some(kids) = kids_of(rule, cells) else { return false };
    let block = |block: BlockId, by: i64| Binding::Is(Value::To(Base::Block(block), by));
    let bound = |value: Value<Known>| match value {
        Value::Any => Binding::Any,
        Value::To(Known::Own, by) => block(laid.over, by),
        Value::To(Known::Kid(offset), by) => block(kids[&offset], by),
        Value::To(Known::Parameter(index), by) => further(laid.bindings[index], by),
        Value::Bits(bits) => Binding::Is(Value::Bits(bits)),
        Value::Object(object, by) => Binding::Is(Value::Object(object, by)),
        Value::Function(function) => Binding::Is(Value::Function(function)),
    };
    rule.iter().all(|(offset, cell)| match &cell.holds {
        Term::Value(value) => course.unify(bound(*value), read(cells, *offset, cell.width)),
        Term::Tree { state, arguments, .. } => {
            let bindings = arguments.iter().map(|value| bound(*value)).collect();
            let automaton = Arc::clone(&laid.automaton);
            course.put(Laid { automaton, state: *state, bindings, over: kids[offset] })
        }
        Term::Hole { parameter, ups, .. } => {
            let place = Value::To(Base::Block(kids[offset]), 0);
            let held = match laid.bindings[*parameter] {
                Binding::Name(Base::Block(held), 0) => held,
                // A kid of a block above, which is told nothing.
                Binding::Is(kid) => return kid == place && ups.is_empty(),
                Binding::Name(..) | Binding::Any | Binding::Unknown => return false,
            };
            course.unify(Binding::Name(Base::Block(held), 0), place)
                && ups.iter().enumerate().all(|(index, up)| match course.resolve(bound(*up)) {
                    Binding::Is(value) => {
                        course.unify(Binding::Name(Base::Up(held, index), 0), value)
                    }
                    Binding::Name(..) | Binding::Any | Binding::Unknown => false,
                })
        }
    })
}

/// The same binding so many bytes on.
pub(crate) fn further(binding: Binding, by: i64) -> Binding {
    match binding {
        Binding::Name(base, at) => {
            at.checked_add(by).map_or(Binding::Unknown, |at| Binding::Name(base, at))
        }
        Binding::Is(value) => Binding::Is(value.moved(by)),
        Binding::Any if by == 0 => Binding::Any,
        Binding::Any | Binding::Unknown => Binding::Unknown,
    }
}
