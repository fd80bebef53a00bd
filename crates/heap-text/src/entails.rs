//! Whether all that one text stands for, some of several others stand for too, as far as its small
//! states tell.
//!
//! The first text is written out in a few ways, and each state must be in one of the others. So
//! nothing is compared that is folded on both sides, and no way to fold, unfold or cover is shared
//! with anyone. What differs for large states only is not seen.

use heapwright_program::Program;

use crate::contains::{Fit, Limits, contains_any};
use crate::expand::{Expansion, expand, first_scripts};
use crate::names::Claim;
use crate::of_snapshot::OfSnapshot;

/// Nodes beyond the fewest.
const MOST_EXTRA: u32 = 1;

/// Ways to write a text out that are looked at, for each number of nodes.
const WAYS: usize = 2;

/// Choices of numbers for each way.
const VARIANTS: u32 = 2;

/// Whether the small states of `arrived` are in one of the `known` claims. `In` says that no state
/// is outside, among those that could be looked at; there was at least one.
#[must_use]
pub fn entails(program: &Program, arrived: &Claim, known: &[Claim], limits: &Limits) -> Fit {
    let Some(callers) = arrived.callers(program).into_iter().next() else {
        return Fit::Unclear("nothing calls like this".to_owned());
    };
    let (mut looked_at, mut doubt) = (0, "no state was found".to_owned());
    for extra in 0..=MOST_EXTRA {
        for script in &first_scripts(program, arrived, extra, WAYS) {
            for variant in 0..VARIANTS {
                let state = match expand(program, arrived, (script, extra), variant, &callers) {
                    Expansion::State(state) => state,
                    Expansion::Empty => continue,
                    Expansion::NoMore => break,
                    Expansion::Unclear(why) => {
                        doubt = why;
                        continue;
                    }
                };
                match contains_any(known, &OfSnapshot::new(program, &state), limits) {
                    Fit::In => looked_at += 1,
                    Fit::Out(problem) => return Fit::Out(problem),
                    Fit::Unclear(why) => doubt = why,
                }
            }
        }
    }
    if looked_at > 0 { Fit::In } else { Fit::Unclear(doubt) }
}
