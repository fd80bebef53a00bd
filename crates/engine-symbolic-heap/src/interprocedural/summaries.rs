//! Finding entries and exits: calls meet at the entries of functions, returns at their exits, as
//! states meet at loop heads.
//!
//! Each entry, and the program itself, is explored for itself, with the exits that are known of the
//! calls that it makes. It is explored again when its entry was generalised, or when a call that it
//! makes has a new exit, until nothing new appears.

use std::collections::BTreeSet;

use heapwright_program::FunctionId;

use crate::abstraction::entail::{Join, entails, join};
use crate::abstraction::leak::reduce;
use crate::heap::state::State;
use crate::interprocedural::bounds::are_alike;
use crate::interprocedural::localise::forget_address_facts;
use crate::interprocedural::{Effect, Procedure, Procedures};
use crate::interprocedural::{PATIENCE, Places};
use crate::no_proof::NoProof;
use crate::summary::domain::Domain;

/// What is explored for itself: a call, by its number, or the program.
pub(crate) type Unit = Option<usize>;

/// A state, and how often it was generalised.
#[derive(Debug)]
struct Met {
    state: State,
    visits: u32,
}

#[derive(Debug)]
struct Entry {
    function: FunctionId,
    met: Met,
    exits: Vec<Met>,
    ends: bool,
    places: Places,
    callers: BTreeSet<Unit>,
}

/// All entries that were found, and what is to be explored.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    waiting: BTreeSet<Unit>,
    /// What is explored now.
    current: Unit,
    /// Entries and exits of one kind that are told apart.
    most: usize,
    /// What the program's own abstraction points were found to be.
    program: Places,
}

impl Table {
    pub(crate) fn new(most: usize) -> Table {
        Table {
            entries: Vec::new(),
            waiting: BTreeSet::from([None]),
            current: None,
            most,
            program: Places::new(),
        }
    }

    /// What is to be explored next: inner calls first, since outer ones wait for their exits. With
    /// the entry of a call.
    pub(crate) fn next(&mut self) -> Option<(Unit, Option<State>)> {
        self.current = self.waiting.pop_last()?;
        let entry = self.current.map(|index| self.entries[index].met.state.clone());
        Some((self.current, entry))
    }

    /// The current unit was explored.
    pub(crate) fn explored(&mut self, places: Places) {
        match self.current {
            Some(index) => self.entries[index].places = places,
            None => self.program = places,
        }
    }

    /// What was found of the program's own places and of all calls.
    pub(crate) fn into_parts(self) -> (Places, Vec<Procedure>) {
        let procedures = self.entries.into_iter().map(|entry| Procedure {
            function: entry.function,
            entry: entry.met.state,
            places: entry.places,
            exits: entry.exits.into_iter().map(|exit| exit.state).collect(),
            ends: entry.ends,
        });
        (self.program, procedures.collect())
    }

    /// The entry that covers a call.
    fn entry_of(&mut self, domain: &mut Domain<'_, '_>, call: State) -> Result<usize, NoProof> {
        let function = call.frame().function;
        let of_function = |entry: &Entry| entry.function == function;
        for (index, entry) in self.entries.iter().enumerate() {
            if of_function(entry) && entails(domain, &entry.met.state, &call).is_ok() {
                return Ok(index);
            }
        }
        for (index, entry) in self.entries.iter_mut().enumerate() {
            let calls = [&entry.met.state, &call];
            if !of_function(entry) || !are_alike(&domain.reasoner.names, domain.precision, calls) {
                continue;
            }
            let Met { state, visits } = &mut entry.met;
            match join(domain, state, &call, *visits >= PATIENCE) {
                Join::Covers => return Ok(index),
                Join::General(general) => {
                    *state = *general;
                    *visits += 1;
                    self.waiting.insert(Some(index));
                    return Ok(index);
                }
                Join::Apart => {}
            }
        }
        if self.entries.iter().filter(|entry| of_function(entry)).count() >= self.most {
            return Err(NoProof::because("too many shapes of the heap at calls of a function"));
        }
        let index = self.entries.len();
        self.entries.push(Entry {
            function,
            met: Met { state: call, visits: 0 },
            exits: Vec::new(),
            ends: false,
            places: Places::new(),
            callers: BTreeSet::new(),
        });
        self.waiting.insert(Some(index));
        Ok(index)
    }

    /// Callers of what is explored now have to be explored again.
    fn wake_callers(&mut self) {
        let index = self.current.expect("a call");
        self.waiting.extend(self.entries[index].callers.iter().copied());
    }
}

impl Procedures for Table {
    fn called(&mut self, domain: &mut Domain<'_, '_>, mut call: State) -> Result<Effect, NoProof> {
        reduce(domain, &mut call)?;
        let index = self.entry_of(domain, call)?;
        let current = self.current;
        let entry = &mut self.entries[index];
        entry.callers.insert(current);
        let exits = entry.exits.iter().map(|exit| exit.state.clone()).collect();
        Ok(Effect { exits, ends: entry.ends })
    }

    fn returned(&mut self, domain: &mut Domain<'_, '_>, mut exit: State) -> Result<(), NoProof> {
        forget_address_facts(&domain.reasoner.names, &mut exit);
        reduce(domain, &mut exit)?;
        let index = self.current.expect("a call that returns");
        let exits = &mut self.entries[index].exits;
        if exits.iter().any(|known| entails(domain, &known.state, &exit).is_ok()) {
            return Ok(());
        }
        let mut joined = None;
        for (position, Met { state, visits }) in exits.iter_mut().enumerate() {
            match join(domain, state, &exit, *visits >= PATIENCE) {
                Join::Covers => return Ok(()),
                Join::General(general) => {
                    *state = *general;
                    *visits += 1;
                    joined = Some(position);
                    break;
                }
                Join::Apart => {}
            }
        }
        match joined {
            Some(position) => {
                let general = exits[position].state.clone();
                let mut at = 0;
                exits.retain(|other| {
                    at += 1;
                    at - 1 == position || entails(domain, &general, &other.state).is_err()
                });
            }
            None => exits.push(Met { state: exit, visits: 0 }),
        }
        if exits.len() > self.most {
            return Err(NoProof::because("too many shapes of the heap where a function returns"));
        }
        self.wake_callers();
        Ok(())
    }

    fn ended(&mut self) -> Result<(), NoProof> {
        let Some(index) = self.current else { return Ok(()) };
        if !std::mem::replace(&mut self.entries[index].ends, true) {
            self.wake_callers();
        }
        Ok(())
    }
}
