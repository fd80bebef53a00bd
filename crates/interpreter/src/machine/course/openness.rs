//! Which registers, global variables and bytes are open.

use heapwright_program::Place;
use rustc_hash::FxHashMap;

use crate::machine::course::effect::Span;

/// What may be otherwise in another execution that has come the same way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Openness {
    /// As the registers of all frames; those beyond the end are fixed.
    registers: Vec<bool>,
    globals: Vec<bool>,
    /// One bit a byte, by the serial of the block.
    bytes: FxHashMap<u64, Vec<u64>>,
    /// The comparison that comes next is one of addresses, and for the implementation to decide.
    pub(crate) compares_open_addresses: bool,
    /// Where something open decided how to go on.
    pub(crate) decides_at: Option<Place>,
}

impl Openness {
    pub(crate) fn register(&self, index: usize) -> bool {
        self.registers.get(index).is_some_and(|&is_open| is_open)
    }

    pub(crate) fn set_register(&mut self, index: usize, is_open: bool) {
        set(&mut self.registers, index, is_open);
    }

    pub(crate) fn fix_registers(&mut self, base: usize, count: usize) {
        let end = self.registers.len().min(base + count);
        if base < end {
            self.registers[base..end].fill(false);
        }
    }

    pub(crate) fn global(&self, index: usize) -> bool {
        self.globals.get(index).is_some_and(|&is_open| is_open)
    }

    pub(crate) fn set_global(&mut self, index: usize, is_open: bool) {
        set(&mut self.globals, index, is_open);
    }

    /// Whether any byte ever was open.
    pub(crate) fn knows_bytes(&self) -> bool {
        !self.bytes.is_empty()
    }

    pub(crate) fn has_open_byte(&self, span: Option<Span>) -> bool {
        let Some(span) = span else { return false };
        let Some(words) = self.bytes.get(&span.block) else { return false };
        (span.offset..span.offset.saturating_add(span.size)).any(|byte| bit(words, byte))
    }

    pub(crate) fn set_bytes(&mut self, span: Option<Span>, is_open: bool) {
        let Some(span) = span else { return };
        if !is_open && !self.bytes.contains_key(&span.block) {
            return;
        }
        let words = self.bytes.entry(span.block).or_default();
        for byte in span.offset..span.offset + span.size {
            set_bit(words, byte, is_open);
        }
    }

    /// Bytes are as open as those that they were copied from; the two may overlap.
    pub(crate) fn copy(&mut self, to: Option<Span>, from: Option<Span>) {
        let (Some(to), Some(from)) = (to, from) else { return };
        let Some(source) = self.bytes.get(&from.block) else {
            return self.set_bytes(Some(to), false);
        };
        let copied: Vec<bool> =
            (0..from.size).map(|byte| bit(source, from.offset + byte)).collect();
        let words = self.bytes.entry(to.block).or_default();
        for (byte, is_open) in (to.offset..).zip(copied) {
            set_bit(words, byte, is_open);
        }
    }
}

fn set(flags: &mut Vec<bool>, index: usize, is_open: bool) {
    if index >= flags.len() {
        if !is_open {
            return;
        }
        flags.resize(index + 1, false);
    }
    flags[index] = is_open;
}

fn bit(words: &[u64], byte: u64) -> bool {
    words.get((byte / 64) as usize).is_some_and(|word| word & (1 << (byte % 64)) != 0)
}

fn set_bit(words: &mut Vec<u64>, byte: u64, is_open: bool) {
    let index = (byte / 64) as usize;
    if index >= words.len() {
        if !is_open {
            return;
        }
        words.resize(index + 1, 0);
    }
    let mask = 1 << (byte % 64);
    if is_open { words[index] |= mask } else { words[index] &= !mask }
}
