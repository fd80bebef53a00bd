//! `balanced` and `height at +OFFSET/SIZE` in the first line of a tree, and its measures below.

use crate::parse::{Line, Parsed, place_text};
use crate::syntax::{MeasuresText, SiblingsText, StoredText, TermText, WholeText};

/// What the first line says.
#[derive(Default, PartialEq, Eq)]
pub(super) struct MeasureWords {
    siblings: SiblingsText,
    stored: Vec<StoredText>,
}

impl MeasureWords {
    /// Takes a part of the line, which begins with `balanced`, `level`, `size` or `height`.
    pub(super) fn take(&mut self, line: Line<'_>, words: &[&str]) -> Parsed<()> {
        let (less, place) = match words {
            ["balanced"] => {
                self.siblings = SiblingsText::Balanced;
                return Ok(());
            }
            ["level"] => {
                self.siblings = SiblingsText::Level;
                return Ok(());
            }
            [_, "at", place] => (0, place),
            [_, "less", "one", "at", place] => (1, place),
            _ => return Err(line.error("not `height less one at +OFFSET/SIZE`")),
        };
        let (offset, size) = place_text(line, place)?;
        self.stored.push(StoredText { is_height: words[0] == "height", less, offset, size });
        Ok(())
    }

    /// With what stands below.
    pub(super) fn measures(
        self,
        line: Line<'_>,
        (size, height): (Option<TermText>, Option<TermText>),
        (links, has_hole): (usize, bool),
    ) -> Parsed<Option<MeasuresText>> {
        let is_told = self != MeasureWords::default();
        let Some(size) = size else {
            return match is_told || height.is_some() {
                true => Err(line.error("a tree with a `height` has a `length`")),
                false => Ok(None),
            };
        };
        if links != 2 || (has_hole && height.is_some()) || (is_told && height.is_none()) {
            let text = "a tree with a `length` has two links, one with a `height` has no `end`, one that is `balanced` has a `height`";
            return Err(line.error(text));
        }
        let MeasureWords { siblings, stored } = self;
        let whole = height.map(|height| WholeText { height, siblings, stored });
        Ok(Some(MeasuresText { size, whole }))
    }
}
