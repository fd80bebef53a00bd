//! Substitution: the same term over other parts, simplified again on the way up.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::term::TermId;

impl Terms {
    /// `root` with every occurrence of a key replaced by its value, all at once.
    pub fn substitute(&mut self, root: TermId, replacements: &BTreeMap<TermId, TermId>) -> TermId {
        let parts = self.reachable_unless(&[root], |term| replacements.contains_key(&term));
        let mut results: FxHashMap<TermId, TermId> = FxHashMap::default();
        for part in parts {
            let result_of =
                |child| replacements.get(&child).or_else(|| results.get(&child)).copied();
            let node = self.node(part);
            let rebuilt =
                node.map_children(|child| result_of(child).expect("children come before parents"));
            // An untouched part keeps its form even where today's rules would build another.
            let result = if rebuilt == node { part } else { self.build(rebuilt) };
            results.insert(part, result);
        }
        replacements.get(&root).or_else(|| results.get(&root)).copied().expect("root is reachable")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn replaces_all_at_once() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::BitVector(8)));
        let difference = terms.subtract(x, y);
        let swapped = terms.substitute(difference, &BTreeMap::from([(x, y), (y, x)]));
        assert_eq!(swapped, terms.subtract(y, x));
    }

    #[test]
    fn simplifies_what_becomes_constant() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::BitVector(8)));
        let product = terms.multiply(x, y);
        let zero = terms.bit_vector(0, 8);
        assert_eq!(terms.substitute(product, &BTreeMap::from([(y, zero)])), zero);
    }
}
