//! All small heaps of a class: what its rules and updates are tried on.

use crate::class::Instance;
use crate::kleene::Kleene;
use crate::structure::{Node, Structure, nodes_of};

/// The heaps with a number of blocks, one after the other: every pointer and every link leads to each
/// node in turn, and blocks have numbers in every order, or none.
#[derive(Debug)]
pub struct Heaps<'i> {
    instance: &'i Instance,
    blocks: usize,
    next: usize,
    count: usize,
    /// How far apart the heaps are that are given.
    stride: usize,
}

impl<'i> Heaps<'i> {
    /// About `most` of the heaps with so many blocks, spread evenly; all if there are fewer.
    #[must_use]
    pub fn new(instance: &'i Instance, blocks: usize, most: usize) -> Heaps<'i> {
        let places = instance.pointers.len() + instance.links.len() * blocks;
        let count = (blocks + 2).saturating_pow(places as u32);
        let ranks = if instance.order.is_some() { blocks } else { 0 };
        let count = count.saturating_mul((blocks + 1).saturating_pow(ranks as u32));
        // An odd number, so that not always the same digits of the heap's number change.
        let stride = (count / most.max(1)).max(1) | 1;
        Heaps { instance, blocks, next: 0, count, stride }
    }

    fn heap(&self, mut number: usize) -> Structure {
        let mut heap = Structure::new(&self.instance.vocabulary, self.blocks);
        let mut below = |bound: usize| {
            let digit = number % bound;
            number /= bound;
            digit
        };
        if let Some(order) = self.instance.order {
            // 0 is for a block without a number.
            let ranks: Vec<usize> = (0..self.blocks).map(|_| below(self.blocks + 1)).collect();
            for (from, rank) in ranks.iter().enumerate() {
                for (to, other) in ranks.iter().enumerate() {
                    let is_at_most = *rank != 0 && *other != 0 && rank <= other;
                    heap.set_binary(order, from + 2, to + 2, Kleene::from(is_at_most));
                }
            }
        }
        let mut digit = || -> Node { below(self.blocks + 2) };
        for &pointer in &self.instance.pointers {
            heap.set_unary(pointer, digit(), Kleene::True);
        }
        for block in nodes_of(heap.blocks()) {
            for &link in &self.instance.links {
                heap.set_binary(link, block, digit(), Kleene::True);
            }
        }
        self.instance.define(&mut heap);
        heap
    }
}

impl Iterator for Heaps<'_> {
    type Item = Structure;

    fn next(&mut self) -> Option<Structure> {
        let number = self.next;
        self.next = self.next.saturating_add(self.stride);
        (number < self.count).then(|| self.heap(number))
    }
}
