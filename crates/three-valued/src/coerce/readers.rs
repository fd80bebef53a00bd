//! Readers: which rules a change of a predicate is of interest to, as sets of bits. A rule that is due is found by
//! looking at a word or two, and rules that have nothing to do cost nothing.

use crate::coerce::changes::{Changes, Counts, Touched};

#[derive(Clone, Debug, Default)]
pub(crate) struct Readers {
    /// In a set of rules.
    words: usize,
    rules: usize,
    nullary: Vec<u64>,
    /// By predicate, a set each.
    unary: Vec<u64>,
    binary: Vec<u64>,
    /// Rules that look at no predicate.
    always: Vec<u64>,
}

impl Readers {
    /// For each rule, what it looks at.
    pub(crate) fn new(looks: &[Touched], counts: Counts) -> Readers {
        let words = looks.len().div_ceil(64);
        let mut readers = Readers {
            words,
            rules: looks.len(),
            nullary: vec![0; words],
            unary: vec![0; words * counts.unary],
            binary: vec![0; words * counts.binary],
            always: vec![0; words],
        };
        for (rule, looks) in looks.iter().enumerate() {
            let (word, bit) = (rule / 64, 1 << (rule % 64));
            if looks.nullary {
                readers.nullary[word] |= bit;
            }
            for predicate in &looks.unary {
                readers.unary[predicate * words + word] |= bit;
            }
            for predicate in &looks.binary {
                readers.binary[predicate * words + word] |= bit;
            }
            if *looks == Touched::default() {
                readers.always[word] |= bit;
            }
        }
        readers
    }

    /// The rules that are due after these changes.
    pub(crate) fn collect(&self, changes: &Changes, due: &mut Vec<u64>) {
        due.clear();
        if changes.is_all() {
            due.resize(self.words, u64::MAX);
            if let Some(last) = due.last_mut() {
                *last >>= self.words * 64 - self.rules;
            }
            return;
        }
        due.extend_from_slice(&self.always);
        if changes.has_nullary() {
            self.of_nullary(due);
        }
        changes.unary().for_each(|predicate| self.of_unary(predicate, due));
        changes.binary().for_each(|predicate| self.of_binary(predicate, due));
    }

    pub(crate) fn of_nullary(&self, due: &mut [u64]) {
        add(due, &self.nullary);
    }

    #[inline]
    pub(crate) fn of_unary(&self, predicate: usize, due: &mut [u64]) {
        add(due, &self.unary[predicate * self.words..][..self.words]);
    }

    #[inline]
    pub(crate) fn of_binary(&self, predicate: usize, due: &mut [u64]) {
        add(due, &self.binary[predicate * self.words..][..self.words]);
    }
}

#[inline]
fn add(due: &mut [u64], rules: &[u64]) {
    for (due, rules) in due.iter_mut().zip(rules) {
        *due |= rules;
    }
}
