//! A term has to have a value: what follows for its variables.
//!
//! Operations that can be undone are undone, until a variable is met. An address that becomes known
//! tells which block a name stands for. What cannot be undone waits until more is known.

use heapwright_logic::{BitVectorValue, Operator, Sort, Term, TermId, Value};
use heapwright_program::{mask, sign_extend};

use crate::concrete::{Block, Held, Life};
use crate::contains::{InstanceId, Matching, Open, Search, Tried, may_be_empty};
use crate::syntax::Shape;

impl<'s> Search<'s> {
    /// The term has this value.
    pub(super) fn demand(
        &mut self,
        matching: &mut Matching<'s>,
        term: TermId,
        held: Held,
    ) -> Tried<()> {
        let width = match self.terms.sort(term) {
            Sort::Boolean => 1,
            Sort::BitVector(width) => width,
            Sort::Array { .. } => return Ok(()),
        };
        let held = Held { bits: held.bits & mask(width), ..held };
        let plain = |bits: u128| Held { bits, block: None };
        if let Some(found) = self.value(matching, term) {
            return self.compare(term, found, held.bits);
        }
        match self.terms.node(term) {
            Term::Variable(_) => self.bind(matching, term, held),
            Term::Not(of) => self.demand(matching, of, plain(1 - held.bits)),
            Term::And(one, other) if held.bits == 1 => {
                self.demand(matching, one, held)?;
                self.demand(matching, other, held)
            }
            Term::Equal(one, other) if held.bits == 1 => {
                if let Some(bits) = self.value(matching, one) {
                    self.demand(matching, other, plain(bits))
                } else if let Some(bits) = self.value(matching, other) {
                    self.demand(matching, one, plain(bits))
                } else {
                    self.leave(matching, term, held.bits)
                }
            }
            Term::Complement(of) => self.demand(matching, of, plain(!held.bits)),
            Term::Binary(operator, left, right) => {
                self.undo(matching, term, (operator, left, right), held)
            }
            Term::Concat(high, low) => {
                let low_width = self.terms.width(low);
                self.demand(matching, low, plain(held.bits))?;
                self.demand(matching, high, plain(held.bits >> low_width))
            }
            Term::ZeroExtend { term: of, .. } => {
                let narrow = self.terms.width(of);
                match held.bits & !mask(narrow) == 0 {
                    true => self.demand(matching, of, held),
                    false => Err(self.says(term, held.bits)),
                }
            }
            Term::SignExtend { term: of, .. } => {
                let narrow = self.terms.width(of);
                let extended = sign_extend(held.bits & mask(narrow), narrow) as u128;
                match extended & mask(width) == held.bits {
                    true => self.demand(matching, of, held),
                    false => Err(self.says(term, held.bits)),
                }
            }
            Term::IfThenElse(condition, one, other) => match self.value(matching, condition) {
                Some(0) => self.demand(matching, other, held),
                Some(_) => self.demand(matching, one, held),
                None => self.leave(matching, term, held.bits),
            },
            Term::Boolean(_)
            | Term::BitVector(_)
            | Term::And(..)
            | Term::Equal(..)
            | Term::Relation(..)
            | Term::Extract { .. }
            | Term::Select(..)
            | Term::Store(..)
            | Term::ConstantArray { .. } => self.leave(matching, term, held.bits),
        }
    }

    /// A sum, a difference or an exclusive or, one side of which is known.
    fn undo(
        &mut self,
        matching: &mut Matching<'s>,
        term: TermId,
        (operator, left, right): (Operator, TermId, TermId),
        held: Held,
    ) -> Tried<()> {
        let (of_left, of_right) = (self.value(matching, left), self.value(matching, right));
        let with = |bits: u128| Held { bits, block: held.block };
        let plain = |bits: u128| Held { bits, block: None };
        match (operator, of_left, of_right) {
            (Operator::Add, Some(known), _) => {
                self.demand(matching, right, with(held.bits.wrapping_sub(known)))
            }
            (Operator::Add, _, Some(known)) => {
                self.demand(matching, left, with(held.bits.wrapping_sub(known)))
            }
            (Operator::Subtract, _, Some(known)) => {
                self.demand(matching, left, with(held.bits.wrapping_add(known)))
            }
            (Operator::Subtract, Some(known), _) => {
                self.demand(matching, right, plain(known.wrapping_sub(held.bits)))
            }
            (Operator::Xor, Some(known), _) => {
                self.demand(matching, right, plain(held.bits ^ known))
            }
            (Operator::Xor, _, Some(known)) => {
                self.demand(matching, left, plain(held.bits ^ known))
            }
            (Operator::Add, None, None) => {
                // A pointer to somewhere in a block is made from that block.
                let base = held.block.map(|block| (block, self.state.blocks()[block].base));
                for side in [left, right] {
                    if let Some((block, base)) = base
                        && matching.by_address.contains_key(&side)
                    {
                        let start = Held { bits: u128::from(base), block: Some(block) };
                        self.demand(matching, side, start)?;
                        return self.demand(matching, term, held);
                    }
                }
                self.leave(matching, term, held.bits)
            }
            _ => self.leave(matching, term, held.bits),
        }
    }

    /// What a term is worth, if all its variables have values.
    pub(super) fn value(&self, matching: &Matching<'s>, term: TermId) -> Option<u128> {
        let variables = self.terms.free_variables(&[term]);
        let is_known = |variable: &TermId| matching.values.get(*variable).is_some();
        if !variables.iter().all(is_known) {
            return None;
        }
        match matching.values.evaluate(&self.terms, term) {
            Value::Boolean(truth) => Some(u128::from(truth)),
            Value::BitVector(value) => Some(value.bits()),
            Value::Array(_) => None,
        }
    }

    fn compare(&self, term: TermId, found: u128, wanted: u128) -> Tried<()> {
        match found == wanted {
            true => Ok(()),
            false => Err(format!("{}, which is {found:#x} there", self.says(term, wanted))),
        }
    }

    fn says(&self, term: TermId, wanted: u128) -> String {
        format!("`{}` would have to be {wanted:#x}", self.terms.display(term))
    }

    /// For later, when more is known.
    fn leave(&mut self, matching: &mut Matching<'s>, term: TermId, bits: u128) -> Tried<()> {
        let formula = match self.terms.sort(term) {
            Sort::Boolean if bits == 0 => self.terms.not(term),
            Sort::Boolean => term,
            Sort::BitVector(width) => {
                let constant = self.terms.bit_vector(bits, width);
                self.terms.equal(term, constant)
            }
            Sort::Array { .. } => return Ok(()),
        };
        matching.left.push(formula);
        Ok(())
    }

    fn bind(&mut self, matching: &mut Matching<'s>, variable: TermId, held: Held) -> Tried<()> {
        let value = match self.terms.sort(variable) {
            Sort::Boolean => Value::Boolean(held.bits != 0),
            Sort::BitVector(width) => Value::BitVector(BitVectorValue::new(held.bits, width)),
            Sort::Array { .. } => return Ok(()),
        };
        matching.values.set(variable, value);
        matching.known += 1;
        match matching.by_address.get(&variable) {
            Some(&instance) => self.found(matching, instance, held),
            None => Ok(()),
        }
    }

    /// The address of a block of the text has become known.
    fn found(
        &mut self,
        matching: &mut Matching<'s>,
        instance: InstanceId,
        held: Held,
    ) -> Tried<()> {
        let text = matching.instances[instance].text;
        if held.bits == 0 && text.life == Life::Alive && may_be_empty(text) {
            return self.no_node(matching, instance);
        }
        let Some(block) = self.block_at(matching, instance, held) else {
            return match text.life {
                // It may be forgotten, or its address may have been given to another block.
                Life::Freed | Life::OutOfScope if held.block.is_none() => Ok(()),
                Life::Alive | Life::Freed | Life::OutOfScope => {
                    let what = format!("{:?} {:?}", text.nature, text.life);
                    Err(format!("no {what} is at {:#x}, where {} is", held.bits, text.name))
                }
            };
        };
        if let Shape::LastOf(_) = text.shape {
            matching.instances[instance].block = Some(block);
            return Ok(());
        }
        if text.life != Life::Alive {
            return Ok(());
        }
        self.take(matching, block)?;
        matching.instances[instance].block = Some(block);
        match &text.shape {
            Shape::Plain(_) => self.contents(matching, instance, block, &[]),
            Shape::List(_) => {
                matching.open.push(Open::List(instance, block));
                Ok(())
            }
            Shape::Tree(_) => self.open_tree(matching, instance, block),
            Shape::Instance(_) => self.open_predicate(matching, instance, block),
            Shape::LastOf(_) => Ok(()),
            Shape::Row(_) | Shape::Slot(_) => Err("nothing points to elements".to_owned()),
        }
    }

    /// The block at an address that an instance may be.
    fn block_at(&self, matching: &Matching<'s>, instance: InstanceId, held: Held) -> Option<Block> {
        let is_there = |block: Block| u128::from(self.state.blocks()[block].base) == held.bits;
        let is_it = |&block: &Block| is_there(block) && self.may_be(matching, instance, block);
        match held.block {
            Some(block) => Some(block).filter(is_it),
            None => (0..self.state.blocks().len()).rev().find(is_it),
        }
    }

    /// At most one block of the text is this one.
    pub(super) fn take(&mut self, matching: &mut Matching<'s>, block: Block) -> Tried<()> {
        match matching.taken.insert(block) {
            None => Ok(()),
            Some(_) => {
                let base = self.state.blocks()[block].base;
                Err(format!("two blocks of the text would be the one at {base:#x}"))
            }
        }
    }

    pub(super) fn masked(&self, bits: u128) -> u128 {
        bits & mask(self.pointer_bits)
    }
}
