//! From an alarm to an execution: a proof that fails leaves the branches that led to its alarm, and
//! paths are then followed in the order in which they keep to these branches.
//!
//! The trail of an alarm is a path of the program, but with summaries it may not be that of an
//! execution: a loop may have to be run more often, or a branch that was possible for some list is
//! not for this one. So nothing is pruned. A path that leaves the trail and meets it again, before or
//! behind where it left it, comes later in the search than one that did not.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_engine::Phase;
use heapwright_program::{EdgeId, FunctionId, LocationId};
use imbl::Vector;
use rustc_hash::FxHashMap;

use crate::heap::state::State;

/// A branch that was taken: where, and whether the condition was true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Branch {
    pub(crate) function: FunctionId,
    pub(crate) location: LocationId,
    pub(crate) truth: bool,
}

/// What a state knows of the branches behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    /// The branches, where they are recorded.
    taken: Vector<Branch>,
    /// How far the trail of an alarm was followed, where there is one.
    position: usize,
    /// What it cost to leave that trail.
    astray: u32,
}

/// Where the trail is met again.
const DETOUR: u32 = 1;
/// Where the trail does not go at all.
const WILDERNESS: u32 = 2;
/// Forks and rounds that a detour weighs as much as.
const WEIGHT: u64 = 8;
/// Longer trails are not kept: what is this deep is not found by following branches.
const LONGEST: usize = 5000;

impl Trail {
    /// What the search goes by: of forks and rounds, those along the trail do not count.
    pub(crate) fn priority(&self, depth: u32) -> u64 {
        let deviation = u64::from(self.astray) * WEIGHT;
        (u64::from(depth) + deviation).saturating_sub(self.position as u64)
    }
}

/// What is done about trails.
#[derive(Clone, Debug, Default)]
pub(crate) enum Trails {
    #[default]
    Ignored,
    Recorded,
    Followed(Arc<Alarm>),
}

impl Trails {
    /// What a search along them is doing.
    pub(crate) fn phase(&self) -> Phase {
        match self {
            Trails::Ignored => Phase::FollowingPaths,
            Trails::Recorded => Phase::FindingInvariants,
            Trails::Followed(_) => Phase::FollowingAlarm,
        }
    }
}

/// What is kept of the branches that states take.
#[derive(Debug, Default)]
pub(crate) struct BranchLog {
    /// Branches that some state has passed.
    pub(crate) passed: BTreeSet<(FunctionId, EdgeId)>,
    pub(crate) trails: Trails,
}

/// The trail of an alarm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alarm {
    branches: Vec<Branch>,
    /// Where each branch is on the trail, in order.
    positions: FxHashMap<Branch, Vec<usize>>,
}

impl Alarm {
    fn new(branches: Vec<Branch>) -> Alarm {
        let mut positions: FxHashMap<Branch, Vec<usize>> = FxHashMap::default();
        for (position, &branch) in branches.iter().enumerate() {
            positions.entry(branch).or_default().push(position);
        }
        Alarm { branches, positions }
    }

    /// The trail of a state with an alarm, if it was recorded.
    pub(crate) fn of(state: &State) -> Option<Arc<Alarm>> {
        let taken = &state.trail.taken;
        (!taken.is_empty()).then(|| Arc::new(Alarm::new(taken.iter().copied().collect())))
    }

    fn follow(&self, trail: &mut Trail, branch: Branch) {
        let expected = trail.position;
        // Behind the alarm every way is as good: a leak is seen where the program ends.
        if expected == self.branches.len() {
            return;
        }
        if self.branches.get(expected) == Some(&branch) {
            trail.position += 1;
            return;
        }
        let Some(positions) = self.positions.get(&branch) else {
            trail.astray += WILDERNESS;
            return;
        };
        trail.astray += DETOUR;
        // Behind the place where it was left, parts of the trail are skipped; before it, a loop is
        // run once more.
        let later = positions.partition_point(|&position| position < expected);
        let met = positions.get(later).or(positions[..later].last());
        trail.position = met.expect("a branch of the trail has a position") + 1;
    }
}

impl Trails {
    /// A state takes a branch.
    pub(crate) fn take_branch(&self, state: &mut State, branch: Branch) {
        match self {
            Trails::Ignored => {}
            Trails::Recorded if state.trail.taken.len() < LONGEST => {
                state.trail.taken.push_back(branch);
            }
            Trails::Recorded => {}
            Trails::Followed(alarm) => alarm.follow(&mut state.trail, branch),
        }
    }
}

#[cfg(test)]
mod tests {
    use heapwright_base::DenseId;

    use heapwright_engine::{Deadline, Run};

    use super::*;
    use crate::analysis::paths::{Explored, explore};
    use crate::settings::Settings;
    use crate::strategy::{order::Precisions, search::summarise};
    use crate::testing::program::task_of;

    fn branch(location: usize, truth: bool) -> Branch {
        let function = FunctionId::from_index(0);
        Branch { function, location: LocationId::from_index(location), truth }
    }

    fn followed(branches: &[Branch]) -> (usize, u32) {
        // A loop at 1 with a branch at 2 in it, run twice, and a branch at 3 behind it.
        let trail = [(1, true), (2, true), (1, true), (2, false), (1, false), (3, true)];
        let alarm = Alarm::new(trail.map(|(location, truth)| branch(location, truth)).to_vec());
        let mut trail = Trail::default();
        for &branch in branches {
            alarm.follow(&mut trail, branch);
        }
        (trail.position, trail.astray)
    }

    #[test]
    fn the_trail_itself_costs_nothing() {
        let path = [(1, true), (2, true), (1, true), (2, false), (1, false), (3, true)];
        assert_eq!(followed(&path.map(|(at, truth)| branch(at, truth))), (6, 0));
    }

    #[test]
    fn a_round_more_of_a_loop_is_one_detour() {
        let path = [(1, true), (2, true), (1, true), (2, false), (1, true), (2, false), (1, false)];
        assert_eq!(followed(&path.map(|(at, truth)| branch(at, truth))), (5, DETOUR));
    }

    #[test]
    fn a_round_less_is_one_detour() {
        let path = [(1, true), (2, false), (1, false), (3, true)];
        assert_eq!(followed(&path.map(|(at, truth)| branch(at, truth))), (6, DETOUR));
    }

    #[test]
    fn what_the_trail_does_not_have_costs_more() {
        let path = [(1, false), (3, false)];
        assert_eq!(followed(&path.map(|(at, truth)| branch(at, truth))), (5, DETOUR + WILDERNESS));
    }

    /// A node is lost if each of seven choices was made in one way, behind a loop.
    const RARE_LEAK: &str = "
        typedef __SIZE_TYPE__ size_t; extern void *malloc(size_t); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; };
        struct node *head; int count;
        static void push(void) {
            struct node *fresh = malloc(sizeof *fresh); fresh->next = head; head = fresh; count++;
        }
        static void maybe(void) { if (__VERIFIER_nondet_int()) push(); }
        int main(void) {
            while (__VERIFIER_nondet_int()) { push(); count = 0; }
            maybe(); maybe(); maybe(); maybe(); maybe(); maybe(); maybe();
            if (count == 7) { struct node *old = head; head = head->next->next; free(old); }
            while (head) { struct node *next = head->next; free(head); head = next; }
            return 0;
        }";

    #[test]
    fn an_alarm_leads_to_an_execution_with_less_work() {
        let task = task_of(RARE_LEAK);
        let (settings, never) = (Settings::default(), Deadline::never());
        let way = Precisions::new(false, &[]).next().expect("a way");
        let failure =
            summarise(&task, &settings, &way, &Run::alone(&never), &never).expect_err("an alarm");
        let alarm = failure.cause.alarm().cloned();
        assert!(alarm.is_some(), "{:?}", failure.cause);
        let work = |alarm| match explore(&task, &settings, alarm, &Run::alone(&never)) {
            (Explored::Violation(_), statistics) => statistics.steps,
            (other, _) => panic!("no violation: {other:?}"),
        };
        let (with, without) = (work(alarm), work(None));
        assert!(with * 10 < without, "{with} steps along the trail, {without} without it");
    }
}
