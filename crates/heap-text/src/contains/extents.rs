//! Elements of arrays: what a text says of all elements of a stretch holds of those of a state.

use std::collections::BTreeMap;
use std::rc::Rc;

use heapwright_logic::{Sort, TermId};

use crate::concrete::{Block, Held, bits_of};
use crate::contains::{Matching, Search, Tried};
use crate::scope::Scope;
use crate::syntax::ExtentText;

/// Elements that are looked at.
const MOST: u64 = 1024;

/// What an extent of a text means: its bounds, its law, and what stands in that for an element.
struct Read {
    from: TermId,
    to: TermId,
    law: TermId,
    here: TermId,
    place: TermId,
    there: TermId,
    /// The block of `there`, and how far behind the place it is.
    beside: Option<(Block, TermId)>,
}

impl<'s> Search<'s> {
    /// The way to match, with all that is said of elements.
    pub(super) fn obeys_laws(&mut self, matching: &Matching<'s>) -> Tried<Matching<'s>> {
        let mut matching = matching.clone();
        let told: Vec<(&'s ExtentText, Rc<Scope>, Block)> = matching
            .instances
            .iter()
            .filter_map(|instance| Some((instance, instance.block?)))
            .flat_map(|(instance, block)| {
                let scope = &instance.scope;
                instance.text.extents.iter().map(move |one| (one, Rc::clone(scope), block))
            })
            .collect();
        for (extent, scope, block) in told {
            self.extent(&mut matching, (extent, &scope), block)?;
        }
        self.settle_plain(&mut matching)?;
        Ok(matching)
    }

    fn extent(
        &mut self,
        matching: &mut Matching<'s>,
        (text, scope): (&ExtentText, &Rc<Scope>),
        block: Block,
    ) -> Tried<()> {
        let read = self.read_extent(matching, text, scope)?;
        let bytes = self.state.blocks()[block].size;
        let places: Vec<u64> =
            match (self.value(matching, read.from), self.value(matching, read.to)) {
                (Some(from), Some(to)) => {
                    let (from, to) = (from as u64, (to as u64).min(bytes));
                    (from..to).step_by(text.stride as usize).collect()
                }
                (_, _) => (0..bytes).collect(),
            };
        if places.len() as u64 > MOST {
            self.doubt = Some("elements of a large array are not looked at".to_owned());
            return Err("not looked at".to_owned());
        }
        for place in places {
            if place + text.size <= bytes {
                self.element(matching, (&read, text), (block, place))?;
            }
        }
        Ok(())
    }

    fn read_extent(
        &mut self,
        matching: &Matching<'s>,
        text: &ExtentText,
        scope: &Rc<Scope>,
    ) -> Tried<Read> {
        let pointer = Sort::BitVector(self.pointer_bits);
        let element = Sort::BitVector(8 * text.size as u32);
        let here = self.terms.fresh_variable("here", element);
        let there = self.terms.fresh_variable("there", element);
        let place = self.terms.fresh_variable("place", pointer);
        let mut inner = Scope::within(scope);
        for (name, term) in [("here", here), ("there", there), ("place", place)] {
            inner.name(name.to_owned(), term);
        }
        let law = self.read(&inner, &text.law, Sort::Boolean)?;
        let (from, to) =
            (self.read(scope, &text.from, pointer)?, self.read(scope, &text.to, pointer)?);
        let beside = match &text.beside {
            Some((name, distance)) => {
                let other = matching.instances.iter().find(|instance| instance.text.name == *name);
                let other = other.and_then(|instance| instance.block);
                let other = other.ok_or_else(|| format!("there is no block {name}"))?;
                Some((other, self.read(scope, distance, pointer)?))
            }
            None => None,
        };
        Ok(Read { from, to, law, here, place, there, beside })
    }

    /// The law holds of one element, if it is within the bounds.
    fn element(
        &mut self,
        matching: &mut Matching<'s>,
        (read, text): (&Read, &ExtentText),
        (block, place): (Block, u64),
    ) -> Tried<()> {
        let at = self.terms.bit_vector(u128::from(place), self.pointer_bits);
        let within = self.is_place(read, text.stride, at);
        let beside = match read.beside {
            Some(beside) => match self.place_beside(matching, beside, (place, text.size))? {
                Some(there) => Some((beside.0, there)),
                None => return Ok(()),
            },
            None => None,
        };
        let bits = |block, place| bits_of(self.state, block, place, text.size);
        let elements: Option<Vec<Held>> = std::iter::once((block, place))
            .chain(beside)
            .map(|(block, at)| bits(block, at))
            .collect();
        // Bytes that have no value yet may have any, and not all of them obey.
        let Some(elements) = elements else {
            return self.demand(matching, within, Held { bits: 0, block: None });
        };
        let width = 8 * text.size as u32;
        let mut values = BTreeMap::from([(read.place, at)]);
        for (name, element) in [read.here, read.there].into_iter().zip(elements) {
            values.insert(name, self.terms.bit_vector(element.bits, width));
        }
        let law = self.terms.substitute(read.law, &values);
        let obeys = self.terms.implies(within, law);
        self.demand(matching, obeys, Held { bits: 1, block: None })
    }

    /// The place beside one, if it is in its block.
    fn place_beside(
        &mut self,
        matching: &Matching<'s>,
        (other, distance): (Block, TermId),
        (place, size): (u64, u64),
    ) -> Tried<Option<u64>> {
        let Some(distance) = self.value(matching, distance) else {
            self.doubt = Some("how far elements are from each other is not known".to_owned());
            return Err("not known".to_owned());
        };
        let mask = heapwright_program::mask(self.pointer_bits);
        let there = (u128::from(place).wrapping_add(distance) & mask) as u64;
        let bytes = self.state.blocks()[other].size;
        Ok(there.checked_add(size).filter(|&end| end <= bytes).map(|_| there))
    }

    /// Whether a place is one of the extent.
    fn is_place(&mut self, read: &Read, stride: u64, at: TermId) -> TermId {
        let begins = self.terms.unsigned_less_equal(read.from, at);
        let ends = self.terms.unsigned_less(at, read.to);
        let within = self.terms.and(begins, ends);
        let distance = self.terms.subtract(at, read.from);
        let low = self.terms.bit_vector(u128::from(stride - 1), self.pointer_bits);
        let rest = self.terms.bit_and(distance, low);
        let nothing = self.terms.bit_vector(0, self.pointer_bits);
        let is_step = self.terms.equal(rest, nothing);
        self.terms.and(within, is_step)
    }
}
