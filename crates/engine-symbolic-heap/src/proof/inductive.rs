//! The check of invariants: they hold initially, every way from one abstraction point to the next keeps
//! them, and none of these ways is faulty. Calls of recursive functions that are cut off start in a
//! known entry and go on with its known exits; every way out of an entry must lead to one of them.
//! It does not look at how all this was found.

use heapwright_engine::Deadline;

use crate::abstraction::entail::entails;
use crate::abstraction::gap::tell_not_described;
use crate::abstraction::leak::reduce;
use crate::analysis::passage::Passage;
use crate::analysis::search::Search;
use crate::heap::state::State;
use crate::interprocedural::localise::forget_address_facts;
use crate::interprocedural::{Effect, Invariants, Places, Procedure, Procedures};
use crate::no_proof::NoProof;
use crate::proof::evidence::SecondReading;
use crate::summary::domain::Domain;

/// Whether the invariants are closed under all edges.
pub(crate) fn check_closed(
    search: &mut Search<'_>,
    invariants: &Invariants,
    second: Option<&mut SecondReading<'_>>,
    deadline: &Deadline,
) -> Result<(), NoProof> {
    let initial = search.reasoner.names.start.clone()?;
    let mut known = Known { procedures: &invariants.procedures, current: None, second };
    check_places(search, &initial, &invariants.program, &mut known, deadline)?;
    for procedure in &invariants.procedures {
        known.current = Some(procedure);
        check_places(search, &procedure.entry, &procedure.places, &mut known, deadline)?;
    }
    Ok(())
}

/// Whether all ways from a start lead to known states.
fn check_places(
    search: &mut Search<'_>,
    start: &State,
    places: &Places,
    known: &mut Known<'_, '_, '_>,
    deadline: &Deadline,
) -> Result<(), NoProof> {
    let is_over = || deadline.is_over();
    for start in std::iter::once(start).chain(places.values().flatten()) {
        let mut passage = Passage::from(start.clone());
        passage.go_on(search, known, &is_over)?;
        for (place, mut arrived) in passage.into_arrived() {
            if is_over() {
                return Err(NoProof::TimeIsOver);
            }
            let text = known.text_for_second_reading(search, &arrived);
            reduce(&mut search.domain(), &mut arrived)?;
            let states = places.get(&place).map_or(&[][..], Vec::as_slice);
            if !states.iter().any(|known| entails(&mut search.domain(), known, &arrived).is_ok()) {
                return Err(not_described(&mut search.domain(), &arrived, states));
            }
            if let (Some(text), Some(second)) = (text, &mut known.second) {
                second.check(&text)?;
            }
        }
    }
    Ok(())
}

/// The invariants have a gap; those who look closely are told where.
fn not_described<'s>(
    domain: &mut Domain<'_, '_>,
    arrived: &State,
    known: impl IntoIterator<Item = &'s State>,
) -> NoProof {
    tell_not_described(domain, arrived, known, &NoProof::NotInductive);
    NoProof::NotInductive
}

/// Entries and exits as they are known.
struct Known<'i, 's, 't> {
    procedures: &'i [Procedure],
    /// The call whose ways are followed, unless they are those of the program itself.
    current: Option<&'i Procedure>,
    /// Who else looks at what arrives, if somebody does.
    second: Option<&'s mut SecondReading<'t>>,
}

impl Known<'_, '_, '_> {
    /// A state that has arrived, as text, if somebody else looks at it too.
    fn text_for_second_reading(
        &mut self,
        search: &mut Search<'_>,
        arrived: &State,
    ) -> Option<String> {
        let is_due = arrived.outside.is_none() && self.second.as_mut()?.is_due();
        is_due.then(|| search.reasoner.names.describe(arrived))
    }
}

impl Procedures for Known<'_, '_, '_> {
    fn called(&mut self, domain: &mut Domain<'_, '_>, mut entry: State) -> Result<Effect, NoProof> {
        reduce(domain, &mut entry)?;
        let of_function =
            self.procedures.iter().filter(|known| known.function == entry.frame().function);
        match of_function.clone().find(|known| entails(domain, &known.entry, &entry).is_ok()) {
            Some(covering) => Ok(Effect { exits: covering.exits.clone(), ends: covering.ends }),
            None => Err(not_described(domain, &entry, of_function.map(|known| &known.entry))),
        }
    }

    fn returned(&mut self, domain: &mut Domain<'_, '_>, mut exit: State) -> Result<(), NoProof> {
        forget_address_facts(&domain.reasoner.names, &mut exit);
        reduce(domain, &mut exit)?;
        let exits = self.current.map_or(&[][..], |current| &current.exits);
        let is_known = exits.iter().any(|known| entails(domain, known, &exit).is_ok());
        if is_known { Ok(()) } else { Err(not_described(domain, &exit, exits)) }
    }

    fn ended(&mut self) -> Result<(), NoProof> {
        let is_known = self.current.is_none_or(|current| current.ends);
        if is_known { Ok(()) } else { Err(NoProof::NotInductive) }
    }
}

#[cfg(test)]
mod tests {
    use heapwright_engine::Task;
    use heapwright_frontend::{Settings, Source, load};
    use heapwright_program::DataModel;
    use heapwright_property::Specification;

    use super::*;
    use crate::analysis::invariant_search::InvariantSearch;
    use crate::precision::{Payload, Precision};

    const BUILD_AND_DROP: &str = "
        extern void *malloc(__SIZE_TYPE__); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; };
        int main(void) {
            struct node *head = 0;
            while (__VERIFIER_nondet_int()) {
                struct node *fresh = malloc(sizeof *fresh);
                fresh->next = head; head = fresh;
            }
            while (head) { struct node *next = head->next; free(head); head = next; }
            return 0;
        }";

    /// The same without loops.
    const RECURSIVE: &str = "
        extern void *malloc(__SIZE_TYPE__); extern void free(void *); extern void exit(int);
        extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; };
        static struct node *build(void) {
            if (!__VERIFIER_nondet_int()) return 0;
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = build();
            return fresh;
        }
        static void drop(struct node *list) {
            if (!list) { if (__VERIFIER_nondet_int()) exit(1); return; }
            drop(list->next);
            free(list);
        }
        int main(void) { drop(build()); return 0; }";

    fn check(change: impl Fn(&mut Invariants)) -> Result<(), NoProof> {
        check_of(BUILD_AND_DROP, change)
    }

    /// Whether the invariants that are found for the program are closed, after a change.
    fn check_of(program: &str, change: impl Fn(&mut Invariants)) -> Result<(), NoProof> {
        let source = Source::new("test.c", program.to_owned());
        let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
        let specification = Specification::everyday();
        let task = Task { program, specification, malloc_may_fail: false };
        let (settings, deadline) = (crate::Settings::default(), Deadline::never());
        let (search, initial) = {
            let precision = Precision::for_lists(Payload::Numbers);
            Search::prepare(&task, &settings, precision, &deadline)
        }
        .expect("a first state");
        let mut search = InvariantSearch::new(search, initial);
        let mut invariants = search.go_on(&deadline).expect("invariants");
        change(&mut invariants);
        check_closed(search.search(), &invariants, None, &deadline)
    }

    #[test]
    fn what_the_exploration_finds_is_closed() {
        assert_eq!(check(|_| {}), Ok(()));
    }

    #[test]
    fn without_one_of_the_loop_heads_it_is_not() {
        for index in 0..2 {
            let checked = check(|invariants| {
                let places = &mut invariants.program;
                assert_eq!(places.len(), 2);
                let place = places.keys().nth(index).expect("a loop head").clone();
                places.remove(&place);
            });
            assert_eq!(checked, Err(NoProof::NotInductive), "{index}");
        }
    }

    #[test]
    fn with_the_first_shape_at_each_loop_head_alone_it_is_not() {
        let checked = check(|invariants| {
            for states in invariants.program.values_mut() {
                assert!(states.len() > 1, "an empty list, and others");
                states.truncate(1);
            }
        });
        assert_eq!(checked, Err(NoProof::NotInductive));
    }

    #[test]
    fn what_is_found_of_calls_is_closed() {
        assert_eq!(check_of(RECURSIVE, |_| {}), Ok(()));
    }

    #[test]
    fn without_one_of_the_entries_it_is_not() {
        let count = std::cell::Cell::new(0);
        assert_eq!(check_of(RECURSIVE, |found| count.set(found.procedures.len())), Ok(()));
        assert!(count.get() >= 3, "build, drop of nothing, drop of a list");
        for index in 0..count.get() {
            let checked = check_of(RECURSIVE, |found| {
                found.procedures.remove(index);
            });
            assert_eq!(checked, Err(NoProof::NotInductive), "{index}");
        }
    }

    #[test]
    fn without_one_of_the_exits_or_ends_it_is_not() {
        let exits = std::cell::RefCell::new(Vec::new());
        let note = |found: &mut Invariants| {
            exits.replace(found.procedures.iter().map(|call| call.exits.len()).collect());
        };
        assert_eq!(check_of(RECURSIVE, note), Ok(()));
        for (index, &count) in exits.borrow().iter().enumerate() {
            assert!(count > 0, "a call that never returns");
            for exit in 0..count {
                let checked = check_of(RECURSIVE, |found| {
                    found.procedures[index].exits.remove(exit);
                });
                assert_eq!(checked, Err(NoProof::NotInductive), "{index} {exit}");
            }
        }
        let checked = check_of(RECURSIVE, |found| {
            assert!(found.procedures.iter().any(|call| call.ends), "some calls end the program");
            found.procedures.iter_mut().for_each(|call| call.ends = false);
        });
        assert_eq!(checked, Err(NoProof::NotInductive));
    }
}
