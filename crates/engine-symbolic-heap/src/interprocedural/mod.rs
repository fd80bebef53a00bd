//! Calls of recursive functions, which are not followed but looked up.
//!
//! A call is cut: the heap that the callee can reach, with its frame and the globals, becomes a
//! state of its own, and the rest waits. What both sides know, blocks that the rest points to and
//! numbers that it mentions, is listed with the callee's state ([`crate::heap::state::Outside`]), which
//! holds on to it until the call returns. There the rest finds its blocks and numbers again by their
//! position in the list, whatever became of them. So it does not matter how much wider the known
//! entry is that covers the call, or how its exits were joined.
//!
//! Reading order: `localise`, `arguments` (what results are compared with), `bounds` (of what goes back beside a node), `combine`, `summaries` (finding entries and
//! exits), `part` (their texts).

pub(crate) mod arguments;
mod bounds;
pub(crate) mod combine;
pub(crate) mod localise;
pub(crate) mod part;
pub(crate) mod summaries;

use std::collections::BTreeMap;

use heapwright_program::FunctionId;

use crate::abstraction::abstraction_points::AbstractionPoint;
use crate::heap::state::State;
use crate::no_proof::NoProof;
use crate::summary::domain::Domain;

pub(crate) use crate::interprocedural::part::{Parts, describe_part, parse_part};
pub(crate) use crate::interprocedural::summaries::Table;

/// States that describe all executions where states meet.
pub(crate) type Places = BTreeMap<AbstractionPoint, Vec<State>>;

/// What describes all executions.
#[derive(Clone, Debug)]
pub(crate) struct Invariants {
    /// Where states meet whose frames go down to that of `main`.
    pub(crate) program: Places,
    /// Calls of recursive functions.
    pub(crate) procedures: Vec<Procedure>,
}

/// Visits of a shape before its numbers are widened.
pub(crate) const PATIENCE: u32 = 2;

/// What is known of a recursive function that is called in certain states.
#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub(crate) function: FunctionId,
    /// Describes the states in which it is called.
    pub(crate) entry: State,
    /// What holds at the abstraction points within the call.
    pub(crate) places: Places,
    /// Describe the states in which it returns.
    pub(crate) exits: Vec<State>,
    /// Whether the program may end within the call.
    pub(crate) ends: bool,
}

/// What a call leads to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    pub(crate) exits: Vec<State>,
    pub(crate) ends: bool,
}

/// Who answers for calls that are cut.
pub(crate) trait Procedures {
    /// What a call leads to that starts in this state.
    fn called(&mut self, domain: &mut Domain<'_, '_>, entry: State) -> Result<Effect, NoProof>;

    /// The call that is followed now returns in this state.
    fn returned(&mut self, domain: &mut Domain<'_, '_>, exit: State) -> Result<(), NoProof>;

    /// The program ends within the call that is followed now.
    fn ended(&mut self) -> Result<(), NoProof>;
}
