//! Walks over terms, without recursion: formulas of unrolled programs are deep.

use rustc_hash::FxHashSet;

use crate::arena::Terms;
use crate::term::{Sort, Term, TermId};

impl Terms {
    /// Every term reachable from `roots`, children before parents.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        reachable_unless(self, roots, |_| false)
    }

    /// Every term reachable from `roots` without passing a term that is `known`, children first.
    pub fn reachable_unless(
        &self,
        roots: &[TermId],
        known: impl Fn(TermId) -> bool,
    ) -> Vec<TermId> {
        reachable_unless(self, roots, known)
    }

    /// The variables of `roots`, in the order of their ids.
    pub fn free_variables(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut variables = Vec::new();
        let mut deep = Vec::new();
        for &root in roots {
            if !self.note_variables_nearby(root, &mut variables) {
                deep.push(root);
            }
        }
        if !deep.is_empty() {
            let is_variable = |&term: &TermId| matches!(self.node(term), Term::Variable(_));
            variables.extend(self.reachable(&deep).into_iter().filter(is_variable));
        }
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The same for a term that is at most one operation deep, as most values of programs are; for
    /// such terms it is not worthwhile to remember what was seen. Of a deeper one it may note some only.
    fn note_variables_nearby(&self, root: TermId, variables: &mut Vec<TermId>) -> bool {
        let mut note = |term: TermId| match self.node(term) {
            Term::Variable(_) => {
                variables.push(term);
                true
            }
            node => node.children().as_slice().is_empty(),
        };
        note(root) || self.node(root).children().into_iter().all(note)
    }

    pub fn has_arrays(&self, roots: &[TermId]) -> bool {
        self.reachable(roots).into_iter().any(|term| matches!(self.sort(term), Sort::Array { .. }))
    }
}

pub(crate) fn reachable_unless(
    terms: &Terms,
    roots: &[TermId],
    known: impl Fn(TermId) -> bool,
) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut pending: Vec<TermId> = Vec::new();
    let mut found = Vec::new();
    let mut visit = |term: TermId, pending: &mut Vec<TermId>, found: &mut Vec<TermId>| {
        if !known(term) && seen.insert(term) {
            pending.push(term);
            found.push(term);
        }
    };
    for &root in roots {
        visit(root, &mut pending, &mut found);
    }
    while let Some(term) = pending.pop() {
        for child in terms.node(term).children() {
            visit(child, &mut pending, &mut found);
        }
    }
    // Children have smaller ids than their parents.
    found.sort_unstable();
    found
}
