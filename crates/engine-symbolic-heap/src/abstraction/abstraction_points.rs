//! Where states meet: the places at which a new state is compared with those that are known.
//!
//! States meet at loop heads, with equal call stacks, and if there are too many precisions from one to the
//! next, wherever branches join. A recursion has no loop head, and its stacks
//! would differ in every round: its calls are cut off, and meet at entries and exits
//! ([`crate::interprocedural`]). Within such a call, stacks begin with the called function.

use heapwright_program::{FunctionId, LocationId};

use crate::heap::names::Names;
use crate::heap::state::State;
use crate::precision::{AbstractionPoints, Precision};

/// The functions and locations of a call stack, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct AbstractionPoint(Vec<(FunctionId, LocationId)>);

impl AbstractionPoint {
    #[cfg(test)]
    pub(crate) fn of(stack: Vec<(FunctionId, LocationId)>) -> AbstractionPoint {
        AbstractionPoint(stack)
    }
}

/// Ways from one abstraction point to the next ones that are too many to be good.
pub(crate) const TOO_WIDE: usize = 64;

/// Whether states meet at a location.
pub(crate) fn is_abstraction_point(
    names: &Names<'_>,
    precision: &Precision,
    function: FunctionId,
    location: LocationId,
) -> bool {
    match precision.points {
        AbstractionPoints::LoopHeads => names.facts.is_loop_head(function, location),
        AbstractionPoints::Joins => {
            names.facts.is_loop_head(function, location) || names.facts.is_join(function, location)
        }
    }
}

/// Where a state that has just taken an edge meets others, if it does. A state that has yet to
/// take its edge again does not arrive anywhere and must not be asked about.
pub(crate) fn abstraction_point(
    names: &Names<'_>,
    precision: &Precision,
    state: &State,
) -> Option<AbstractionPoint> {
    let frame = state.frame();
    is_abstraction_point(names, precision, frame.function, frame.location).then(|| {
        AbstractionPoint(
            state.frames.iter().map(|frame| (frame.function, frame.location)).collect(),
        )
    })
}

#[cfg(test)]
mod tests {
    use heapwright_engine::{Deadline, Run};

    use super::*;
    use crate::precision::Payload;
    use crate::precision::Precision;
    use crate::settings::Settings;
    use crate::strategy::search::summarise;
    use crate::testing::program::task_of;

    /// Ten choices between two loops; behind them, `END`.
    const CHOICES: &str = "
        typedef __SIZE_TYPE__ size_t; extern void *malloc(size_t); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; int value; };
        struct node *head;
        static void push(void) {
            struct node *fresh = malloc(sizeof *fresh); fresh->next = head; head = fresh;
            fresh->value = 0;
        }
        static void choose(void) {
            if (__VERIFIER_nondet_int()) push(); else if (head) head->value = 1;
        }
        int main(void) {
            while (__VERIFIER_nondet_int()) push();
            choose(); choose(); choose(); choose(); choose();
            choose(); choose(); choose(); choose(); choose();
            END
            while (head) { struct node *next = head->next; free(head); head = next; }
            return 0;
        }";

    /// The steps of a proof, if there is one.
    fn steps(points: AbstractionPoints, end: &str) -> Option<u64> {
        let task = task_of(&CHOICES.replace("END", end));
        let precision = Precision { points, ..Precision::for_lists(Payload::Numbers) };
        let never = Deadline::never();
        let found = summarise(&task, &Settings::default(), &precision, &Run::alone(&never), &never);
        found.ok().map(|(_, statistics)| statistics.steps)
    }

    #[test]
    fn choices_in_a_row_cost_less_where_states_meet_behind_them() {
        let (few, many) =
            (steps(AbstractionPoints::Joins, ""), steps(AbstractionPoints::LoopHeads, ""));
        let (few, many) = (few.expect("a proof"), many.expect("a proof"));
        assert!(few * 5 < many, "{few} steps with joins, {many} without");
    }

    #[test]
    fn what_fails_behind_choices_is_not_proved() {
        let leak = "if (head) head = head->next;";
        let use_of_freed = "if (head) { free(head); head->value = 1; }";
        for end in [leak, use_of_freed, "head->value = 2;"] {
            assert_eq!(steps(AbstractionPoints::Joins, end), None, "{end}");
        }
    }
}
