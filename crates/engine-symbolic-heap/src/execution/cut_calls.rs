//! Which calls are cut off: those of functions that call themselves, directly or through others.
//!
//! Calls through pointers are not guessed at. If one leads to a function whose call is still active,
//! it is a recursion, and is cut off as soon as it is seen.

use std::collections::BTreeSet;

use heapwright_program::FunctionId;

use crate::heap::state::State;
use crate::program_facts::ProgramFacts;

/// How calls of recursive functions are treated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CutCalls {
    /// Whether they are cut off; otherwise they are followed as all others.
    pub(crate) are_cut: bool,
    /// Functions whose calls are cut shallowly.
    pub(crate) shallow: BTreeSet<FunctionId>,
}

impl CutCalls {
    pub(crate) fn is_cut_off(
        &self,
        facts: &ProgramFacts<'_>,
        state: &State,
        callee: FunctionId,
    ) -> bool {
        let is_active = || state.frames.iter().any(|frame| frame.function == callee);
        self.are_cut && (facts.is_recursive(callee) || is_active())
    }
}
