//! Whether a certificate is closed: the start of the program and every step from every claimed state lead
//! to claimed states, and nothing on the way is wrong.

use heapwright_program::Place;

use crate::certificate::Claims;
use crate::inside::is_claimed;
use crate::leaks;
use crate::sharpen::sharpen;
use crate::state::State;
use crate::step::{Objection, Question, Stepper};
use crate::trial::try_small_heaps;

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no `main` to begin with.
    NoStart,
    /// A rule is false, or a change is not what the definition says, on a small heap.
    Untrue(String),
    /// A step may go wrong.
    Wrong(Objection, Place),
    /// A step leads to a state that is not claimed.
    Escapes(Place),
    /// A way without claims that does not end.
    Endless(Place),
    OutOfTime,
}

/// Steps from one state to the next claims.
const MOST_STEPS: usize = 100_000;

/// Shows that the claims are closed, or says what is not.
///
/// # Errors
/// The first step that is wrong or leads elsewhere.
pub fn check(
    claims: &Claims,
    question: Question<'_>,
    is_over: &dyn Fn() -> bool,
) -> Result<(), Refusal> {
    try_small_heaps(claims).map_err(Refusal::Untrue)?;
    let stepper = Stepper { question, claims };
    let start = stepper.start().ok_or(Refusal::NoStart)?;
    follow(&stepper, start, is_over)?;
    for state in claims.states.values().flatten() {
        follow(&stepper, state.clone(), is_over)?;
    }
    Ok(())
}

/// Goes on from a state up to the next claims.
fn follow(stepper: &Stepper<'_>, state: State, is_over: &dyn Fn() -> bool) -> Result<(), Refusal> {
    let mut pending = vec![state];
    let mut steps = 0;
    // What rules say of a claimed state is as true as what is claimed.
    let meaning = &stepper.claims.meaning;
    pending.retain_mut(|state| sharpen(&mut state.heap, meaning).is_ok());
    while let Some(state) = pending.pop() {
        if is_over() {
            return Err(Refusal::OutOfTime);
        }
        let body = stepper.question.program.functions[state.spot.function].body.as_ref();
        let body = body.expect("a state is in a body");
        let outgoing =
            body.edges.enumerated().filter(|(_, edge)| edge.source == state.spot.location);
        for (id, edge) in outgoing {
            steps += 1;
            if steps > MOST_STEPS {
                return Err(Refusal::Endless(edge.place));
            }
            let wrong = |objection| Refusal::Wrong(objection, edge.place);
            for next in stepper.step(state.clone(), id).map_err(wrong)? {
                if !stepper.claims.is_cut(next.spot.function, next.spot.location) {
                    pending.push(next);
                    continue;
                }
                leaks::at_claim(stepper, &next).map_err(wrong)?;
                if !is_claimed(stepper.claims, &next) {
                    return Err(Refusal::Escapes(edge.place));
                }
            }
        }
    }
    Ok(())
}
