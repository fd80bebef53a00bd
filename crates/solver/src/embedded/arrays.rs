//! Arrays without arrays: every read becomes a choice among the writes below it and, at a variable
//! array, a free word. That equal indices read equal words is added only when a candidate
//! solution breaks it (lemmas on demand): most pairs of reads never meet.

use heapwright_logic::{Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::gates::Literal;
use super::translate::Translation;
use super::words::Word;

/// A read of a variable array.
#[derive(Clone, Debug)]
pub(crate) struct ArrayRead {
    pub(crate) array: TermId,
    pub(crate) index: Word,
    pub(crate) element: Word,
}

/// All reads so far.
#[derive(Debug)]
pub(crate) struct ArrayReads {
    /// Reads of variable arrays.
    free: Vec<ArrayRead>,
    /// The result of each read of each array term.
    results: FxHashMap<(TermId, Word), Word>,
}

impl ArrayReads {
    pub(crate) fn new() -> Self {
        Self { free: Vec::new(), results: FxHashMap::default() }
    }

    pub(crate) fn free(&self) -> &[ArrayRead] {
        &self.free
    }
}

/// What one level of an array says about a read, besides the levels below.
enum Level {
    Element(Word),
    Base(TermId),
    Choice(Literal, Side, Side),
}

enum Side {
    Element(Word),
    Array(TermId),
}

impl Translation {
    pub(crate) fn select(&mut self, terms: &Terms, array: TermId, index: Word) -> Word {
        let mut levels = self.levels(terms, array, &index);
        // Bases have smaller ids than the arrays made from them.
        levels.sort_unstable_by_key(|&(array, _)| array);
        for (level_array, level) in levels {
            let result = self.read_level(level, &index);
            self.reads.results.insert((level_array, index.clone()), result);
        }
        self.reads.results[&(array, index)].clone()
    }

    /// The levels that the read can reach and that have no result yet.
    fn levels(&mut self, terms: &Terms, array: TermId, index: &Word) -> Vec<(TermId, Level)> {
        let mut levels = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![array];
        while let Some(current) = pending.pop() {
            let is_known = self.reads.results.contains_key(&(current, index.clone()));
            if is_known || !seen.insert(current) {
                continue;
            }
            let level = self.level(terms, current, index);
            match &level {
                Level::Element(_) => {}
                Level::Base(base) => pending.push(*base),
                Level::Choice(_, a, b) => {
                    let bases = [a, b].into_iter().filter_map(|side| match side {
                        Side::Array(base) => Some(*base),
                        Side::Element(_) => None,
                    });
                    pending.extend(bases);
                }
            }
            levels.push((current, level));
        }
        levels
    }

    fn level(&mut self, terms: &Terms, array: TermId, index: &Word) -> Level {
        match terms.node(array) {
            Term::Store(base, at, element) => {
                let at = self.word(terms, at).to_vec();
                let element = self.word(terms, element).to_vec();
                match self.gates.words_equal(&at, index) {
                    Literal::TRUE => Level::Element(element),
                    Literal::FALSE => Level::Base(base),
                    is_here => Level::Choice(is_here, Side::Element(element), Side::Array(base)),
                }
            }
            Term::IfThenElse(condition, then, otherwise) => match self.boolean(condition) {
                Literal::TRUE => Level::Base(then),
                Literal::FALSE => Level::Base(otherwise),
                condition => Level::Choice(condition, Side::Array(then), Side::Array(otherwise)),
            },
            Term::ConstantArray { element, .. } => {
                Level::Element(self.word(terms, element).to_vec())
            }
            Term::Variable(_) => {
                let width = terms.array_widths(array).1;
                let element: Word = (0..width).map(|_| self.gates.input()).collect();
                let read = ArrayRead { array, index: index.clone(), element: element.clone() };
                self.reads.free.push(read);
                Level::Element(element)
            }
            node => panic!("{node:?} is no array"),
        }
    }

    fn read_level(&mut self, level: Level, index: &Word) -> Word {
        match level {
            Level::Element(element) => element,
            Level::Base(base) => self.reads.results[&(base, index.clone())].clone(),
            Level::Choice(condition, a, b) => {
                let (a, b) = (self.read_side(a, index), self.read_side(b, index));
                self.gates.word_choice(condition, &a, &b)
            }
        }
    }

    fn read_side(&self, side: Side, index: &Word) -> Word {
        match side {
            Side::Element(element) => element,
            Side::Array(base) => self.reads.results[&(base, index.clone())].clone(),
        }
    }
}
