//! Tests of users' predicates: what files are read to, the laws of folding and unfolding, entailments.
//!
//! What instances stand for is decided by the crate `heap-text`, which shares no code with the engine.

mod attacks;
mod entailments;
mod files;
mod laws;
mod number_attacks;

use std::sync::Arc;

use heapwright_engine::{Deadline, Task};
use heapwright_heap_text::{
    Claim, Expansion, Fit, Limits, OfSnapshot, contains, expand, parse, scripts,
};
use heapwright_interpreter::Snapshot;

use crate::analysis::search::Search;
use crate::definition::Definitions;
use crate::load_definitions;
use crate::precision::{Payload, Precision};
use crate::settings::Settings;
use crate::testing::program::task_of;

/// Records for all definitions of the tests, and variables that can hold any heap.
pub(super) const PROGRAM: &str = "
    struct node { struct node *next, *other, *third; int colour; };
    struct small { struct small *next; struct node *back; };
    struct node *a; struct small *b; void *head, *tail; int count;
    int main(void) { while (1) { count = count + 1; } return head != tail || a || b; }";

/// Definitions that the laws are tried with: built-in shapes among them.
pub(super) const DEFINITIONS: [(&str, &str); 15] = [
    (
        "list",
        "predicate list(this) over struct node case e: this == null case n: .next = x, list(x)",
    ),
    (
        "segment",
        "predicate seg(this, end) over struct node case e: this == end case n: .next = x, seg(x, end)",
    ),
    (
        "doubly linked",
        "predicate dll(this, up) over struct node case e: this == null
         case n: .next = x, .other = up, dll(x, this)",
    ),
    (
        "tree",
        "predicate tree(this) over struct node case e: this == null
         case n: .next = l, .other = r, tree(l), tree(r)",
    ),
    (
        "tree with parents",
        "predicate tree(this, up) over struct node case e: this == null
         case n: .next = l, .other = r, .third = up, tree(l, this), tree(r, this)",
    ),
    (
        "tree with links to its root",
        "predicate tree(this, top) over struct node case e: this == null
         case n: .next = l, .other = r, .third = top, tree(l, top), tree(r, top)",
    ),
    (
        "alternating links",
        "predicate even(this) over struct node case e: this == null
         case n: .next = x, .other = null, odd(x)
         predicate odd(this) over struct node case n: .other = x, .next = null, even(x)",
    ),
    (
        "combs",
        "predicate combs(this) over struct node case e: this == null
         case n: .next = x, .other = t, combs(x), teeth(t, x)
         predicate teeth(this, of) over struct small case e: this == null
         case n: .next = x, .back = of, teeth(x, of)",
    ),
    (
        "skip list of two levels",
        "predicate skip(this, end) over struct node case e: this == end
         case n: .other = t, .next = m, .colour = 2, low(m, t), skip(t, end)
         predicate low(this, end) over struct node case e: this == end
         case n: .next = x, .colour = 1, low(x, end)",
    ),
    (
        "colours",
        "predicate red(this) over struct node case e: this == null
         case n: .next = x, .colour = 1, black(x)
         predicate black(this) over struct node case e: this == null
         case one: .next = x, .colour = 0, black(x) case two: .next = x, .colour = 0, red(x)",
    ),
    (
        "counted",
        "predicate list(this, count: size_t) over struct node case e: this == null, count == 0
         case n: .next = x, list(x, count - 1), count != 0",
    ),
    (
        "counted segment",
        "predicate seg(this, end, count: unsigned char) over struct node
         case e: this == end, count == 0 case n: .next = x, seg(x, end, rest), count == rest + 1",
    ),
    (
        "sorted",
        "predicate sorted(this, least: int) over struct node case e: this == null
         case n: .next = x, .colour = c, least <= c, sorted(x, c)",
    ),
    (
        "search tree",
        "predicate tree(this, low: int, high: int) over struct node case e: this == null
         case n: .next = l, .other = r, .colour = k, low <= k, k <= high, tree(l, low, k), tree(r, k, high)",
    ),
    (
        "heights",
        "predicate tree(this, height: unsigned) over struct node case e: this == null, height == 0
         case left: .next = l, .other = r, tree(l, a), tree(r, b), b <= a, height == a + 1
         case right: .next = l, .other = r, tree(l, a), tree(r, b), a < b, height == b + 1",
    ),
];

/// Does something with definitions and a search that knows them.
pub(super) fn with_definitions<R>(
    text: &str,
    act: impl FnOnce(&Task, &mut Search<'_>, &Arc<Definitions>) -> R,
) -> R {
    let task = task_of(PROGRAM);
    let definitions = load_definitions(&task, text).unwrap_or_else(|error| panic!("{error}"));
    let predicates = Arc::new(definitions);
    let settings = Settings { predicates: Arc::clone(&predicates), ..Settings::default() };
    let precision = Precision::for_lists(Payload::Numbers);
    let mut search = Search::new(&task, &settings, precision, Deadline::never());
    act(&task, &mut search, &predicates)
}

pub(super) fn claim(task: &Task, text: &str) -> Claim {
    let heap = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Claim::of(&task.program, heap).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Concrete states of a claim with up to so many nodes beyond the fewest.
pub(super) fn samples(task: &Task, claim: &Claim, most: u32) -> Vec<Snapshot> {
    let mut found = Vec::new();
    for extra in 0..=most {
        for script in scripts(&task.program, claim, extra) {
            let expansion = expand(&task.program, claim, (&script, extra), 0, &[]);
            if let Expansion::State(state) = expansion {
                found.push(*state);
            }
        }
    }
    found
}

pub(super) fn is_in(task: &Task, state: &Snapshot, claim: &Claim) -> bool {
    let state = OfSnapshot::new(&task.program, state);
    match contains(claim, &state, &Limits { tries: 100_000, ..Limits::default() }) {
        Fit::In => true,
        Fit::Out(_) => false,
        Fit::Unclear(why) => panic!("{why}"),
    }
}
