//! Trials: on small heaps, the rules of a certificate are true and its changes are what definitions say.
//!
//! A class is compared with its definitions on many heaps when its file is read. This looks at the words that
//! the certificate itself has, on some hundred heaps.

use crate::certificate::Claims;
use crate::heap::{Heap, NULL, Node, WILD};
use crate::number::{Number, give};
use crate::sharpen::sharpen;
use crate::truth::Truth;
use crate::update::{define, set_link};

/// Blocks of the largest heaps, and about how many heaps of each size.
const MOST_BLOCKS: usize = 3;
const HEAPS: usize = 80;
/// Stores that are tried in each.
const STORES: usize = 3;

/// What is not true, if something is not.
pub(crate) fn try_small_heaps(claims: &Claims) -> Result<(), String> {
    if claims.meaning.defined.is_empty() && claims.meaning.rules.is_empty() {
        return Ok(());
    }
    for blocks in 1..=MOST_BLOCKS {
        let links = claims.links.len() * blocks;
        let ranks = if claims.order.is_some() { blocks } else { 0 };
        let count = (blocks + 2).saturating_pow(links as u32 + 1);
        let count = count.saturating_mul((blocks + 1).saturating_pow(ranks as u32));
        let stride = (count / HEAPS).max(1) | 1;
        for number in (0..count).step_by(stride) {
            try_heap(claims, blocks, number)?;
        }
    }
    Ok(())
}

fn try_heap(claims: &Claims, blocks: usize, number: usize) -> Result<(), String> {
    let meaning = &claims.meaning;
    let heap = heap(claims, blocks, number);
    let mut sharp = heap.clone();
    if sharpen(&mut sharp, meaning).is_err() || sharp != heap {
        return Err("a rule is false".to_owned());
    }
    try_new_block(claims, &heap, number)?;
    try_number(claims, &heap, number)?;
    // Other stores in each heap, so that all are met.
    for store in 0..STORES {
        let place = number / 7 + store * 5;
        let (source, link) = (2 + place % blocks, place / blocks % claims.links.len());
        let target = (number / 3 + store) % heap.len();
        let mut stored = heap.clone();
        set_link(&mut stored, meaning, (source, link), target);
        let mut meant = stored.clone();
        for defined in &meaning.defined {
            define(&mut meant, defined);
        }
        if stored != meant {
            return Err(format!("what a store of `{}` changes is wrong", meaning.binary[link]));
        }
    }
    Ok(())
}

/// A block that nothing leads to changes nothing but itself: steps make and take away such blocks.
fn try_new_block(claims: &Claims, heap: &Heap, number: usize) -> Result<(), String> {
    let meaning = &claims.meaning;
    let (mut larger, node) = heap.with_block();
    let target = if number.is_multiple_of(2) { NULL } else { WILD };
    for link in 0..meaning.links {
        larger.lead(link, node, target);
    }
    give(&mut larger, meaning, node, number_for(heap, number));
    for defined in &meaning.defined {
        define(&mut larger, defined);
    }
    larger.remove(node);
    match larger == *heap {
        true => Ok(()),
        false => Err("a predicate changes with a block that nothing leads to".to_owned()),
    }
}

/// Some number of another block, or none.
fn number_for(heap: &Heap, number: usize) -> Number {
    match number / 5 % (heap.len() - 1) {
        0 => Number::Missing,
        other => Number::Like(other + 1),
    }
}

/// What a new number of a block changes is what definitions say.
fn try_number(claims: &Claims, heap: &Heap, number: usize) -> Result<(), String> {
    let meaning = &claims.meaning;
    let mut given = heap.clone();
    give(&mut given, meaning, 2 + number / 11 % heap.blocks().len(), number_for(heap, number));
    let mut meant = given.clone();
    for defined in &meaning.defined {
        define(&mut meant, defined);
    }
    match given == meant {
        true => Ok(()),
        false => Err("what a new number changes is wrong".to_owned()),
    }
}

/// A heap by its number: how its blocks compare, where each link and the first pointer lead; other pointers lead to other nodes.
fn heap(claims: &Claims, blocks: usize, mut number: usize) -> Heap {
    let meaning = &claims.meaning;
    let mut heap = Heap::new(meaning.unary.len(), meaning.binary.len(), blocks);
    let nodes = heap.len();
    let mut below = |bound: usize| {
        let digit = number % bound;
        number /= bound;
        digit
    };
    if let Some(order) = meaning.order {
        // 0 is for a block without a number.
        let ranks: Vec<usize> = (0..blocks).map(|_| below(blocks + 1)).collect();
        for (from, one) in ranks.iter().enumerate() {
            for (to, other) in ranks.iter().enumerate() {
                let is_at_most = *one != 0 && *other != 0 && one <= other;
                heap.binary[order][from + 2][to + 2] = Truth::from(is_at_most);
            }
        }
    }
    let mut digit = || -> Node { below(nodes) };
    let first = digit();
    for block in heap.blocks() {
        for link in 0..meaning.links {
            heap.lead(link, block, digit());
        }
    }
    for pointer in 0..meaning.pointers {
        heap.unary[pointer][(first + pointer) % nodes] = Truth::Yes;
    }
    for &numeral in &meaning.numerals {
        heap.unary[numeral][first] = Truth::Yes;
    }
    for defined in &meaning.defined {
        define(&mut heap, defined);
    }
    heap
}
