//! Measures: how many nodes a concrete tree has, how high it is, and whether its nodes keep what a tree says of that.

use heapwright_memory as concrete;

use super::{Demand, Matching, Mismatch, Walk};
use crate::heap::measures::{Measure, Measures, Siblings, Whole};
use crate::heap::tree::Tree;

/// How many nodes there are, and how high they stand.
type Measured = (u64, u64);

/// A link of a node that is the hole.
type OpenLink = Option<(concrete::BlockId, u64)>;

impl Walk<'_, '_, '_, '_> {
    /// A tree that is known from its root to its hole has the measures that are told of it.
    pub(super) fn check_measures(
        &mut self,
        matching: &mut Matching,
        (tree, measures): (&Tree, &Measures),
        root: concrete::BlockId,
        hole: OpenLink,
    ) -> Result<(), Mismatch> {
        let whole = measures.whole.as_ref();
        let mut left = self.machine.memory().blocks().count();
        let (size, height) = self.measure(matching, (tree, whole, hole), root, &mut left)?;
        let told = [(Some(measures.size), size), (whole.map(|whole| whole.height), height)];
        for (term, number) in told {
            let demand = |term| Demand { term, value: concrete::Value::from_low(number) };
            matching.demands.extend(term.map(demand));
        }
        Ok(())
    }

    /// The measures of all that hangs at a node. Ends because there are only so many blocks left.
    fn measure(
        &mut self,
        matching: &Matching,
        (tree, whole, hole): (&Tree, Option<&Whole>, OpenLink),
        node: concrete::BlockId,
        left: &mut usize,
    ) -> Result<Measured, Mismatch> {
        *left = left.checked_sub(1).ok_or("a tree leads back to itself")?;
        let pointer = self.reasoner.names.model().pointer_size();
        let (mut size, mut heights) = (1, Vec::new());
        for &link in tree.links.children.iter().filter(|link| hole != Some((node, **link))) {
            let value = self.read(node, link, pointer);
            if self.is_leaf(matching, tree, value)? {
                heights.push(0);
                continue;
            }
            let value = value.ok_or("a link of a tree has no value")?;
            let base = self.masked(value.low.wrapping_sub(tree.links.head));
            let below = self.machine.memory().lookup(base).ok_or("a link leads to no block")?;
            let (nodes, height) = self.measure(matching, (tree, whole, hole), below, left)?;
            size += nodes;
            heights.push(height);
        }
        let (lowest, highest) = (heights.iter().min(), heights.iter().max());
        let (lowest, highest) = (lowest.copied().unwrap_or(0), highest.copied().unwrap_or(0));
        let measured = (size, highest + 1);
        let Some(whole) = whole else { return Ok(measured) };
        let most = match whole.siblings {
            Siblings::Any => highest,
            Siblings::Balanced => 1,
            Siblings::Level => 0,
        };
        if highest - lowest > most {
            return Err("a tree is not balanced as it says".to_owned());
        }
        for one in &whole.stored {
            let measure = match one.measure {
                Measure::Size => measured.0,
                Measure::Height => measured.1,
            };
            let measure = u128::from(measure - u64::from(one.less));
            let held = self.read(node, one.place.offset, one.place.size);
            let bits = 8 * one.place.size;
            let lowest = if bits < 128 { measure & ((1 << bits) - 1) } else { measure };
            if held.is_some_and(|held| u128::from(held.low) != lowest) {
                return Err("a node does not hold a measure".to_owned());
            }
        }
        Ok(measured)
    }
}
