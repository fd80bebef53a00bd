//! Measures of trees from their texts: `balanced`, `height at +OFFSET/SIZE`, and the numbers below.

use crate::heap::block::End;
use crate::heap::measures::{Measure, Measures, Siblings, Stored, Whole};
use crate::heap::text::build::Read;
use crate::heap::text::build_block::{EndTerms, parse_place};
use crate::heap::text::parse::Piece;

/// What the first line of a tree says of measures.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Kept {
    siblings: Siblings,
    stored: Vec<Stored>,
}

impl Kept {
    /// Takes a part of the line.
    pub(super) fn parse(&mut self, part: &Piece<'_>) -> Read<()> {
        let words = part.words();
        let (measure, how) = match words.as_slice() {
            ["balanced"] => {
                self.siblings = Siblings::Balanced;
                return Ok(());
            }
            ["level"] => {
                self.siblings = Siblings::Level;
                return Ok(());
            }
            ["size", how @ ..] => (Measure::Size, how),
            [_, how @ ..] => (Measure::Height, how),
            [] => unreachable!("it has a word"),
        };
        let (less, place) = match how {
            ["at", place] => (0, parse_place(place)),
            ["less", "one", "at", place] => (1, parse_place(place)),
            _ => (0, None),
        };
        let place = place.ok_or_else(|| part.error("not `height less one at +OFFSET/SIZE`"))?;
        self.stored.push(Stored { place, measure, less });
        Ok(())
    }

    /// With the numbers that stand below.
    pub(super) fn parse_measures(
        &self,
        name: &Piece<'_>,
        ends: &EndTerms,
    ) -> Read<Option<Measures>> {
        let (size, height) = (ends.get(&End::Length), ends.get(&End::Height));
        let is_told = *self != Kept::default();
        if (height.is_some() && size.is_none()) || (is_told && height.is_none()) {
            let message =
                "a tree that has a `height`, is `balanced` or holds a measure has a `length`";
            return Err(name.error(message));
        }
        Ok(size.map(|&size| {
            let whole = height.map(|&height| Whole {
                height,
                siblings: self.siblings,
                stored: self.stored.clone(),
            });
            Measures { size, whole }
        }))
    }
}
