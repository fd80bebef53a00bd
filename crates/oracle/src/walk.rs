//! One run on its way: the branches it has taken, and whether one of them is called dead.

use heapwright_engine::{CutId, Passed, Signature};
use heapwright_interpreter::Snapshot;
use heapwright_program::{EdgeId, FunctionId, Operation, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::examiner::Examiner;

/// How far a run is followed, and what is expected of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Stop at this arrival at a cut point.
    pub(crate) cut_points: u32,
    /// Stop after so many edges.
    pub(crate) edges: u64,
    /// The run begins where the program does.
    pub(crate) is_whole: bool,
    /// All calls under way are known, so that what nobody holds is lost.
    pub(crate) has_whole_stack: bool,
    /// The branches up to the first cut point or the end.
    pub(crate) signature: Option<Signature>,
}

impl Plan {
    /// For a run from the start of the program.
    pub(crate) fn whole(edges: u64) -> Plan {
        let cut_points = u32::MAX;
        Plan { cut_points, edges, is_whole: true, has_whole_stack: true, signature: None }
    }

    /// For a run from a state on.
    pub(crate) fn from(examiner: &Examiner<'_>, snapshot: &Snapshot, edges: u64) -> Plan {
        let main = examiner.task.program.function_named("main");
        let outermost = snapshot.frames.first().map(|frame| frame.function);
        let has_whole_stack = outermost.is_some() && outermost == main;
        Plan { cut_points: CUT_POINTS, edges, is_whole: false, has_whole_stack, signature: None }
    }
}

/// How many cut points a run from a state on passes: one more than the proof's step, whose end is
/// a state that the proof allows and so the beginning of another.
const CUT_POINTS: u32 = 2;

#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) signature: Signature,
    pub(crate) edges: u64,
    /// Arrivals at cut points.
    pub(crate) cut_points: u32,
    pub(crate) last: Option<Passed>,
    pub(crate) dead: Option<Passed>,
    /// How often the run was at each cut point.
    arrivals: FxHashMap<CutId, u64>,
}

impl Walk {
    pub(crate) fn new() -> Walk {
        Walk {
            signature: Signature::EMPTY,
            edges: 0,
            cut_points: 0,
            last: None,
            dead: None,
            arrivals: FxHashMap::default(),
        }
    }

    pub(crate) fn pass(
        &mut self,
        program: &Program,
        dead: &FxHashSet<(FunctionId, EdgeId)>,
        passed: Passed,
    ) {
        let Passed { function, edge, .. } = passed;
        let body = program.functions[function].body.as_ref().expect("it has edges");
        if let Operation::Assume { .. } = body.edges[edge].operation {
            self.signature = self.signature.then(function, edge);
        }
        if self.dead.is_none() && dead.contains(&(function, edge)) {
            self.dead = Some(passed);
        }
        self.last = Some(passed);
    }

    /// Whether this arrival is one to look at: all of the first, then fewer and fewer, so that a
    /// long loop does not take the time of everything else.
    pub(crate) fn is_worth_a_look(&mut self, cut: CutId) -> bool {
        let count = self.arrivals.entry(cut).or_default();
        *count += 1;
        *count <= 8 || count.is_power_of_two()
    }
}
