//! Numbers in blocks, and numbers that are in none: how they compare, and what changes that.
//!
//! The order of a certificate holds between two blocks that have both been given a number, that of the first being
//! at most that of the second.

use heapwright_program::{ScalarType, mask, sign_extend};

use crate::certificate::{Claims, Numeral, SIZE_OF_NUMBERS};
use crate::formula::NOWHERE;
use crate::heap::{Heap, NULL, Node};
use crate::meaning::{Event, Meaning, SOURCE};
use crate::sharpen::{Impossible, sharpen};
use crate::state::State;
use crate::truth::Truth;
use crate::update::{First, allocate, change};

/// What a number field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// Nothing was written there.
    Missing,
    Some,
    /// A number, or nothing.
    Open,
    /// That of another single block.
    Like(Node),
}

/// Gives a single block another number.
pub(crate) fn give(heap: &mut Heap, meaning: &Meaning, node: Node, number: Number) {
    let Some(order) = meaning.order else { return };
    let own = match number {
        Number::Missing => Truth::No,
        Number::Some => Truth::Yes,
        Number::Open => Truth::Maybe,
        Number::Like(other) => heap.binary[order][other][other],
    };
    for other in heap.blocks().filter(|other| *other != node) {
        let (there, back) = match number {
            Number::Missing => (Truth::No, Truth::No),
            Number::Some | Number::Open => (Truth::Maybe, Truth::Maybe),
            Number::Like(like) => {
                (heap.binary[order][like][other], heap.binary[order][other][like])
            }
        };
        heap.binary[order][node][other] = there;
        heap.binary[order][other][node] = back;
    }
    heap.binary[order][node][node] = own;
    let mut at = NOWHERE;
    at[SOURCE] = node;
    change(heap, meaning, (Event::Write, order), at);
}

impl Claims {
    /// With a node for a number that is in no block.
    pub(crate) fn with_number(
        &self,
        heap: &Heap,
        number: Number,
    ) -> Result<(Heap, Node), Impossible> {
        let mark = self.sizes.iter().find(|(size, _)| *size == SIZE_OF_NUMBERS);
        let (_, mark) = mark.ok_or(Impossible)?;
        let (mut heap, node) = allocate(heap, &self.meaning, *mark, (&[], First::Null))?;
        give(&mut heap, &self.meaning, node, number);
        sharpen(&mut heap, &self.meaning)?;
        Ok((heap, node))
    }

    /// The predicate of a tracked number.
    pub(crate) fn numeral(&self, wanted: Numeral) -> Option<usize> {
        self.numerals.iter().find(|(numeral, _)| *numeral == wanted).map(|it| it.1)
    }

    /// The node of a tracked constant.
    pub(crate) fn constant(&self, heap: &Heap, bits: u128) -> Option<Node> {
        let predicate = self.numeral(Numeral::Constant(bits))?;
        heap.blocks().find(|node| heap.unary[predicate][*node] == Truth::Yes)
    }

    /// A state in which every tracked constant has its node.
    pub(crate) fn with_constants(&self, mut heap: Heap) -> Result<Heap, Impossible> {
        let Some((order, field)) = self.meaning.order.zip(self.order) else { return Ok(heap) };
        for (_, predicate) in &self.numerals {
            heap.unary[*predicate][NULL] = Truth::Yes;
        }
        let mut known: Vec<(i128, Node)> = Vec::new();
        for (numeral, predicate) in &self.numerals {
            let Numeral::Constant(bits) = numeral else { continue };
            let (mut larger, node) = self.with_number(&heap, Number::Some)?;
            larger.unary[*predicate].fill(Truth::No);
            larger.unary[*predicate][node] = Truth::Yes;
            let value = field.value(*bits);
            for &(other, at) in &known {
                larger.binary[order][node][at] = Truth::from(value <= other);
                larger.binary[order][at][node] = Truth::from(other <= value);
            }
            known.push((value, node));
            heap = larger;
        }
        sharpen(&mut heap, &self.meaning)?;
        Ok(heap)
    }
}

impl crate::certificate::NumberField {
    /// The number that bits of the field's type are.
    pub(crate) fn value(self, bits: u128) -> i128 {
        let ScalarType::Integer { width, .. } = self.ty else {
            unreachable!("number fields are integers")
        };
        let width = u32::from(width);
        match self.ty.is_signed() {
            true => sign_extend(bits, width),
            false => bits as i128,
        }
    }

    /// The bits of a number, as far as the field has room for them.
    pub(crate) fn bits(self, value: i128) -> u128 {
        let ScalarType::Integer { width, .. } = self.ty else {
            unreachable!("number fields are integers")
        };
        value as u128 & mask(u32::from(width))
    }
}

/// Finds numbers for blocks that compare as a claimed structure says.
pub(crate) struct Numbers<'n> {
    pub(crate) claims: &'n Claims,
    pub(crate) known: &'n Heap,
    /// The node that each block comes from.
    pub(crate) nodes: &'n [Node],
}

/// Numbers that are tried for all blocks together.
const MOST_TRIED: usize = 400;

impl Numbers<'_> {
    /// Numbers for all blocks, others for another variant; nothing where none are found.
    pub(crate) fn some(&self, variant: usize) -> Option<Vec<Option<i128>>> {
        let (Some(order), Some(field)) = (self.claims.meaning.order, self.claims.order) else {
            return Some(vec![None; self.nodes.len()]);
        };
        let mut candidates: Vec<i128> = (0..self.nodes.len() as i128).collect();
        for (numeral, _) in &self.claims.numerals {
            if let Numeral::Constant(bits) = numeral {
                let value = field.value(*bits);
                candidates.extend([value - 1, value, value + 1]);
            }
        }
        candidates.retain(|value| field.value(field.bits(*value)) == *value);
        candidates.sort_unstable();
        candidates.dedup();
        let mut chosen = Vec::new();
        let mut tries = MOST_TRIED;
        self.extend(&mut chosen, (order, &candidates), variant, &mut tries).then_some(chosen)
    }

    fn extend(
        &self,
        chosen: &mut Vec<Option<i128>>,
        (order, candidates): (usize, &[i128]),
        variant: usize,
        tries: &mut usize,
    ) -> bool {
        let Some(&node) = self.nodes.get(chosen.len()) else { return true };
        for number in self.choices(node, candidates, variant) {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            chosen.push(number);
            let fits = (0..chosen.len()).all(|other| {
                let at_most = |one: Option<i128>, other: Option<i128>| {
                    Truth::from(one.zip(other).is_some_and(|(one, other)| one <= other))
                };
                let (to, held) = (self.nodes[other], chosen[other]);
                self.known.binary[order][node][to].allows(at_most(number, held))
                    && self.known.binary[order][to][node].allows(at_most(held, number))
            });
            if fits && self.extend(chosen, (order, candidates), variant / 3, tries) {
                return true;
            }
            chosen.pop();
        }
        false
    }

    /// The numbers that a block may have, others first for another variant.
    fn choices(&self, node: Node, candidates: &[i128], variant: usize) -> Vec<Option<i128>> {
        let field = self.claims.order.expect("there is an order");
        for (numeral, predicate) in &self.claims.numerals {
            if let Numeral::Constant(bits) = numeral
                && self.known.unary[*predicate][node] == Truth::Yes
            {
                return vec![Some(field.value(*bits))];
            }
        }
        let mut choices: Vec<Option<i128>> = candidates.iter().copied().map(Some).collect();
        let size = self.claims.size_of(self.known, node);
        if size != Some(field.size) && size != Some(SIZE_OF_NUMBERS) {
            return vec![None];
        }
        choices.push(None);
        let start = variant % choices.len();
        choices.rotate_left(start);
        choices
    }
}

/// Variables that have the number of a block keep it when the block gets another one or goes.
pub(crate) fn keep(claims: &Claims, state: &mut State, node: Node) -> Result<(), Impossible> {
    if !state.data.values().any(|held| *held == node) {
        return Ok(());
    }
    let (heap, copy) = claims.with_number(&state.heap, Number::Like(node))?;
    state.heap = heap;
    for held in state.data.values_mut().filter(|held| **held == node) {
        *held = copy;
    }
    Ok(())
}
