//! A proof as text: invariants that are read back and checked where nothing is known of how they were
//! found.
//!
//! The check needs what the search was told (its precision), which lists it came to know and which calls
//! it cut off, since these decide how a state is folded that arrives somewhere. None of them says
//! anything of executions: if they are wrong, the invariants are just not closed.

use std::collections::BTreeSet;

use heapwright_engine::{Deadline, Reason, Task};
use heapwright_program::{EdgeId, FunctionId, LocationId};

use crate::analysis::search::Search;
use crate::execution::cut_calls::CutCalls;
use crate::heap::names::Names;
use crate::interprocedural::Invariants;
use crate::interprocedural::{Parts, describe_part, parse_part};
use crate::learnt::Learnt;
use crate::no_proof::NoProof;
use crate::precision::Precision;
use crate::proof::evidence::SecondReading;
use crate::proof::inductive::check_closed;
use crate::settings::Settings;

/// The calls at which a block was made.
type Calls = Vec<(FunctionId, LocationId)>;

/// What a search found.
#[derive(Clone, Debug)]
pub(crate) struct Certificate {
    pub(crate) precision: Precision,
    /// Where blocks are made that are neighbours in a list, and by which link.
    pub(crate) neighbours: Vec<(Calls, Calls, u64)>,
    pub(crate) calls: CutCalls,
    /// One text for each shape, with its place, and with the call that it belongs to.
    pub(crate) invariants: Vec<String>,
    /// The branches that states passed when the invariants were found to be closed.
    pub(crate) passed: BTreeSet<(FunctionId, EdgeId)>,
}

impl Certificate {
    /// Reads the invariants and checks that they are closed under all edges.
    pub(crate) fn check(
        &self,
        task: &Task,
        settings: &Settings,
        deadline: &Deadline,
    ) -> Result<(), Reason> {
        let precision = self.precision.clone();
        let (mut search, _) = Search::prepare(task, settings, precision, deadline)?;
        let invariants = self.read(&mut search, deadline)?;
        let mut second = SecondReading::new(task, &self.invariants);
        let checked = check_closed(&mut search, &invariants, Some(&mut second), deadline);
        checked.map_err(|failure| failure.reason())
    }

    /// The invariants in a search, which is told how they were looked for.
    pub(crate) fn read(
        &self,
        search: &mut Search<'_>,
        deadline: &Deadline,
    ) -> Result<Invariants, Reason> {
        search.calls.clone_from(&self.calls);
        expect_neighbours(&mut search.reasoner.names, &mut search.learnt, &self.neighbours);
        let mut parts = Parts::default();
        for text in &self.invariants {
            if deadline.is_over() {
                return Err(NoProof::TimeIsOver.reason());
            }
            let (part, state) = parse_part(&mut search.reasoner.names, text)
                .map_err(|error| Reason::new(error.to_string()))?;
            parts.add((&search.reasoner.names, &search.precision), part, state)?;
        }
        parts.into_invariants(&search.reasoner.names, &search.precision)
    }

    /// What was found, as texts, where it has just been found to be closed.
    pub(crate) fn of(
        search: &mut Search<'_>,
        precision: &Precision,
        found: &Invariants,
    ) -> Certificate {
        let parts = found.parts();
        let invariants = parts
            .map(|(part, state)| describe_part(&mut search.reasoner.names, part, state))
            .collect();
        let (neighbours, calls) =
            (known_neighbours(&search.reasoner.names, &search.learnt), search.calls.clone());
        let passed = std::mem::take(&mut search.branches.passed);
        Certificate { precision: precision.clone(), neighbours, calls, invariants, passed }
    }
}

/// Which blocks are known to be neighbours, told in words that mean the same elsewhere.
pub(crate) fn known_neighbours(names: &Names<'_>, learnt: &Learnt) -> Vec<(Calls, Calls, u64)> {
    let known = learnt.lists.neighbours();
    known.map(|(a, b, link)| (names.calls_of(a), names.calls_of(b), link)).collect()
}

fn expect_neighbours(
    names: &mut Names<'_>,
    learnt: &mut Learnt,
    neighbours: &[(Calls, Calls, u64)],
) {
    for (a, b, link) in neighbours {
        let (a, b) = (names.origin_of_calls(a.clone()), names.origin_of_calls(b.clone()));
        learnt.lists.expect(a, b, *link);
    }
}

#[cfg(test)]
mod tests {
    use heapwright_engine::Run;

    use super::*;
    use crate::precision::Payload;
    use crate::strategy::search::summarise;
    use crate::testing::program::task_of;

    const LIST: &str = "
        typedef __SIZE_TYPE__ size_t; extern void *malloc(size_t); extern void free(void *);
        extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        struct node { struct node *next; int value; };
        int main(void) {
            struct node *head = 0, *next;
            while (__VERIFIER_nondet_int()) {
                next = malloc(sizeof *next); next->next = head; next->value = 3; head = next;
            }
            while (head) {
                if (head->value != 3) reach_error();
                next = head->next; free(head); head = next;
            }
            return 0;
        }";

    /// A list that is built, dropped and left by the end of the program within calls.
    const CALLS: &str = "
        extern void *malloc(__SIZE_TYPE__); extern void free(void *); extern void exit(int);
        extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; };
        static struct node *build(void) {
            if (!__VERIFIER_nondet_int()) return 0;
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = build();
            while (__VERIFIER_nondet_int()) {}
            return fresh;
        }
        static void drop(struct node *list) {
            if (!list) { if (__VERIFIER_nondet_int()) exit(1); return; }
            drop(list->next);
            free(list);
        }
        int main(void) { drop(build()); return 0; }";

    /// Checks what was found for the list, after a change.
    fn is_closed(change: impl Fn(&mut Vec<String>)) -> bool {
        is_closed_for(LIST, change)
    }

    /// Checks what was found for a program, after a change.
    fn is_closed_for(program: &str, change: impl Fn(&mut Vec<String>)) -> bool {
        let task = task_of(program);
        let (settings, never) = (Settings::default(), Deadline::never());
        let precision = Precision::for_lists(Payload::Apart);
        let found = summarise(&task, &settings, &precision, &Run::alone(&never), &never);
        let Ok((mut certificate, _)) = found else { panic!("there are invariants") };
        change(&mut certificate.invariants);
        certificate.check(&task, &settings, &never).is_ok()
    }

    #[test]
    fn what_was_found_is_closed() {
        assert!(is_closed(|_| ()));
    }

    #[test]
    fn checking_changes_nothing() {
        let task = task_of(LIST);
        let (settings, never) = (Settings::default(), Deadline::never());
        let precision = Precision::for_lists(Payload::Apart);
        let found = summarise(&task, &settings, &precision, &Run::alone(&never), &never);
        let Ok((mut certificate, _)) = found else { panic!("there are invariants") };
        for _ in 0..2 {
            assert_eq!(certificate.check(&task, &settings, &never), Ok(()));
        }
        assert_eq!(certificate.precision, precision);
        certificate.invariants.pop();
        let first = certificate.check(&task, &settings, &never);
        assert!(first.is_err(), "an invariant is missing");
        assert_eq!(certificate.check(&task, &settings, &never), first);
    }

    #[test]
    fn what_is_missing_is_noticed() {
        assert!(!is_closed(|texts| _ = texts.pop()));
        assert!(!is_closed(|texts| _ = texts.remove(0)));
        assert!(!is_closed(Vec::clear));
    }

    #[test]
    fn what_says_too_much_is_noticed() {
        let replace = |from: &'static str, to: &'static str| {
            move |texts: &mut Vec<String>| {
                let is_there = texts.iter().any(|text| text.contains(from));
                assert!(is_there, "no {from} in\n{}", texts.join("\n"));
                texts.iter_mut().for_each(|text| *text = text.replace(from, to));
            }
        };
        assert!(!is_closed(replace("list of 1+", "list of 4+")));
        assert!(!is_closed(replace("= 3", "= 9")));
    }

    #[test]
    fn what_was_found_of_calls_is_closed() {
        assert!(is_closed_for(CALLS, |_| ()));
    }

    #[test]
    fn what_is_missing_of_calls_is_noticed() {
        let count = std::cell::Cell::new(0);
        assert!(is_closed_for(CALLS, |texts| count.set(texts.len())));
        assert!(count.get() >= 8, "three entries, some exits, a loop");
        for index in 0..count.get() {
            assert!(!is_closed_for(CALLS, |texts| _ = texts.remove(index)), "{index}");
        }
    }

    #[test]
    fn exits_of_other_calls_are_noticed() {
        let first_lines = |change: &dyn Fn(&str) -> String| {
            is_closed_for(CALLS, |texts| {
                let before = texts.clone();
                for text in texts.iter_mut() {
                    let (first, rest) = text.split_once('\n').expect("lines");
                    *text = format!("{}\n{rest}", change(first));
                }
                assert_ne!(*texts, before, "nothing was changed");
            })
        };
        assert!(!first_lines(&|line| line.replace(", in which the program may end", "")));
        assert!(!first_lines(&|line| line.replace("exit of call 1", "exit of call 2")));
        assert!(!first_lines(&|line| line.replace("exit of call 1", "within call 1")));
        assert!(!first_lines(&|line| line.replace("entry of call 2", "entry of call 1")));
        assert!(!first_lines(&|line| line.replace("exit of call 2", "entry of call 9")));
    }
}
