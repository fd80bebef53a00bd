//! What spellings say of the numbers of lists that were written out.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};

use crate::expand::draft::{Builder, DraftId};
use crate::scope::Scope;
use crate::spelling::{PieceText, Said, SpellingText, Spelt, all_said};
use crate::syntax::ListText;

/// A spelling of a list that was written out.
pub(super) struct DraftSpelling {
    scope: Rc<Scope>,
    text: SpellingText,
    numbers: Vec<TermId>,
}

/// How many nodes a list has at least by its spellings, and whether it can have more.
pub(super) fn fewest_nodes(list: &ListText) -> (u32, bool) {
    let lengths = list.spellings.iter().map(|spelling| spelling.pieces.len() as u32);
    let is_exact = |spelling: &SpellingText| {
        spelling.pieces.iter().all(|piece| matches!(piece, PieceText::One(_)))
    };
    (lengths.max().unwrap_or(0), !list.spellings.iter().any(is_exact))
}

impl Builder<'_> {
    /// Remembers the numbers of a list.
    pub(super) fn spell(&mut self, list: &ListText, scope: &Rc<Scope>, nodes: &[DraftId]) {
        for text in &list.spellings {
            let place = (text.offset, text.size);
            let numbers = nodes.iter().map(|&node| self.number_at(place, node)).collect();
            let spelling = DraftSpelling { scope: Rc::clone(scope), text: text.clone(), numbers };
            self.spellings.push(spelling);
        }
    }

    /// What all lists together say.
    pub(super) fn obey_spellings(&mut self) -> Result<(), String> {
        let spellings = std::mem::take(&mut self.spellings);
        let spelt: Vec<Spelt<'_, TermId>> = spellings
            .iter()
            .map(|one| Spelt { text: &one.text, numbers: one.numbers.clone() })
            .collect();
        let said = all_said(&spelt).map_err(|_| "lists are not as long as they are spelt")?;
        for said in said {
            let (one, other) = match said {
                Said::Is(index, term, number) => {
                    let sort = Sort::BitVector(8 * spelt[index].text.size as u32);
                    (self.read(&spellings[index].scope, term, sort)?, number)
                }
                Said::Same(one, other) => (one, other),
            };
            let formula = self.terms.equal(one, other);
            self.conditions.push(formula);
        }
        Ok(())
    }
}
