//! What is known of the elements of an array at places that are numbers of the state.
//!
//! An element is one value at one place, between two abstraction points. An extent is a stretch of places whose elements all
//! obey a law: the segments of Cousot, Cousot and Logozzo (POPL 2011), whose bounds here are terms of the
//! state, and which need not lie side by side or cover the array. Where the bounds cross it is empty.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};

use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::prototype::Fragment;
use crate::heap::state::State;

/// What is known of a block's elements, whether cells cover them or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) elements: Vec<Element>,
    pub(crate) extents: Vec<Extent>,
}

/// Bytes at a place that have a value. No address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// As wide as a pointer. The bytes from there on are in the block.
    pub(crate) at: TermId,
    /// Bytes.
    pub(crate) size: u64,
    pub(crate) value: TermId,
}

/// All elements at places from `from` on and before `to`, as far as they are in the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// As wide as a pointer.
    pub(crate) from: TermId,
    pub(crate) to: TermId,
    /// A place differs from `from` by a multiple of this, a power of two that is no less than the size of an element.
    pub(crate) stride: u64,
    /// Bytes of an element.
    pub(crate) size: u64,
    pub(crate) beside: Option<Beside>,
    /// What holds of each element, in conjuncts: over [`Names::here`], [`Names::place`], [`Names::there`] and names of the state.
    pub(crate) law: Vec<TermId>,
}

/// Another element that a law speaks of. Where it is not in its block, the law says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beside {
    pub(crate) block: BlockId,
    /// How far behind the place, modulo the width of pointers.
    pub(crate) distance: TermId,
}

impl Extent {
    /// Whether two speak of elements of the same kind.
    pub(crate) fn is_like(&self, other: &Extent) -> bool {
        self.size == other.size
            && self.stride == other.stride
            && self.beside.is_some() == other.beside.is_some()
    }
}

impl Contents {
    pub(crate) fn is_empty(&self) -> bool {
        self.elements.is_empty() && self.extents.is_empty()
    }

    /// Terms whose names the contents keep alive: places, but not what is said of elements.
    pub(crate) fn places(&self) -> impl Iterator<Item = TermId> + '_ {
        let extents = self.extents.iter();
        extents.flat_map(|extent| {
            let distance = extent.beside.map(|beside| beside.distance);
            [extent.from, extent.to].into_iter().chain(distance)
        })
    }

    /// What is said of elements.
    pub(crate) fn laws(&self) -> impl Iterator<Item = TermId> + '_ {
        let values = self.elements.iter().flat_map(|element| [element.at, element.value]);
        values.chain(self.extents.iter().flat_map(|extent| extent.law.iter().copied()))
    }
}

impl Names<'_> {
    /// What stands for the element that a law speaks of.
    pub(crate) fn here(&mut self, size: u64) -> TermId {
        self.word_of_laws(&format!("here.{size}"), 8 * size as u32)
    }

    /// What stands for its place.
    pub(crate) fn place(&mut self) -> TermId {
        self.word_of_laws("place", self.pointer_bits())
    }

    /// What stands for the element beside it.
    pub(crate) fn there(&mut self, size: u64) -> TermId {
        self.word_of_laws(&format!("there.{size}"), 8 * size as u32)
    }

    fn word_of_laws(&mut self, name: &str, bits: u32) -> TermId {
        let word = self.terms.variable(name, Sort::BitVector(bits));
        self.words_of_laws.insert(word);
        word
    }

    /// Names of the state in a conjunct of a law.
    pub(crate) fn outer_names_of_law(&self, conjunct: TermId) -> Vec<TermId> {
        let mut names = self.terms.free_variables(&[conjunct]);
        names.retain(|name| !self.words_of_laws.contains(name));
        names
    }

    /// Whether a place is one of an extent, as far as bounds tell.
    pub(crate) fn is_within(&mut self, extent: &Extent, place: TermId) -> TermId {
        let begins = self.terms.unsigned_less_equal(extent.from, place);
        let ends = self.terms.unsigned_less(place, extent.to);
        self.terms.and(begins, ends)
    }

    /// What an extent says of one element.
    pub(crate) fn law_of_element(
        &mut self,
        extent: &Extent,
        (place, value): (TermId, TermId),
        there: Option<TermId>,
    ) -> TermId {
        let mut terms = BTreeMap::from([(self.here(extent.size), value), (self.place(), place)]);
        if let Some(there) = there {
            terms.insert(self.there(extent.size), there);
        }
        let law = self.terms.all(&extent.law);
        self.terms.substitute(law, &terms)
    }

    /// An element as an extent of its own.
    pub(crate) fn extent_of(&mut self, element: Element) -> Extent {
        let Element { at, size, value } = element;
        let bytes = self.terms.bit_vector(u128::from(size), self.pointer_bits());
        let to = self.terms.add(at, bytes);
        let here = self.here(size);
        let law = vec![self.terms.equal(here, value)];
        Extent { from: at, to, stride: size.next_power_of_two(), size, beside: None, law }
    }

    /// The same contents by other names.
    pub(crate) fn renamed_contents(
        &mut self,
        contents: &Contents,
        blocks: &BTreeMap<BlockId, BlockId>,
        terms: &BTreeMap<TermId, TermId>,
    ) -> Contents {
        if contents.is_empty() {
            return Contents::default();
        }
        let elements = contents.elements.iter().map(|element| Element {
            at: self.terms.substitute(element.at, terms),
            value: self.terms.substitute(element.value, terms),
            ..*element
        });
        let elements = elements.collect();
        let extents = contents.extents.iter().map(|extent| Extent {
            from: self.terms.substitute(extent.from, terms),
            to: self.terms.substitute(extent.to, terms),
            beside: extent.beside.map(|beside| Beside {
                block: blocks.get(&beside.block).copied().unwrap_or(beside.block),
                distance: self.terms.substitute(beside.distance, terms),
            }),
            law: extent.law.iter().map(|&law| self.terms.substitute(law, terms)).collect(),
            ..*extent
        });
        Contents { elements, extents: extents.collect() }
    }
}

impl State {
    /// Forgets what is known of the elements of a block, and of others beside them: it is written to, or its
    /// life ends. Whoever knows more puts it back.
    pub(crate) fn forget_contents(&mut self, block: BlockId) {
        if !self.block(block).contents.is_empty() {
            self.block_mut(block).contents = Contents::default();
        }
        for id in self.beside(block) {
            self.block_mut(id).contents.extents.retain(|extent| !extent.is_beside(block));
        }
    }

    /// The blocks that have extents which speak of elements of a block.
    pub(crate) fn beside(&self, block: BlockId) -> Vec<BlockId> {
        let has = |contents: &Contents| contents.extents.iter().any(|one| one.is_beside(block));
        self.blocks.iter().filter(|(_, other)| has(&other.contents)).map(|(&id, _)| id).collect()
    }
}

impl Extent {
    pub(crate) fn is_beside(&self, block: BlockId) -> bool {
        self.beside.is_some_and(|beside| beside.block == block)
    }
}

impl Fragment {
    /// Nodes do not tell of arrays in them, nor of how lists in them are spelt.
    pub(crate) fn forget_contents(&mut self) {
        for (_, block) in &mut self.blocks {
            if !block.contents.is_empty() {
                Arc::make_mut(block).contents = Contents::default();
            }
            if block.segment().is_some_and(|segment| !segment.spellings.is_empty()) {
                let role = &mut Arc::make_mut(block).role;
                role.segment_mut().expect("a segment").spellings.clear();
            }
        }
    }
}
