//! The exploration with summaries: states meet at loop heads, where they are folded, covered and
//! generalised until nothing new appears. It proves; it never refutes.

use std::collections::BTreeMap;

use heapwright_engine::{Deadline, Reason};
use heapwright_memory::FaultKind;
use heapwright_program::{FunctionId, LocationId};
use heapwright_property::Part;

use crate::context::Context;
use crate::cover::Relation;
use crate::normalise::Lost;
use crate::outcome::Outcome;
use crate::state::State;

/// The places of a call stack.
type Control = Vec<(FunctionId, LocationId)>;

/// States that describe all executions at the loop heads.
#[derive(Debug, Default)]
pub(crate) struct Invariants {
    pub(crate) states: BTreeMap<Control, Vec<Known>>,
}

#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) state: State,
    visits: u32,
}

/// Visits of a shape before its numbers are widened.
const PATIENCE: u32 = 2;

pub(crate) struct Fixpoint<'c, 't> {
    context: &'c mut Context<'t>,
    invariants: Invariants,
    waiting: Vec<State>,
    deadline: &'c Deadline,
}

impl<'c, 't> Fixpoint<'c, 't> {
    pub(crate) fn new(context: &'c mut Context<'t>, deadline: &'c Deadline) -> Self {
        Fixpoint { context, invariants: Invariants::default(), waiting: Vec::new(), deadline }
    }

    /// The invariants, if every execution is described by them and none is faulty.
    pub(crate) fn run(mut self, initial: State) -> Result<Invariants, Reason> {
        self.waiting.push(initial);
        while let Some(state) = self.waiting.pop() {
            for state in to_loop_heads(self.context, state, self.deadline)? {
                self.arrive(state)?;
            }
        }
        Ok(self.invariants)
    }

    /// A state comes to a loop head: it is known already, or is explored, perhaps generalised.
    fn arrive(&mut self, state: State) -> Result<(), Reason> {
        let control = control(&state);
        let known = self.invariants.states.entry(control).or_default();
        for entry in known.iter() {
            if self.context.is_covered(&entry.state, &state) {
                self.context.statistics.covered += 1;
                return Ok(());
            }
        }
        for entry in known.iter_mut() {
            let eager = entry.visits >= PATIENCE;
            match self.context.relate(&entry.state, &state, eager) {
                Relation::Covers => return Ok(()),
                Relation::Generalised(general) => {
                    entry.visits += 1;
                    entry.state = general.as_ref().clone();
                    self.waiting.push(*general);
                    return Ok(());
                }
                Relation::Unrelated => {}
            }
        }
        if known.len() >= self.context.settings.shapes {
            return Err(Reason::new("too many shapes of the heap at a loop head"));
        }
        known.push(Known { state: state.clone(), visits: 0 });
        self.waiting.push(state);
        Ok(())
    }
}

pub(crate) fn control(state: &State) -> Control {
    state.frames.iter().map(|frame| (frame.function, frame.location)).collect()
}

/// Runs a state to the next loop heads on all paths, and normalises what arrives there. A fault or
/// anything that is not followed is a reason to stop: the proof would have a hole.
pub(crate) fn to_loop_heads(
    context: &mut Context<'_>,
    state: State,
    deadline: &Deadline,
) -> Result<Vec<State>, Reason> {
    let mut arrived = Vec::new();
    let mut work = vec![state];
    let mut steps = 0u64;
    while let Some(state) = work.pop() {
        steps += 1;
        if steps.is_multiple_of(64) && deadline.is_over() {
            return Err(Reason::new("the time limit was reached"));
        }
        if steps > 200_000 {
            return Err(Reason::new("too many steps between two loop heads"));
        }
        for outcome in context.step(state) {
            match outcome {
                Outcome::Continues(mut state) => {
                    let frame = state.frame();
                    if context.is_loop_head(frame.function, frame.location) {
                        check_loss(context, &mut state)?;
                        arrived.push(state);
                    } else {
                        work.push(state);
                    }
                }
                Outcome::Again(state) => work.push(state),
                Outcome::Blocked => {}
                Outcome::Lost(reason) => return Err(reason),
                Outcome::Fault { kind, place, .. } => {
                    return Err(Reason::at(format!("a possible {kind}"), place));
                }
                Outcome::Ends { state, place } => {
                    let specification = &context.task.specification;
                    let track = specification.asks(Part::ValidMemtrack);
                    let cleanup = specification.asks(Part::ValidMemcleanup);
                    let leaks = (track && !context.lost_blocks(&state).is_empty())
                        || (cleanup && !Context::unfreed_blocks(&state).is_empty());
                    if leaks {
                        let kind = FaultKind::Leak;
                        return Err(Reason::at(format!("a possible {kind}"), place));
                    }
                }
            }
        }
    }
    Ok(arrived)
}

/// Normalises a state; a heap block that is lost on the way may be a leak.
fn check_loss(context: &mut Context<'_>, state: &mut State) -> Result<(), Reason> {
    let specification = &context.task.specification;
    let matters =
        specification.asks(Part::ValidMemtrack) || specification.asks(Part::ValidMemcleanup);
    match context.normalise(state) {
        Lost::Block if matters => {
            let frame = state.frame();
            let place = context
                .outgoing(frame.function, frame.location)
                .first()
                .map(|&edge| context.edge(frame.function, edge).place);
            Err(Reason { text: "a possible leak".to_owned(), place })
        }
        Lost::Block | Lost::Nothing => Ok(()),
    }
}
