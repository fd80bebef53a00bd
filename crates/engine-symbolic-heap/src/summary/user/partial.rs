//! What is known of an instance that is being put together, and the laws of its numbers that are still open.
//!
//! Parameters and the numbers of cases have slots, which are filled where a field or an instance below tells. In the end
//! laws tell the numbers that nothing holds: an equation with one unknown number gives it, and a bound is as tight as
//! comparisons and the instances below allow. What no number was taken from has to be proved.

use std::collections::BTreeSet;

use heapwright_logic::{TermId, Terms};

use crate::definition::Value;
use crate::definition::law::{Comparison, Law, Sum};
use crate::definition::variance::Variance;
use crate::heap::block::{BlockId, Field};
use crate::heap::incoming::{Referrer, Referrers};
use crate::heap::names::Names;

/// A parameter of some instance, or a number of a case, which may not be known yet.
pub(super) type Slot = usize;

#[derive(Clone, Debug, Default)]
pub(super) struct Partial {
    /// The width of each, and what it is.
    slots: Vec<(u32, Option<TermId>)>,
    pub(super) blocks: BTreeSet<BlockId>,
    /// Fields whose values the definitions tell.
    pub(super) told: BTreeSet<(BlockId, Field)>,
    pub(super) hole: Option<OpenHole>,
    pending: Vec<Pending>,
}

#[derive(Clone, Debug)]
pub(super) struct OpenHole {
    pub(super) predicate: usize,
    pub(super) arguments: Vec<Slot>,
    pub(super) value: TermId,
    pub(super) above: BlockId,
    pub(super) depth: u32,
}

/// What still has to hold.
#[derive(Clone, Debug)]
enum Pending {
    Law(PendingLaw),
    /// A field or an instance has a number where the slot's is wanted, or one that may be its bound.
    Found {
        slot: Slot,
        number: TermId,
        variance: Variance,
    },
}

#[derive(Clone, Debug)]
struct PendingLaw {
    law: Law,
    parameters: Vec<Slot>,
    variables: Vec<Slot>,
}

/// A number on the other side of a bound.
#[derive(Clone, Copy, Debug)]
struct Limit {
    number: TermId,
    /// On which side the bound is.
    variance: Variance,
}

impl PendingLaw {
    fn slot(&self, value: Value) -> Option<Slot> {
        match value {
            Value::Parameter(index) => Some(self.parameters[index]),
            Value::Variable(index) => Some(self.variables[index]),
            Value::Null | Value::This | Value::Link(_) | Value::Number(_) => None,
        }
    }
}

impl Partial {
    pub(super) fn slot(&mut self, bits: u32, value: Option<TermId>) -> Slot {
        self.slots.push((bits, value));
        self.slots.len() - 1
    }

    pub(super) fn value(&self, slot: Slot) -> Option<TermId> {
        self.slots[slot].1
    }

    /// Whether a pointer is this.
    pub(super) fn bind(&mut self, slot: Slot, value: TermId) -> bool {
        *self.slots[slot].1.get_or_insert(value) == value
    }

    /// A number is this, or may be bounded by it.
    pub(super) fn find(&mut self, slot: Slot, number: TermId, variance: Variance) {
        self.pending.push(Pending::Found { slot, number, variance });
    }

    /// The laws of a case hold.
    pub(super) fn require(&mut self, laws: &[Law], parameters: &[Slot], variables: &[Slot]) {
        let law = |law: &Law| {
            let (parameters, variables) = (parameters.to_vec(), variables.to_vec());
            Pending::Law(PendingLaw { law: law.clone(), parameters, variables })
        };
        self.pending.extend(laws.iter().map(law));
    }

    pub(super) fn terms(&self, slots: &[Slot]) -> Option<Vec<TermId>> {
        slots.iter().map(|&slot| self.value(slot)).collect()
    }

    /// Fills the slots of numbers as far as laws tell, and says what has to be proved then. Nothing if a law speaks of
    /// a number that nothing tells.
    pub(super) fn settle_numbers(&mut self, terms: &mut Terms) -> Option<Vec<TermId>> {
        // Ends because each round fills a slot.
        while let Some((slot, number)) =
            self.exact_number(terms).or_else(|| self.tightest_number(terms))
        {
            self.slots[slot].1 = Some(number);
        }
        let pending = self.pending.iter();
        pending.map(|pending| self.formula(terms, pending)).collect()
    }

    fn formula(&self, terms: &mut Terms, pending: &Pending) -> Option<TermId> {
        match pending {
            Pending::Law(item) => item.law.formula(terms, &|value| self.value(item.slot(value)?)),
            Pending::Found { slot, number, variance } => {
                let (wanted, found) = (self.value(*slot)?, *number);
                Some(match variance {
                    Variance::Exact => terms.equal(wanted, found),
                    Variance::Smaller(sign) => {
                        Comparison::AtMost(*sign).formula(terms, wanted, found)
                    }
                    Variance::Larger(sign) => {
                        Comparison::AtMost(*sign).formula(terms, found, wanted)
                    }
                })
            }
        }
    }

    /// A number that is found as such, or that an equation tells.
    fn exact_number(&self, terms: &mut Terms) -> Option<(Slot, TermId)> {
        self.pending.iter().find_map(|pending| match pending {
            Pending::Found { slot, number, variance: Variance::Exact } => {
                self.value(*slot).is_none().then_some((*slot, *number))
            }
            Pending::Found { .. } => None,
            Pending::Law(item) => self.solved(terms, item),
        })
    }

    /// The only number of an equation that is not known.
    fn solved(&self, terms: &mut Terms, item: &PendingLaw) -> Option<(Slot, TermId)> {
        let bits = |value: Value| self.slots[item.slot(value).expect("it has a name")].0;
        let known = |value: Value| self.value(item.slot(value)?);
        let (value, number) = item.law.solved(terms, &bits, &known)?;
        Some((item.slot(value)?, number))
    }

    /// A bound that is as tight as all that it has to bound allows.
    fn tightest_number(&self, terms: &mut Terms) -> Option<(Slot, TermId)> {
        let unknown = (0..self.slots.len()).filter(|&slot| self.value(slot).is_none());
        unknown.into_iter().find_map(|slot| {
            let limits: Vec<Limit> = self
                .pending
                .iter()
                .filter_map(|pending| self.limit(terms, pending, slot))
                .collect();
            let (first, rest) = limits.split_first()?;
            let is_like_it =
                |limit: &Limit| limit.variance == first.variance || limit.number == first.number;
            let mut number = first.number;
            for limit in rest.iter().filter(|limit| is_like_it(limit)) {
                number = first.variance.tighter(terms, number, limit.number);
            }
            Some((slot, number))
        })
    }

    /// What a law or an instance below says of a bound.
    fn limit(&self, terms: &mut Terms, pending: &Pending, wanted: Slot) -> Option<Limit> {
        match pending {
            Pending::Found { slot, number, variance } => {
                (*slot == wanted).then_some(Limit { number: *number, variance: *variance })
            }
            Pending::Law(item) => {
                let Comparison::AtMost(sign) = item.law.comparison else { return None };
                let Law { left, right, .. } = &item.law;
                let is_wanted =
                    |sum: &Sum| sum.only().and_then(|value| item.slot(value)) == Some(wanted);
                let (other, variance) = match (is_wanted(left), is_wanted(right)) {
                    (true, false) => (right, Variance::Smaller(sign)),
                    (false, true) => (left, Variance::Larger(sign)),
                    (true, true) | (false, false) => return None,
                };
                let known = |value: Value| self.value(item.slot(value)?);
                let number = other.term(terms, self.slots[wanted].0, &known)?;
                Some(Limit { number, variance })
            }
        }
    }

    /// The node that has the hole, if what is in the hole has its address as an argument: it keeps a name.
    fn above(&self, names: &Names<'_>) -> Option<BlockId> {
        let open = self.hole.as_ref()?;
        let known: Vec<TermId> =
            open.arguments.iter().filter_map(|&slot| self.value(slot)).collect();
        names.may_refer_to(&known).contains(&open.above).then_some(open.above)
    }

    /// Blocks that would lose their names, though something holds them that the definitions do not tell of.
    pub(super) fn held_from_outside(
        &self,
        names: &Names<'_>,
        referrers: &Referrers,
        root: BlockId,
    ) -> Vec<BlockId> {
        let is_told = |holder: &Referrer| match holder {
            Referrer::Root => false,
            Referrer::Block(id, field) => {
                field.is_some_and(|field| self.told.contains(&(*id, field)))
            }
        };
        let above = self.above(names);
        let keeps_its_name = |id: BlockId| id == root || Some(id) == above;
        let is_held = |id: &&BlockId| {
            !keeps_its_name(**id) && !referrers.get(id).into_iter().flatten().all(is_told)
        };
        self.blocks.iter().filter(is_held).copied().collect()
    }
}
