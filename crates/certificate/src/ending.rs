//! The end of the program: no block is lost, or none is left, as asked.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::Place;
use heapwright_property::Part;

use crate::claims::ObjectKey;
use crate::memory::Range;
use crate::state::State;
use crate::value::{BLOCK_BITS, Pointer, Value};
use crate::walk::Checker;

/// Static objects of more bytes are not searched for pointers.
const MOST_SEARCHED: u64 = 256;

impl Checker<'_> {
    /// The program ends.
    pub(crate) fn end(&mut self, mut state: State, place: Place) {
        let asks = |part| self.question.specification.asks(part);
        let (cleanup, track) = (asks(Part::ValidMemcleanup), asks(Part::ValidMemtrack));
        let has_heap = self.objects.iter().any(|facts| facts.is_heap);
        if !(cleanup || track) || !has_heap {
            return;
        }
        let block = self.fresh("left", Sort::BitVector(BLOCK_BITS));
        let log = Rc::clone(&state.log);
        let is_heap = self.is_some(block, |facts| facts.is_heap);
        let is_alive = self.is_alive(&log, block);
        let exists = self.exists(&log, block);
        let is_left = self.terms.all(&[is_heap, exists, is_alive]);
        let is_gone = self.terms.not(is_left);
        if cleanup {
            self.require(&mut state, is_gone, "a block is not freed", place);
        } else {
            let is_known = self.is_known(&state, block);
            let holds = self.terms.or(is_gone, is_known);
            self.require(&mut state, holds, "a block is lost", place);
        }
    }

    /// Whether a global variable or a static object points to a block.
    fn is_known(&mut self, state: &State, block: TermId) -> TermId {
        let mut cases = Vec::new();
        for value in state.globals.values() {
            if let Value::Pointer(pointer) = *value {
                cases.push(self.terms.equal(pointer.block, block));
            }
        }
        let bytes = self.program.model.pointer_size();
        for object in 0..self.objects.len() {
            let facts = self.objects[object].clone();
            let (ObjectKey::Static(_), Some(only), Some(size)) =
                (facts.key, facts.only, facts.size)
            else {
                continue;
            };
            if facts.is_literal || size > MOST_SEARCHED {
                continue;
            }
            for cell in 0..size / bytes {
                let holder = self.terms.bit_vector(u128::from(only), BLOCK_BITS);
                let offset = self.offset_term(i128::from(cell * bytes));
                let at = Pointer { block: holder, offset };
                let held = self.read(&state.log.clone(), Range { at, bytes, is_pointer: true });
                cases.push(self.terms.equal(held.pointer().block, block));
            }
        }
        self.terms.any(&cases)
    }
}
