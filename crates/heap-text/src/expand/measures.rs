//! What measures mean of the nodes of a tree that is written out: its size and height are known, and so is what each node holds.

use heapwright_logic::Sort;

use crate::expand::draft::{Builder, DraftId};
use crate::scope::Scope;
use crate::syntax::{MeasuresText, SiblingsText, TermText};

/// A node with the measures of all that hangs at it.
struct Grown {
    node: DraftId,
    size: u128,
    height: u128,
}

impl Builder<'_> {
    /// The nodes are listed from above to below, each with the one right above it.
    pub(super) fn measure(
        &mut self,
        measures: &MeasuresText,
        scope: &Scope,
        nodes: &[(Option<DraftId>, DraftId)],
    ) -> Result<(), String> {
        self.is_measure(scope, &measures.size, nodes.len() as u128)?;
        let Some(whole) = &measures.whole else { return Ok(()) };
        let mut grown: Vec<Grown> = Vec::new();
        // What is below a node stands behind it.
        for &(_, node) in nodes.iter().rev() {
            let is_below = |below: &&Grown| nodes.contains(&(Some(node), below.node));
            let below: Vec<(u128, u128)> =
                grown.iter().filter(is_below).map(|one| (one.size, one.height)).collect();
            let heights: Vec<u128> = below.iter().map(|(_, height)| *height).collect();
            are_siblings_right(whole.siblings, &heights)?;
            let size = 1 + below.iter().map(|(size, _)| *size).sum::<u128>();
            grown.push(Grown { node, size, height: 1 + heights.into_iter().max().unwrap_or(0) });
        }
        let height = grown.last().map_or(0, |root| root.height);
        self.is_measure(scope, &whole.height, height)?;
        for one in &whole.stored {
            for Grown { node, size, height } in &grown {
                let measure = if one.is_height { height } else { size } - u128::from(one.less);
                let number = self.number_at((one.offset, one.size), *node);
                let measure = self.terms.bit_vector(measure, 8 * one.size as u32);
                let formula = self.terms.equal(number, measure);
                self.conditions.push(formula);
            }
        }
        Ok(())
    }

    fn is_measure(&mut self, scope: &Scope, text: &TermText, measure: u128) -> Result<(), String> {
        let term = self.read(scope, text, Sort::BitVector(self.pointer_bits))?;
        let measure = self.terms.bit_vector(measure, self.pointer_bits);
        let formula = self.terms.equal(term, measure);
        self.conditions.push(formula);
        Ok(())
    }
}

/// Whether what is below a node is as high as a tree says; what is not there has no height.
fn are_siblings_right(siblings: SiblingsText, heights: &[u128]) -> Result<(), String> {
    let most = match siblings {
        SiblingsText::Any => return Ok(()),
        SiblingsText::Balanced => 1,
        SiblingsText::Level => 0,
    };
    let highest = heights.iter().copied().max().unwrap_or(0);
    let least = if heights.len() < 2 { 0 } else { heights.iter().copied().min().unwrap_or(0) };
    match highest - least > most {
        true => Err("a tree is not balanced".to_owned()),
        false => Ok(()),
    }
}
