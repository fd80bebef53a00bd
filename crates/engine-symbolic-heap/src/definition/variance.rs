//! Which numbers of an instance may be smaller or larger than they are: bounds.
//!
//! A parameter that every case only compares as the smaller side, and passes on as it is to parameters of this kind, is a
//! lower bound: what is an instance with it is one with any smaller number as well. This follows from the cases by
//! induction over the nodes, so nobody has to claim it. The same holds of upper bounds.

use heapwright_logic::{TermId, Terms};

use crate::definition::law::{Comparison, Law, Sign};
use crate::definition::{Definitions, Kind, Node, Value};

/// What else a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variance {
    Exact,
    /// Any smaller number.
    Smaller(Sign),
    /// Any larger number.
    Larger(Sign),
}

impl Variance {
    /// What bounds two numbers that are bounded by these: the smaller one of lower bounds.
    pub(crate) fn tighter(self, terms: &mut Terms, one: TermId, other: TermId) -> TermId {
        let (sign, low, high) = match self {
            Variance::Exact => return one,
            Variance::Smaller(sign) => (sign, one, other),
            Variance::Larger(sign) => (sign, other, one),
        };
        let is_first = Comparison::AtMost(sign).formula(terms, low, high);
        terms.if_then_else(is_first, one, other)
    }
}

const BOUNDS: [Variance; 4] = [
    Variance::Smaller(Sign::Signed),
    Variance::Smaller(Sign::Unsigned),
    Variance::Larger(Sign::Signed),
    Variance::Larger(Sign::Unsigned),
];

impl Definitions {
    /// What each parameter of each predicate may be.
    pub(crate) fn variances(&self) -> Vec<Vec<Variance>> {
        let exact = |of: usize| vec![Variance::Exact; self.predicates[of].parameters.len()];
        let mut found: Vec<Vec<Variance>> = (0..self.predicates.len()).map(exact).collect();
        for bound in BOUNDS {
            for (predicate, parameters) in self.bounded(bound).into_iter().enumerate() {
                for (index, is_bound) in parameters.into_iter().enumerate() {
                    if is_bound {
                        found[predicate][index] = bound;
                    }
                }
            }
        }
        found
    }

    /// Which parameters are bounds of a kind: all of which no case says the contrary.
    fn bounded(&self, bound: Variance) -> Vec<Vec<bool>> {
        let is_number = |kind: &Kind| matches!(kind, Kind::Number { .. });
        let numbers = |of: usize| self.predicates[of].parameters.iter().map(is_number).collect();
        let mut bounded: Vec<Vec<bool>> = (0..self.predicates.len()).map(numbers).collect();
        // Ends because each round takes one off.
        while let Some((predicate, index)) = self.contradicted(bound, &bounded) {
            bounded[predicate][index] = false;
        }
        bounded
    }

    fn contradicted(&self, bound: Variance, bounded: &[Vec<bool>]) -> Option<(usize, usize)> {
        self.predicates.iter().enumerate().find_map(|(predicate, item)| {
            let is_wrong = |&index: &usize| {
                let empties = item.empties.iter().flat_map(|empty| &empty.laws);
                let keeps = |node: &Node| bounds_in(node, (index, bound), bounded);
                bounded[predicate][index]
                    && !(empties.into_iter().all(|law| bounds(law, index, bound))
                        && item.nodes.iter().all(keeps))
            };
            (0..item.parameters.len()).find(is_wrong).map(|index| (predicate, index))
        })
    }
}

/// Whether a node does no more with a parameter than to bound numbers by it.
fn bounds_in(node: &Node, (index, bound): (usize, Variance), bounded: &[Vec<bool>]) -> bool {
    let wanted = Value::Parameter(index);
    let is_passed_well = |predicate: usize, place: usize| bounded[predicate][place];
    node.fields.iter().all(|field| field.value != wanted)
        && node.laws.iter().all(|law| bounds(law, index, bound))
        && node.links.iter().all(|link| {
            let passed = link.arguments.iter().enumerate();
            let mut passed = passed.filter(|(_, argument)| **argument == wanted);
            passed.all(|(place, _)| is_passed_well(link.predicate, place))
        })
}

/// Whether a law says no more of a parameter than that it is on its side of another number.
fn bounds(law: &Law, index: usize, bound: Variance) -> bool {
    let wanted = Value::Parameter(index);
    let count = law.values().filter(|value| *value == wanted).count();
    let side = match bound {
        Variance::Smaller(_) => &law.left,
        Variance::Larger(_) => &law.right,
        Variance::Exact => return true,
    };
    let sign = match law.comparison {
        Comparison::Less(sign) | Comparison::AtMost(sign) => Some(sign),
        Comparison::Equal | Comparison::Different => None,
    };
    let has_sign = match bound {
        Variance::Smaller(wanted) | Variance::Larger(wanted) => sign == Some(wanted),
        Variance::Exact => true,
    };
    count == 0 || (count == 1 && side.only() == Some(wanted) && has_sign)
}

#[cfg(test)]
mod tests {
    use super::Variance;
    use crate::definition::Definitions;
    use crate::definition::law::Sign;

    fn variances(lines: &[&str]) -> Vec<Variance> {
        Definitions::of_lines(lines).expect("definitions").variances().concat()
    }

    #[test]
    fn bounds_of_search_trees_are_known() {
        let tree = "t/2[p1/4 p2/4] of 24 bytes: empty null; node +0/8 = c1, +8/8 = c2, +16/4 = v1, \
                    v1/4, c1 is t(p1, v1), c2 is t(v1, p2), p1 <=s v1, v1 <=s p2";
        let signed = [Variance::Smaller(Sign::Signed), Variance::Larger(Sign::Signed)];
        assert_eq!(variances(&[tree]), signed);
        let swapped = tree.replace("c1 is t(p1, v1)", "c1 is t(v1, p1)");
        assert_eq!(variances(&[&swapped]), [Variance::Exact, Variance::Larger(Sign::Signed)]);
        let mixed = tree.replace("v1 <=s p2", "v1 <=s p2, p2 <u v1");
        assert_eq!(variances(&[&mixed])[1], Variance::Exact);
    }

    #[test]
    fn what_is_counted_is_exact() {
        let list = "l/1[p1/8] of 8 bytes: empty null with p1 == 0; node +0/8 = c1, v1/8, c1 is l(v1), \
                    p1 == v1 + 1";
        assert_eq!(variances(&[list]), [Variance::Exact]);
        let held = "l/1[p1/4] of 16 bytes: empty null; node +0/8 = c1, +8/4 = p1, c1 is l(p1)";
        assert_eq!(variances(&[held]), [Variance::Exact]);
        let shifted = "l/1[p1/4] of 16 bytes: empty null; node +0/8 = c1, +8/4 = v1, v1/4, c1 is l(p1), \
                       p1 + 1 <=s v1";
        assert_eq!(variances(&[shifted]), [Variance::Exact]);
    }
}
