//! Measures of trees: how many nodes a concrete one has, how high it is, and what its nodes keep of that.

use heapwright_logic::Sort;

use crate::concrete::{Block, Held, bits_of};
use crate::contains::{Demand, InstanceId, Matching, Search, Tried};
use crate::scope::Scope;
use crate::syntax::{MeasuresText, SiblingsText, StoredText, TermText, WholeText};

/// A concrete tree that is measured.
#[derive(Clone, Copy)]
pub(super) struct Grown {
    pub(super) tree: InstanceId,
    pub(super) root: Block,
    /// The link of a node that is the hole, if there is one.
    pub(super) hole: Option<(Block, u64)>,
}

/// How many nodes there are, and how high they stand.
type Measured = (u128, u128);

impl<'s> Search<'s> {
    /// Whether a tree that is known from its root to its hole has the measures that a text tells.
    pub(super) fn is_measured(
        &mut self,
        matching: &mut Matching<'s>,
        (text, scope): (&MeasuresText, &Scope),
        grown: Grown,
    ) -> Tried<()> {
        let mut left = self.state.blocks().len();
        let whole = text.whole.as_ref().filter(|_| grown.hole.is_none());
        let (size, height) = self.measured(matching, (grown, whole), grown.root, &mut left)?;
        self.is_number(matching, (&text.size, scope), size)?;
        match whole {
            Some(whole) => self.is_number(matching, (&whole.height, scope), height),
            None => Ok(()),
        }
    }

    fn is_number(
        &mut self,
        matching: &mut Matching<'s>,
        (text, scope): (&TermText, &Scope),
        bits: u128,
    ) -> Tried<()> {
        let term = self.read(scope, text, Sort::BitVector(self.pointer_bits))?;
        matching.demands.push(Demand { term, held: Held { bits, block: None } });
        Ok(())
    }

    /// The measures of all that hangs at a node. Ends because there are only so many blocks left.
    fn measured(
        &mut self,
        matching: &Matching<'s>,
        (grown, whole): (Grown, Option<&WholeText>),
        node: Block,
        left: &mut usize,
    ) -> Tried<Measured> {
        *left = left.checked_sub(1).ok_or("a tree leads back to itself")?;
        let (links, head) = self.links_of_tree(matching, grown.tree);
        let (mut size, mut heights) = (1, Vec::new());
        for link in links {
            let held = self.state.word(node, link);
            if grown.hole == Some((node, link)) {
                continue;
            }
            let held = held.ok_or("a link of a tree has no value")?;
            let (nodes, height) = match self.is_leaf(matching, grown.tree, held)? {
                true => (0, 0),
                false => {
                    let base = self.masked(held.bits.wrapping_sub(u128::from(head)));
                    let blocks = self.state.blocks();
                    let below = blocks.iter().position(|block| u128::from(block.base) == base);
                    let below = below.ok_or("a link of a tree leads to no block")?;
                    self.measured(matching, (grown, whole), below, left)?
                }
            };
            size += nodes;
            heights.push(height);
        }
        let highest = heights.iter().copied().max().unwrap_or(0);
        let measured = (size, highest + 1);
        if let Some(whole) = whole {
            are_siblings_right(whole.siblings, &heights)?;
            whole.stored.iter().try_for_each(|one| self.is_stored(*one, node, measured))?;
        }
        Ok(measured)
    }

    /// Whether a node holds a measure. Where nothing was written, there may be any number.
    fn is_stored(&self, one: StoredText, node: Block, (size, height): Measured) -> Tried<()> {
        let Some(held) = bits_of(self.state, node, one.offset, one.size) else { return Ok(()) };
        let measure = if one.is_height { height } else { size } - u128::from(one.less);
        let held = held.bits;
        let bits = 8 * one.size.min(16) as u32;
        let lowest = if bits == 128 { measure } else { measure & ((1 << bits) - 1) };
        match held == lowest {
            true => Ok(()),
            false => Err("a node does not hold a measure of its tree".to_owned()),
        }
    }
}

fn are_siblings_right(siblings: SiblingsText, heights: &[u128]) -> Tried<()> {
    let most = match siblings {
        SiblingsText::Any => return Ok(()),
        SiblingsText::Balanced => 1,
        SiblingsText::Level => 0,
    };
    let (least, highest) = (heights.iter().min(), heights.iter().max());
    match (least, highest) {
        (Some(least), Some(highest)) if highest - least > most => {
            Err("a tree is not balanced".to_owned())
        }
        (_, _) => Ok(()),
    }
}
