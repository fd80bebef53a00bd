//! Reading: back through the list of what happened, to the latest that touched these bytes.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::{AddressTarget, ObjectId, ObjectKind};

use crate::claims::ObjectKey;
use crate::memory::{Event, Logged, Range};
use crate::value::{BLOCK_BITS, Pointer, Value};
use crate::walk::Checker;

/// Elements of a static object that are told apart where the offset is not known.
const MOST_ELEMENTS: u64 = 256;

/// What an event says of a range.
enum Found {
    Nothing,
    /// Under a condition, this.
    Value(TermId, Value),
    /// Under a condition, byte by byte.
    Bytes(TermId),
}

impl Checker<'_> {
    pub(crate) fn read(&mut self, log: &Rc<Vec<Logged>>, range: Range) -> Value {
        self.read_before(log, log.len(), range)
    }

    fn read_before(&mut self, log: &Rc<Vec<Logged>>, end: usize, range: Range) -> Value {
        let mut cases: Vec<(TermId, Value)> = Vec::new();
        let mut last = None;
        for position in (0..end).rev() {
            let logged = log[position];
            let (condition, value) = match self.found(logged.entry, range) {
                Found::Nothing => continue,
                Found::Value(condition, value) => (condition, value),
                Found::Bytes(condition) => (condition, self.read_bytes(log, position + 1, range)),
            };
            let happened = self.happened(logged);
            match self.terms.and(happened, condition) {
                TermId::FALSE => {}
                TermId::TRUE => {
                    last = Some(value);
                    break;
                }
                condition => cases.push((condition, value)),
            }
        }
        let last = match last {
            Some(last) => last,
            None => self.initial(range),
        };
        let choose = |result, (condition, value)| self.choose(condition, value, result);
        cases.into_iter().rev().fold(last, choose)
    }

    /// Each byte by itself: none of them lies partly in what was written.
    fn read_bytes(&mut self, log: &Rc<Vec<Logged>>, end: usize, range: Range) -> Value {
        let mut bits: Option<TermId> = None;
        for byte in 0..range.bytes {
            let step = self.offset_term(i128::from(byte));
            let offset = self.terms.add(range.at.offset, step);
            let at = Pointer { offset, ..range.at };
            let byte = Range { at, bytes: 1, is_pointer: false };
            let value = self.read_before(log, end, byte).bits();
            bits = Some(match bits {
                Some(low) => self.terms.concat(value, low),
                None => value,
            });
        }
        self.of_bits(bits.expect("an access has a byte"), range.is_pointer, TermId::TRUE)
    }

    fn of_bits(&mut self, bits: TermId, is_pointer: bool, when: TermId) -> Value {
        if !is_pointer {
            return Value::Bits(bits);
        }
        if !self.terms.is_constant(bits) {
            self.doubt(when, "a number is read as a pointer");
        }
        Value::Pointer(self.number_pointer(bits))
    }

    /// What was written, as it is read.
    fn part_of(&mut self, value: Value, start: u64, range: Range, when: TermId) -> Value {
        if let (Value::Pointer(_), true, 0) = (value, range.is_pointer, start) {
            return value;
        }
        let bits = match value {
            Value::Bits(bits) => bits,
            Value::Pointer(pointer) => self.address(pointer),
        };
        let (low, high) = (8 * start as u32, 8 * (start + range.bytes) as u32 - 1);
        let part = self.terms.extract(bits, high, low);
        self.of_bits(part, range.is_pointer, when)
    }

    fn found(&mut self, entry: usize, range: Range) -> Found {
        match self.entries[entry].1.clone() {
            Event::End { .. } => Found::Nothing,
            Event::Begin { block, is_zeroed } => {
                let is_meant = self.terms.equal(block, range.at.block);
                if is_meant == TermId::FALSE {
                    return Found::Nothing;
                }
                let value = if is_zeroed { self.zero(range) } else { self.unwritten(entry, range) };
                Found::Value(is_meant, value)
            }
            Event::Write { to, bytes, value } => self.found_written(to, bytes, value, range),
            Event::Fill { to, size, byte } => {
                let Some((is_inside, is_touched)) = self.covers(to, size, range) else {
                    return Found::Nothing;
                };
                let filled = self.repeated(byte, range);
                let other = self.unwritten(entry, range);
                self.doubt_partial(is_touched, is_inside);
                Found::Value(is_touched, self.choose(is_inside, filled, other))
            }
            Event::Copy { to, from, size, log } => {
                let Some((is_inside, is_touched)) = self.covers(to, size, range) else {
                    return Found::Nothing;
                };
                let distance = self.distance(to, range);
                if is_inside == TermId::FALSE && self.terms.is_constant(distance) {
                    return Found::Bytes(is_touched);
                }
                let offset = self.terms.add(from.offset, distance);
                let source = Range { at: Pointer { block: from.block, offset }, ..range };
                let copied = self.read(&log, source);
                let other = self.unwritten(entry, range);
                self.doubt_partial(is_touched, is_inside);
                Found::Value(is_touched, self.choose(is_inside, copied, other))
            }
            Event::Cut { cut } => self.found_at_cut(cut, range),
        }
    }

    fn distance(&mut self, to: Pointer, range: Range) -> TermId {
        self.terms.subtract(range.at.offset, to.offset)
    }

    /// Whether a range lies in `size` bytes from a pointer on, and whether it touches them.
    fn covers(&mut self, to: Pointer, size: TermId, range: Range) -> Option<(TermId, TermId)> {
        let is_block = self.terms.equal(to.block, range.at.block);
        if is_block == TermId::FALSE {
            return None;
        }
        let distance = self.distance(to, range);
        let back = self.terms.negate(distance);
        let bytes = self.offset_term(i128::from(range.bytes));
        let begins_inside = self.terms.unsigned_less(distance, size);
        let starts_before = self.terms.unsigned_less(back, bytes);
        let zero = self.offset_term(0);
        let has_bytes = self.terms.not_equal(size, zero);
        let overlaps = self.terms.or(begins_inside, starts_before);
        let is_touched = self.terms.all(&[is_block, has_bytes, overlaps]);
        let is_large = self.terms.unsigned_less_equal(bytes, size);
        let rest = self.terms.subtract(size, bytes);
        let fits = self.terms.unsigned_less_equal(distance, rest);
        let is_inside = self.terms.and(is_large, fits);
        (is_touched != TermId::FALSE).then_some((is_inside, is_touched))
    }

    fn doubt_partial(&mut self, is_touched: TermId, is_inside: TermId) {
        let is_outside = self.terms.not(is_inside);
        let is_partial = self.terms.and(is_touched, is_outside);
        if is_partial != TermId::FALSE {
            self.doubt(is_partial, "an access lies partly in what was written");
        }
    }

    fn found_written(&mut self, to: Pointer, bytes: u64, value: Value, range: Range) -> Found {
        let is_block = self.terms.equal(to.block, range.at.block);
        if is_block == TermId::FALSE {
            return Found::Nothing;
        }
        let distance = self.distance(to, range);
        if let Some(distance) = self.terms.as_constant(distance) {
            let distance = distance.to_signed();
            let (start, end) = (distance, distance + i128::from(range.bytes));
            if end <= 0 || start >= i128::from(bytes) {
                return Found::Nothing;
            }
            if start < 0 || end > i128::from(bytes) {
                return Found::Bytes(is_block);
            }
            let value = self.part_of(value, start as u64, range, is_block);
            return Found::Value(is_block, value);
        }
        let size = self.offset_term(i128::from(bytes));
        let Some((_, is_touched)) = self.covers(to, size, range) else { return Found::Nothing };
        let other = self.garbage_of(range);
        let is_equal = self.terms.equal(to.offset, range.at.offset);
        let is_same = if bytes == range.bytes { is_equal } else { TermId::FALSE };
        self.doubt_partial(is_touched, is_same);
        if bytes != range.bytes {
            return Found::Value(is_touched, other);
        }
        let is_same_place = self.terms.and(is_block, is_same);
        let value = self.part_of(value, 0, range, is_same_place);
        Found::Value(is_touched, self.choose(is_same, value, other))
    }

    fn zero(&mut self, range: Range) -> Value {
        let bits = self.terms.bit_vector(0, 8 * range.bytes as u32);
        self.of_bits(bits, range.is_pointer, TermId::TRUE)
    }

    fn repeated(&mut self, byte: TermId, range: Range) -> Value {
        let mut bits = byte;
        for _ in 1..range.bytes {
            bits = self.terms.concat(byte, bits);
        }
        self.of_bits(bits, range.is_pointer, TermId::TRUE)
    }

    fn garbage_of(&mut self, range: Range) -> Value {
        let width = 8 * range.bytes as u32;
        let bits = self.fresh("garbage", Sort::BitVector(width));
        if range.is_pointer {
            return Value::Pointer(self.number_pointer(bits));
        }
        Value::Bits(bits)
    }

    /// Bytes that nobody wrote since an event: anything, but the same each time.
    fn unwritten(&mut self, entry: usize, range: Range) -> Value {
        if let Some(&known) = self.unwritten.get(&(entry, range)) {
            return known;
        }
        let value = self.garbage_of(range);
        self.unwritten.insert((entry, range), value);
        value
    }

    /// What a place holds at the start of the program.
    fn initial(&mut self, range: Range) -> Value {
        let mut value = self.unwritten(usize::MAX, range);
        for object in 0..self.objects.len() {
            let ObjectKey::Static(id) = self.objects[object].key else { continue };
            let is_of = self.is_of(range.at.block, object);
            if is_of == TermId::FALSE {
                continue;
            }
            let Some(here) = self.initial_of(id, range, is_of) else { continue };
            value = self.choose(is_of, here, value);
        }
        value
    }

    fn initial_of(&mut self, object: ObjectId, range: Range, is_of: TermId) -> Option<Value> {
        let size = self.program.objects[object].size?;
        if matches!(self.program.objects[object].kind, ObjectKind::External | ObjectKind::Local) {
            return None;
        }
        if let Some(offset) = self.terms.as_constant(range.at.offset) {
            let offset = u64::try_from(offset.bits()).ok()?;
            let is_inside = offset.checked_add(range.bytes)? <= size;
            return if is_inside { self.initial_at(object, offset, range) } else { None };
        }
        let count = size / range.bytes;
        if count > MOST_ELEMENTS {
            self.doubt(is_of, "an element of a large static object at its start");
            return None;
        }
        let mut value = self.garbage_of(range);
        let mut is_known = Vec::new();
        for element in 0..count {
            let offset = element * range.bytes;
            let here = self.offset_term(i128::from(offset));
            let is_here = self.terms.equal(range.at.offset, here);
            let Some(initial) = self.initial_at(object, offset, range) else { continue };
            is_known.push(is_here);
            value = self.choose(is_here, initial, value);
        }
        let is_known = self.terms.any(&is_known);
        self.doubt_partial(is_of, is_known);
        Some(value)
    }

    fn initial_at(&mut self, object: ObjectId, offset: u64, range: Range) -> Option<Value> {
        let (bytes, addresses) = match &self.program.objects[object].kind {
            ObjectKind::Static { bytes, addresses } => (bytes, addresses.as_slice()),
            ObjectKind::String { bytes } => (bytes, [].as_slice()),
            ObjectKind::External | ObjectKind::Local => return None,
        };
        let pointer_size = self.program.model.pointer_size();
        let end = offset + range.bytes;
        let touched = addresses
            .iter()
            .find(|address| address.offset < end && offset < address.offset + pointer_size);
        if let Some(address) = touched {
            if address.offset != offset || range.bytes != pointer_size {
                self.doubt(TermId::TRUE, "a part of an address in initial bytes");
                return None;
            }
            let target = match address.target {
                AddressTarget::Object(target) => self.object(&ObjectKey::Static(target)),
                AddressTarget::Function(function) => self.object(&ObjectKey::Code(function)),
            };
            let block = self.objects[target].only.expect("static targets have one block");
            let block = self.terms.bit_vector(u128::from(block), BLOCK_BITS);
            let offset = self.offset_term(i128::from(address.addend));
            return Some(self.part_of(
                Value::Pointer(Pointer { block, offset }),
                0,
                range,
                TermId::TRUE,
            ));
        }
        let byte = |at: u64| bytes.get(at as usize).copied().unwrap_or(0);
        let value =
            (0..range.bytes).fold(0, |value, at| value | u128::from(byte(offset + at)) << (8 * at));
        let bits = self.terms.bit_vector(value, 8 * range.bytes as u32);
        Some(self.of_bits(bits, range.is_pointer, TermId::TRUE))
    }

    /// What a place holds at a loop's head, if the loop may have changed it.
    fn found_at_cut(&mut self, cut: usize, range: Range) -> Found {
        let select = self.cuts[cut].select;
        let changes = self.cuts[cut].changes.clone();
        let mut cases = Vec::new();
        for (object, ranges) in changes.bytes {
            let is_of = self.is_of(range.at.block, object);
            if is_of == TermId::FALSE {
                continue;
            }
            let is_touched = match ranges {
                None => TermId::TRUE,
                Some(ranges) => self.touches(&ranges, range),
            };
            cases.push(self.terms.and(is_of, is_touched));
        }
        let is_changed = self.terms.any(&cases);
        let bound = self.terms.bit_vector(u128::from(self.cuts[cut].bound), BLOCK_BITS);
        let is_known = self.terms.unsigned_less(range.at.block, bound);
        let condition = self.terms.all(&[select, is_known, is_changed]);
        if condition == TermId::FALSE {
            return Found::Nothing;
        }
        Found::Value(condition, self.value_at_cut(cut, range))
    }

    /// Whether an access touches one of these ranges of its block.
    fn touches(&mut self, ranges: &[(u64, u64)], range: Range) -> TermId {
        let bytes = self.offset_term(i128::from(range.bytes));
        let mut cases = Vec::new();
        for &(start, end) in ranges {
            let length = self.offset_term(i128::from(end - start));
            let start = self.offset_term(i128::from(start));
            let from_start = self.terms.subtract(range.at.offset, start);
            let to_start = self.terms.subtract(start, range.at.offset);
            cases.push(self.terms.unsigned_less(from_start, length));
            cases.push(self.terms.unsigned_less(to_start, bytes));
        }
        self.terms.any(&cases)
    }

    /// A free function from places to values.
    fn value_at_cut(&mut self, cut: usize, range: Range) -> Value {
        let index = self.terms.concat(range.at.block, range.at.offset);
        let select = |checker: &mut Self, what: &'static str, element: u32| {
            let sort = Sort::Array { index: BLOCK_BITS + checker.width, element };
            let key = (cut, range.bytes, what);
            let array = match checker.contents.get(&key) {
                Some(&array) => array,
                None => {
                    let array = checker.fresh(&format!("memory.{what}.{cut}"), sort);
                    checker.contents.insert(key, array);
                    array
                }
            };
            checker.terms.select(array, index)
        };
        let value = if range.is_pointer {
            let block = select(self, "block", BLOCK_BITS);
            let offset = select(self, "offset", self.width);
            let next = self.terms.bit_vector(u128::from(self.cuts[cut].bound), BLOCK_BITS);
            let is_known = self.terms.unsigned_less(block, next);
            self.constraints.push(is_known);
            self.exists_at(cut, block);
            Value::Pointer(Pointer { block, offset })
        } else {
            Value::Bits(select(self, "bits", 8 * range.bytes as u32))
        };
        self.wanted.push((cut, range.at));
        value
    }
}
