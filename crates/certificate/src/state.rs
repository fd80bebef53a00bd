//! The state at a location, and how states meet.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_logic::TermId;
use heapwright_program::VariableId;

use crate::memory::Logged;
use crate::value::{BLOCK_BITS, Value};
use crate::walk::Checker;

#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The location is reached, and all that was asked on the way holds.
    pub(crate) guard: TermId,
    pub(crate) globals: BTreeMap<VariableId, Value>,
    /// By call under way, `main` first.
    pub(crate) frames: Vec<BTreeMap<VariableId, Value>>,
    /// The latest block of an object; none is block 0.
    pub(crate) latest: BTreeMap<usize, TermId>,
    /// What was done to memory, in order.
    pub(crate) log: Rc<Vec<Logged>>,
    /// What a call has given back.
    pub(crate) result: Option<Value>,
}

impl Checker<'_> {
    /// The value of a variable; one that has none yet holds anything.
    pub(crate) fn variable(&mut self, state: &mut State, variable: VariableId) -> Value {
        let is_global = self.program.variables[variable].function.is_none();
        let known = if is_global {
            state.globals.get(&variable)
        } else {
            state.frames.last().and_then(|frame| frame.get(&variable))
        };
        if let Some(&value) = known {
            return value;
        }
        let value = self.unset(variable);
        self.assign(state, variable, value);
        value
    }

    fn unset(&mut self, variable: VariableId) -> Value {
        let item = &self.program.variables[variable];
        self.garbage(&format!("{}#unset", item.name), item.scalar)
    }

    pub(crate) fn assign(&mut self, state: &mut State, variable: VariableId, value: Value) {
        let is_global = self.program.variables[variable].function.is_none();
        let frame = if is_global {
            &mut state.globals
        } else {
            state.frames.last_mut().expect("a call is under way")
        };
        frame.insert(variable, value);
    }

    /// States that meet at one location.
    pub(crate) fn merge(&mut self, states: Vec<State>) -> Option<State> {
        let mut states = states.into_iter().filter(|state| state.guard != TermId::FALSE);
        let mut result = states.next()?;
        for state in states {
            result = self.merge_two(result, state);
        }
        Some(result)
    }

    fn merge_two(&mut self, mut one: State, mut other: State) -> State {
        assert_eq!(one.frames.len(), other.frames.len(), "states of one location");
        let second = other.guard;
        let globals = std::mem::take(&mut one.globals);
        let globals = self.merge_frames(second, globals, std::mem::take(&mut other.globals));
        let mut frames = Vec::new();
        let ways =
            std::mem::take(&mut one.frames).into_iter().zip(std::mem::take(&mut other.frames));
        for (one, other) in ways {
            frames.push(self.merge_frames(second, one, other));
        }
        let none = self.terms.bit_vector(0, BLOCK_BITS);
        let mut latest = BTreeMap::new();
        let objects: BTreeSet<usize> =
            one.latest.keys().chain(other.latest.keys()).copied().collect();
        for object in objects {
            let of = |state: &State| state.latest.get(&object).copied().unwrap_or(none);
            latest.insert(object, self.terms.if_then_else(second, of(&other), of(&one)));
        }
        let result = match (one.result, other.result) {
            (Some(one), Some(other)) => Some(self.choose(second, other, one)),
            (None, _) | (_, None) => None,
        };
        let log = self.merge_logs(&one.log, &other.log);
        let guard = self.terms.or(one.guard, other.guard);
        State { guard, globals, frames, latest, log, result }
    }

    /// A slot that only one of them has a value for holds anything on the other way.
    fn merge_frames(
        &mut self,
        second: TermId,
        one: BTreeMap<VariableId, Value>,
        mut other: BTreeMap<VariableId, Value>,
    ) -> BTreeMap<VariableId, Value> {
        let mut merged = BTreeMap::new();
        for (variable, value) in one {
            let new = match other.remove(&variable) {
                Some(new) => new,
                None => self.unset(variable),
            };
            let value = if new == value { value } else { self.choose(second, new, value) };
            merged.insert(variable, value);
        }
        for (variable, new) in other {
            let old = self.unset(variable);
            merged.insert(variable, self.choose(second, new, old));
        }
        merged
    }
}
