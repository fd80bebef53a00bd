//! What downward relations mean of the nodes of a tree that is written out.

use heapwright_logic::{Sort, TermId};

use crate::expand::draft::{Builder, DraftId};
use crate::scope::Scope;
use crate::syntax::{DownwardText, RelationText, TermText, TreeText};

impl Builder<'_> {
    /// Every node is related to the one right above it; the first is the root.
    pub(super) fn relate(
        &mut self,
        tree: &TreeText,
        scope: &Scope,
        nodes: &[(Option<DraftId>, DraftId)],
    ) -> Result<(), String> {
        for one in &tree.downward {
            let place = (one.offset, one.size);
            for &(above, node) in nodes {
                let number = self.number_at(place, node);
                let Some(above) = above else {
                    self.is_told(scope, &one.root, (one, number))?;
                    continue;
                };
                let above = self.number_at(place, above);
                for relation in &one.relations {
                    let formula = self.related(*relation, (above, number));
                    self.conditions.push(formula);
                }
            }
        }
        Ok(())
    }

    /// The node that has the hole has the numbers that are told of it.
    pub(super) fn relate_above_hole(
        &mut self,
        tree: &TreeText,
        scope: &Scope,
        node: DraftId,
    ) -> Result<(), String> {
        for one in &tree.downward {
            if let Some(above) = &one.above {
                let number = self.number_at((one.offset, one.size), node);
                self.is_told(scope, above, (one, number))?;
            }
        }
        Ok(())
    }

    /// A number is what a text says that it is.
    fn is_told(
        &mut self,
        scope: &Scope,
        text: &TermText,
        (one, number): (&DownwardText, TermId),
    ) -> Result<(), String> {
        let term = self.read(scope, text, Sort::BitVector(8 * one.size as u32))?;
        let formula = self.terms.equal(term, number);
        self.conditions.push(formula);
        Ok(())
    }

    fn related(&mut self, relation: RelationText, (above, below): (TermId, TermId)) -> TermId {
        let terms = &mut self.terms;
        let width = terms.width(above);
        let zeros = terms.bit_vector(0, width);
        match relation {
            RelationText::Greater => terms.signed_less(below, above),
            RelationText::AtLeast => terms.signed_less_equal(below, above),
            RelationText::Less => terms.signed_less(above, below),
            RelationText::AtMost => terms.signed_less_equal(above, below),
            RelationText::NonzeroOverZero => {
                let either = [above, below].map(|number| terms.equal(number, zeros));
                terms.or(either[0], either[1])
            }
            RelationText::ZeroOverNonzero => {
                let either = [above, below].map(|number| terms.not_equal(number, zeros));
                terms.or(either[0], either[1])
            }
            RelationText::OneMore => {
                let one = terms.bit_vector(1, width);
                let more = terms.add(below, one);
                terms.equal(above, more)
            }
        }
    }
}
