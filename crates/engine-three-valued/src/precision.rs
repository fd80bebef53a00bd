//! Precision: what is told apart. It only grows, by what a spurious path shows to be missing.

use std::collections::BTreeSet;

use heapwright_engine::{Fact, Link, Linked, Published};
use heapwright_program::{ScalarType, VariableId};
use heapwright_three_valued::class::{Library, ShapeClass};

use crate::state::Slot;

/// A word in blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Field {
    /// Of the block, in bytes.
    pub(crate) size: u64,
    pub(crate) offset: u64,
}

/// A number in blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NumberField {
    pub(crate) field: Field,
    pub(crate) ty: ScalarType,
}

/// A number that structures compare with those in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Numeral {
    Variable(VariableId),
    /// Zero-extended bits.
    Constant(u128),
}

/// A class of the library, with the fields that play its roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cast {
    /// Index into the library.
    pub(crate) class: usize,
    /// The field of each role.
    pub(crate) roles: Vec<Field>,
    /// Its number field, if the class has one.
    pub(crate) order: Option<NumberField>,
    /// For each family of the class, whether it is used.
    pub(crate) families: Vec<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Precision {
    /// No class: links are links, and nothing more is known of them.
    pub(crate) cast: Option<Cast>,
    /// Link fields that play no role.
    pub(crate) fields: BTreeSet<Field>,
    /// Sizes of blocks.
    pub(crate) sizes: BTreeSet<u64>,
    /// Pointers that cut points keep.
    pub(crate) tracked: BTreeSet<Slot>,
    /// Numbers that structures know, all of the type of the number field.
    pub(crate) numerals: BTreeSet<Numeral>,
    /// Numbers that cut points do not keep, since they have too many values.
    pub(crate) forgotten: BTreeSet<VariableId>,
    /// Whether it is told apart, before a link is cut, what lies behind it.
    pub(crate) tells_behind: bool,
    /// Whether structures of the same names are joined where they meet.
    pub(crate) joins: bool,
    /// Whether heaps of a few blocks are kept as they are where they meet.
    pub(crate) keeps_small: bool,
}

impl Precision {
    /// Tells nothing apart.
    pub(crate) fn coarsest() -> Precision {
        Precision {
            cast: None,
            fields: BTreeSet::new(),
            sizes: BTreeSet::new(),
            tracked: BTreeSet::new(),
            numerals: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            tells_behind: false,
            joins: true,
            keeps_small: false,
        }
    }

    /// Begins with the link fields that runs have shown, so that they need not be found one after the other.
    pub(crate) fn expect_links(&mut self, facts: &[Published]) {
        for published in facts {
            if let Fact::Linked(Linked { size, links, .. }) = &published.fact {
                let field = |link: &Link| Field { size: *size, offset: link.offset };
                self.sizes.insert(*size);
                self.fields.extend(links.iter().map(field));
            }
        }
    }

    /// The link fields, those with roles first.
    pub(crate) fn links(&self) -> Vec<Field> {
        let roles = self.cast.iter().flat_map(|cast| cast.roles.iter().copied());
        let others = self.fields.iter().copied().filter(|field| !self.has_role(*field));
        roles.chain(others).collect()
    }

    /// The number field of the class.
    pub(crate) fn order(&self) -> Option<NumberField> {
        self.cast.as_ref().and_then(|cast| cast.order)
    }

    fn has_role(&self, field: Field) -> bool {
        self.cast.iter().any(|cast| cast.roles.contains(&field))
    }

    /// The class with the links that there are, and its families that are used.
    pub(crate) fn class(&self, library: &Library) -> (ShapeClass, Vec<bool>) {
        let others = self.fields.iter().filter(|field| !self.has_role(**field));
        let others = others.map(|field| format!("link/{}+{}", field.size, field.offset));
        match &self.cast {
            None => (ShapeClass::plain("links", "links").with_links(others), Vec::new()),
            Some(cast) => {
                let class = library.classes[cast.class].clone();
                (class.with_links(others), cast.families.clone())
            }
        }
    }
}
