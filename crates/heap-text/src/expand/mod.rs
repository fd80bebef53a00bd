//! Small concrete states that a text stands for.
//!
//! A text leaves open how long lists are, of which kinds their nodes, what trees look like, and what
//! numbers are. The first three are a [`Script`] of choices; scripts are enumerated by the number of
//! nodes beyond the fewest. For the numbers the solver gives values, and for each number in turn the
//! ends of its type and of what is said of it are tried.

mod downward;
mod draft;
mod extents;
mod folded;
mod measures;
mod numbers;
mod predicate;
mod row;
mod script;
mod spelling;
mod write;

use heapwright_interpreter::Snapshot;
use heapwright_program::{EdgeId, FunctionId, Program};

use crate::expand::draft::Builder;
pub use crate::expand::script::Script;
use crate::names::Claim;

/// A concrete state of a claim, if there is one.
#[derive(Clone, Debug)]
pub enum Expansion {
    State(Box<Snapshot>),
    /// The numbers cannot be like this.
    Empty,
    /// There are no such numbers to try.
    NoMore,
    /// The state cannot be written down, or the solver gives up.
    Unclear(String),
}

/// Scripts of one size that are kept; of more, some that are spread out.
const SCRIPTS: usize = 256;

/// Scripts of one size that are looked at.
const LOOKED_AT: usize = 1024;

/// The ways to write a claim out with so many nodes more than the fewest.
#[must_use]
pub fn scripts(program: &Program, claim: &Claim, extra: u32) -> Vec<Script> {
    spread(first_scripts(program, claim, extra, LOOKED_AT))
}

/// Those of the first so many that lead to a state.
pub(crate) fn first_scripts(
    program: &Program,
    claim: &Claim,
    extra: u32,
    most: usize,
) -> Vec<Script> {
    let mut found = Vec::new();
    let mut script = Some(Script::default());
    let mut looked_at = 0;
    while let Some(current) = script.take_if(|_| looked_at < most) {
        looked_at += 1;
        let mut builder = Builder::new(program, claim, current, extra);
        let is_whole = builder.build().is_ok() && builder.is_used_up();
        let played = builder.into_script();
        script = played.next();
        if is_whole {
            found.push(played);
        }
    }
    found
}

/// Some of many, from all over.
fn spread(scripts: Vec<Script>) -> Vec<Script> {
    let count = scripts.len();
    let is_kept = |index: usize| (index * SCRIPTS) / count != ((index + 1) * SCRIPTS) / count;
    let kept = scripts.into_iter().enumerate();
    kept.filter(|&(index, _)| count <= SCRIPTS || is_kept(index))
        .map(|(_, script)| script)
        .collect()
}

/// The state of a script whose numbers are as the solver likes for variant 0, and for each further
/// variant have one number at some edge. `callers` are the call edges of all frames but the last.
#[must_use]
pub fn expand(
    program: &Program,
    claim: &Claim,
    (script, extra): (&Script, u32),
    variant: u32,
    callers: &[(FunctionId, EdgeId)],
) -> Expansion {
    let mut builder = Builder::new(program, claim, script.clone(), extra);
    match builder.build() {
        Ok(()) => builder.finish(variant, callers),
        Err(why) => Expansion::Unclear(why),
    }
}
