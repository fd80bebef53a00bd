//! What has changed since something was last looked at. Whoever looks at too little decides fewer values, and
//! accepts fewer certificates; never more.

use crate::formula::Formula;
use crate::heap::Heap;
use crate::read_formula::Symbol;

/// What a definition or rule speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Subjects {
    symbols: Vec<Symbol>,
    /// Whether two nodes are compared, which says nothing of the blocks of a node for many.
    compares: bool,
}

impl Subjects {
    pub(crate) fn of<'f>(formulas: impl IntoIterator<Item = &'f Formula>) -> Subjects {
        let mut subjects = Subjects::default();
        for formula in formulas {
            formula.visit(&mut |part| match part {
                Formula::Unary(predicate, _) => subjects.symbols.push(Symbol::Unary(*predicate)),
                Formula::Binary(predicate, ..) => {
                    subjects.symbols.push(Symbol::Binary(*predicate));
                }
                Formula::Equal(..) => subjects.compares = true,
                Formula::Constant(_)
                | Formula::IsNull(_)
                | Formula::IsWild(_)
                | Formula::IsBlock(_)
                | Formula::Not(_)
                | Formula::All(_)
                | Formula::Any(_)
                | Formula::Exists(..)
                | Formula::ForAll(..)
                | Formula::Path { .. } => {}
            });
        }
        // What speaks of no predicate is looked at whenever something is.
        subjects.compares |= subjects.symbols.is_empty();
        subjects
    }

    /// With one more.
    pub(crate) fn and(mut self, symbol: Symbol) -> Subjects {
        self.symbols.push(symbol);
        self
    }

    /// Together with which nodes are for many.
    pub(crate) fn and_many(mut self) -> Subjects {
        self.compares = true;
        self
    }
}

/// When each predicate has last changed.
#[derive(Clone, Debug)]
pub(crate) struct News {
    now: usize,
    unary: Vec<usize>,
    binary: Vec<usize>,
    many: usize,
}

impl News {
    /// Nothing has changed.
    pub(crate) fn none(heap: &Heap) -> News {
        let unary = vec![0; heap.unary.rows().count()];
        News { now: 1, unary, binary: vec![0; heap.binary.len()], many: 0 }
    }

    /// Everything is new.
    pub(crate) fn all(heap: &Heap) -> News {
        let mut news = News::none(heap);
        news.unary.fill(1);
        news.binary.fill(1);
        news.many = 1;
        news
    }

    /// What differs between two heaps with the same nodes.
    pub(crate) fn between(before: &Heap, after: &Heap) -> News {
        let mut news = News::none(after);
        let unary = before.unary.rows().zip(after.unary.rows());
        for (changed, (before, after)) in news.unary.iter_mut().zip(unary) {
            *changed = usize::from(before != after);
        }
        let binary = before.binary.iter().zip(&after.binary);
        for (changed, (before, after)) in news.binary.iter_mut().zip(binary) {
            *changed = usize::from(before != after);
        }
        news.many = usize::from(before.is_many != after.is_many);
        news
    }

    /// With a predicate that has changed, and which nodes are for many.
    pub(crate) fn with(mut self, symbol: Symbol) -> News {
        self.note(symbol);
        self.note_many();
        self
    }

    pub(crate) fn note(&mut self, symbol: Symbol) {
        self.now += 1;
        match symbol {
            Symbol::Unary(predicate) => self.unary[predicate] = self.now,
            Symbol::Binary(predicate) => self.binary[predicate] = self.now,
        }
    }

    pub(crate) fn note_many(&mut self) {
        self.now += 1;
        self.many = self.now;
    }

    pub(crate) fn now(&self) -> usize {
        self.now
    }

    /// Whether something of this is new since then.
    pub(crate) fn are_about(&self, subjects: &Subjects, since: usize) -> bool {
        let is_new = |symbol: &Symbol| match symbol {
            Symbol::Unary(predicate) => self.unary[*predicate] > since,
            Symbol::Binary(predicate) => self.binary[*predicate] > since,
        };
        subjects.compares && self.many > since || subjects.symbols.iter().any(is_new)
    }
}
