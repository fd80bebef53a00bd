//! Turns: which of the waiting forests goes next.
//!
//! At first the oldest, so that every part of the program is soon seen and alarms come early. Where that takes long, most
//! of the work is to follow forests again that have grown, and all that comes of them. From then on, loops are followed
//! until nothing in them grows before what lies behind them, inner ones before outer ones: the head of a loop waits for
//! all that waits inside.
//!
//! Method: Bourdoncle, *Efficient chaotic iteration strategies with widenings*, 1993.

use heapwright_base::IdVec;
use heapwright_forest_text::Spot;
use heapwright_program::analysis::{WeakOrder, weak_order};
use heapwright_program::{FunctionId, LocationId, Program};

/// Calls under way that count, the outermost first, and the bits of each.
const MOST_CALLS: usize = 4;
const BITS: u32 = 15;

/// Forests that have grown before turns matter.
const EARLY: usize = 150;

#[derive(Debug)]
pub(crate) struct Turns<'a> {
    program: &'a Program,
    /// The ranks of locations.
    ranks: IdVec<FunctionId, IdVec<LocationId, u64>>,
}

impl<'a> Turns<'a> {
    pub(crate) fn of(program: &'a Program) -> Turns<'a> {
        let ranks = program.functions.iter().map(|function| match &function.body {
            Some(body) => {
                let mut ranks = IdVec::filled(0, body.location_count);
                rank(&weak_order(body), &mut 0, &mut ranks);
                ranks
            }
            None => IdVec::new(),
        });
        Turns { program, ranks: ranks.collect() }
    }

    /// The turn of a forest here after so many have grown; the lowest goes first.
    pub(crate) fn turn(&self, spot: &Spot, grown: usize) -> u64 {
        if grown < EARLY {
            return 0;
        }
        let caller = |(function, edge): &(FunctionId, _)| {
            let body = self.program.functions[*function].body.as_ref().expect("it calls");
            self.ranks[*function][body.edges[*edge].source]
        };
        let here = self.ranks[spot.function][spot.location];
        let ranks = spot.calls.iter().map(caller).chain([here]).chain(std::iter::repeat(0));
        let most = (1 << BITS) - 1;
        // Behind those that were early.
        ranks.take(MOST_CALLS).fold(1, |all, rank| all << BITS | rank.min(most))
    }
}

fn rank(order: &[WeakOrder], next: &mut u64, ranks: &mut IdVec<LocationId, u64>) {
    for item in order {
        let location = match item {
            WeakOrder::Location(location) => *location,
            WeakOrder::Component { head, inside } => {
                rank(inside, next, ranks);
                *head
            }
        };
        ranks[location] = *next;
        *next += 1;
    }
}
