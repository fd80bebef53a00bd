//! Extents as text, and from it: one line each, `every/SIZE by STRIDE from PLACE to PLACE holds LAW`, with `here` for the
//! element, `place` for where it is, and `there` for the one that `beside BLOCK at DISTANCE` tells.

use std::collections::BTreeMap;

use heapwright_logic::{Sort, Term, TermId};

use crate::heap::contents::{Beside, Extent};
use crate::heap::names::Names;
use crate::heap::text::build::{Read, Scope, parse_block_name};
use crate::heap::text::parse::ExtentText;

impl Names<'_> {
    /// What the stand-ins of laws about elements of a size are called.
    pub(super) fn words_of_law(&mut self, size: u64) -> BTreeMap<TermId, String> {
        BTreeMap::from([
            (self.here(size), "here".to_owned()),
            (self.place(), "place".to_owned()),
            (self.there(size), "there".to_owned()),
        ])
    }

    pub(super) fn parse_extent(&mut self, scope: &Scope, text: &ExtentText<'_>) -> Read<Extent> {
        let pointer = Sort::BitVector(self.pointer_bits());
        let from = self.parse_term(scope, &text.from, pointer)?;
        let to = self.parse_term(scope, &text.to, pointer)?;
        let beside = match &text.beside {
            Some((block, distance)) => Some(Beside {
                block: parse_block_name(scope, block)?,
                distance: self.parse_term(scope, distance, pointer)?,
            }),
            None => None,
        };
        let mut within = scope.clone();
        for (term, word) in self.words_of_law(text.size) {
            within.terms.insert(word, term);
        }
        let law = self.parse_term(&within, &text.law, Sort::Boolean)?;
        let there = self.there(text.size);
        if beside.is_none() && self.terms.free_variables(&[law]).contains(&there) {
            return Err(text.law.error("nothing says what `there` is"));
        }
        let law = self.conjuncts(law);
        Ok(Extent { from, to, stride: text.stride, size: text.size, beside, law })
    }

    /// The conjuncts of a formula, in order.
    fn conjuncts(&self, formula: TermId) -> Vec<TermId> {
        let mut conjuncts = Vec::new();
        let mut work = vec![formula];
        while let Some(term) = work.pop() {
            match self.terms.node(term) {
                Term::And(a, b) => work.extend([a, b]),
                _ => conjuncts.push(term),
            }
        }
        conjuncts.sort_unstable();
        conjuncts.dedup();
        conjuncts
    }
}
