//! What names mean in a part of a text: terms of this crate's own.
//!
//! A kind of node is read once for each node, with names for that node's blocks and numbers.

use std::collections::BTreeMap;
use std::rc::Rc;

use heapwright_logic::{Sort, TermId, Terms};

use crate::syntax::{NumberText, SortText, TermText};

/// Names, and those of the text around.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    around: Option<Rc<Scope>>,
    own: BTreeMap<String, TermId>,
    /// How many kinds are around.
    depth: usize,
}

impl Scope {
    /// The scope of one more node within this one.
    pub(crate) fn within(around: &Rc<Scope>) -> Scope {
        Scope { around: Some(Rc::clone(around)), own: BTreeMap::new(), depth: around.depth + 1 }
    }

    /// What names of a kind have before them: `inner.` for each kind around.
    pub(crate) fn prefix(&self) -> String {
        "inner.".repeat(self.depth.saturating_sub(1))
    }

    /// Whether this is the scope of a node.
    pub(crate) fn is_in_a_kind(&self) -> bool {
        self.depth > 0
    }

    /// What is named first stays.
    pub(crate) fn name(&mut self, name: String, term: TermId) {
        self.own.entry(name).or_insert(term);
    }

    pub(crate) fn find(&self, name: &str) -> Option<TermId> {
        self.own.get(name).copied().or_else(|| self.around.as_ref()?.find(name))
    }
}

pub(crate) fn sort_of(sort: SortText) -> Sort {
    match sort {
        SortText::Truth => Sort::Boolean,
        SortText::Bits(width) => Sort::BitVector(width),
    }
}

/// Numbers that nobody has yet, by their names.
pub(crate) fn declare(terms: &mut Terms, scope: &mut Scope, numbers: &[NumberText]) {
    for NumberText { name, sort } in numbers {
        let term = terms.fresh_variable(name, sort_of(*sort));
        scope.name(name.clone(), term);
    }
}

/// Reads a term. An address of a block that the text does not list is that of a block that is no
/// more: nothing is known of it, but that it is the same wherever it is named.
pub(crate) fn read(
    terms: &mut Terms,
    scope: &Scope,
    text: &TermText,
    sort: Sort,
    pointer_bits: u32,
) -> Result<TermId, String> {
    let mut names = |terms: &mut Terms, name: &str| {
        scope.find(name).or_else(|| {
            let is_address = name.starts_with("&b");
            is_address.then(|| terms.variable(name, Sort::BitVector(pointer_bits)))
        })
    };
    terms.parse(text, sort, &mut names).map_err(|error| format!("{error} in `{text}`"))
}
