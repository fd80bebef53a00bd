//! Memory: the list of what was done to it, each with the condition under which it was done.
//!
//! Ways that meet put their lists one behind the other: at most one of them was gone, and the
//! conditions say which. What a place holds is found by going back through the list.

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::Place;

use crate::state::State;
use crate::value::{BLOCK_BITS, Pointer, Value};
use crate::walk::Checker;

/// What happens to memory.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A block with a number of its own comes to life.
    Begin {
        block: TermId,
        is_zeroed: bool,
    },
    /// A block ends.
    End {
        block: TermId,
    },
    Write {
        to: Pointer,
        bytes: u64,
        value: Value,
    },
    /// All bytes become this one.
    Fill {
        to: Pointer,
        size: TermId,
        byte: TermId,
    },
    /// Bytes come from somewhere else, as they were then.
    Copy {
        to: Pointer,
        from: Pointer,
        size: TermId,
        log: Rc<Vec<Logged>>,
    },
    /// A loop's head is reached over its back edge: what it changes is anything.
    Cut {
        cut: usize,
    },
}

/// An entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Logged {
    pub(crate) entry: usize,
    /// Whether it happened on every way to where the list is.
    pub(crate) is_sure: bool,
}

/// The bytes that an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Range {
    pub(crate) at: Pointer,
    pub(crate) bytes: u64,
    pub(crate) is_pointer: bool,
}

impl Checker<'_> {
    pub(crate) fn merge_logs(
        &mut self,
        one: &Rc<Vec<Logged>>,
        other: &Rc<Vec<Logged>>,
    ) -> Rc<Vec<Logged>> {
        if Rc::ptr_eq(one, other) {
            return Rc::clone(one);
        }
        let common = one.iter().zip(other.iter()).take_while(|(a, b)| a.entry == b.entry).count();
        if common == one.len() && common == other.len() {
            return Rc::clone(one);
        }
        let mut merged: Vec<Logged> = one[..common].to_vec();
        let unsure = |logged: &Logged| Logged { is_sure: false, ..*logged };
        merged.extend(one[common..].iter().map(unsure));
        merged.extend(other[common..].iter().map(unsure));
        Rc::new(merged)
    }

    /// When an entry of a list happened, given that its end is reached.
    pub(crate) fn happened(&self, logged: Logged) -> TermId {
        if logged.is_sure { TermId::TRUE } else { self.entries[logged.entry].0 }
    }

    /// Whether a block lives.
    pub(crate) fn is_alive(&mut self, log: &Rc<Vec<Logged>>, block: TermId) -> TermId {
        let mut cases: Vec<(TermId, TermId)> = Vec::new();
        let mut last = None;
        for (position, &logged) in log.iter().enumerate().rev() {
            let (is_meant, lives) = match self.entries[logged.entry].1 {
                Event::Begin { block: it, .. } => (self.terms.equal(it, block), TermId::TRUE),
                Event::End { block: it } => (self.terms.equal(it, block), TermId::FALSE),
                Event::Cut { cut } => self.life_at_cut(cut, block, &log[..position]),
                Event::Write { .. } | Event::Fill { .. } | Event::Copy { .. } => continue,
            };
            let happened = self.happened(logged);
            match self.terms.and(happened, is_meant) {
                TermId::FALSE => {}
                TermId::TRUE => {
                    last = Some(lives);
                    break;
                }
                condition => cases.push((condition, lives)),
            }
        }
        let last = match last {
            Some(last) => last,
            None => self.is_some(block, |facts| facts.only.is_some()),
        };
        let choose = |result, (condition, lives)| self.terms.if_then_else(condition, lives, result);
        cases.into_iter().rev().fold(last, choose)
    }

    /// Whether a block was ever made.
    pub(crate) fn exists(&mut self, log: &[Logged], block: TermId) -> TermId {
        let mut cases = vec![self.is_some(block, |facts| facts.only.is_some())];
        for &logged in log {
            let is_meant = match self.entries[logged.entry].1 {
                Event::Begin { block: it, .. } => self.terms.equal(it, block),
                Event::Cut { cut } => self.is_made_at_cut(cut, block),
                Event::End { .. }
                | Event::Write { .. }
                | Event::Fill { .. }
                | Event::Copy { .. } => continue,
            };
            let happened = self.happened(logged);
            cases.push(self.terms.and(happened, is_meant));
        }
        self.terms.any(&cases)
    }

    /// Whether a cut is passed and a block is one of these objects, from before it.
    fn is_among(&mut self, cut: usize, block: TermId, objects: &BTreeSet<usize>) -> TermId {
        let mut cases = Vec::new();
        for &object in objects {
            cases.push(self.is_of(block, object));
        }
        let is_one = self.terms.any(&cases);
        let bound = self.terms.bit_vector(u128::from(self.cuts[cut].bound), BLOCK_BITS);
        let is_known = self.terms.unsigned_less(block, bound);
        self.terms.all(&[self.cuts[cut].select, is_known, is_one])
    }

    /// Whether a block may have been made before a cut without our seeing it.
    fn is_made_at_cut(&mut self, cut: usize, block: TermId) -> TermId {
        let begun = self.cuts[cut].changes.begins.clone();
        let is_among = self.is_among(cut, block, &begun);
        if is_among == TermId::FALSE {
            return TermId::FALSE;
        }
        let made = self.terms.select(self.cuts[cut].made, block);
        let one = self.terms.bit_vector(1, 1);
        let is_made = self.terms.equal(made, one);
        self.terms.and(is_among, is_made)
    }

    /// At a cut: whether a block's life is not what it was, and what it then is. One that was made
    /// unseen lives, unless blocks of its object may end.
    fn life_at_cut(&mut self, cut: usize, block: TermId, before: &[Logged]) -> (TermId, TermId) {
        let is_made = self.is_made_at_cut(cut, block);
        let ends = self.cuts[cut].changes.ends.clone();
        let may_end = self.is_among(cut, block, &ends);
        if is_made == TermId::FALSE && may_end == TermId::FALSE {
            return (TermId::FALSE, TermId::FALSE);
        }
        if self.tells_blocks_apart() {
            let offset = self.offset_term(0);
            self.wanted.push((cut, Pointer { block, offset }));
        }
        let existed = self.exists(before, block);
        let is_old = self.terms.not(existed);
        let is_new = self.terms.and(is_made, is_old);
        let living = self.terms.select(self.cuts[cut].living, block);
        let one = self.terms.bit_vector(1, 1);
        let lives = self.terms.equal(living, one);
        let exists = self.terms.or(existed, is_made);
        let fact = self.terms.implies(lives, exists);
        let fact = self.terms.implies(may_end, fact);
        self.constraints.push(fact);
        let is_changed = self.terms.or(may_end, is_new);
        (is_changed, self.terms.if_then_else(may_end, lives, TermId::TRUE))
    }

    /// Arrays of one bit for a cut.
    pub(crate) fn bits_of_blocks(&mut self, name: &str) -> TermId {
        self.fresh(name, Sort::Array { index: BLOCK_BITS, element: 1 })
    }

    /// An object may begin or end in a loop only if that is claimed.
    pub(crate) fn check_life_change(&mut self, state: &mut State, object: usize) {
        let is_claimed = self
            .around
            .iter()
            .all(|&(cut, _)| self.is_bounded() || self.cuts[cut].changes.begins.contains(&object));
        if !is_claimed {
            let text = "a block begins or ends in a loop that does not claim it";
            self.require(state, TermId::FALSE, text, self.place);
        }
    }

    pub(crate) fn end_block(&mut self, state: &mut State, block: TermId, condition: TermId) {
        if !self.is_bounded() {
            for (cut, _) in self.around.clone() {
                let objects: Vec<usize> = self.cuts[cut].changes.ends.iter().copied().collect();
                let mut cases = vec![self.terms.not(condition)];
                for object in objects {
                    cases.push(self.is_of(block, object));
                }
                let is_claimed = self.terms.any(&cases);
                let text = "a block ends in a loop that does not claim it";
                self.require(state, is_claimed, text, self.place);
            }
        }
        let none = self.terms.bit_vector(0, BLOCK_BITS);
        let block = self.terms.if_then_else(condition, block, none);
        self.log(state, Event::End { block });
    }

    /// The bytes that a loop around writes are among those that it claims to change.
    pub(crate) fn check_change(
        &mut self,
        state: &mut State,
        to: Pointer,
        size: TermId,
        place: Place,
    ) {
        if self.is_bounded() {
            return;
        }
        for (cut, _) in self.around.clone() {
            let is_claimed = self.is_claimed(cut, to, size);
            let text = "a loop changes more than it claims";
            self.require(state, is_claimed, text, place);
        }
    }

    fn is_claimed(&mut self, cut: usize, to: Pointer, size: TermId) -> TermId {
        let changes = self.cuts[cut].changes.clone();
        let mut cases = Vec::new();
        for (object, ranges) in changes.bytes {
            let is_of = self.is_of(to.block, object);
            let is_inside = match ranges {
                _ if is_of == TermId::FALSE => continue,
                None => TermId::TRUE,
                Some(ranges) => {
                    let mut inside = Vec::new();
                    for (start, end) in ranges {
                        let start_term = self.offset_term(i128::from(start));
                        let room = self.offset_term(i128::from(end - start));
                        let from = self.terms.subtract(to.offset, start_term);
                        let fits = self.terms.unsigned_less_equal(size, room);
                        let rest = self.terms.subtract(room, size);
                        let begins = self.terms.unsigned_less_equal(from, rest);
                        inside.push(self.terms.and(fits, begins));
                    }
                    self.terms.any(&inside)
                }
            };
            cases.push(self.terms.and(is_of, is_inside));
        }
        // What a round makes itself is new to the next head: nothing is known of it there.
        let bound = self.terms.bit_vector(u128::from(self.cuts[cut].bound), BLOCK_BITS);
        cases.push(self.terms.unsigned_less_equal(bound, to.block));
        self.terms.any(&cases)
    }
}
