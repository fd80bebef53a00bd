//! Blocks: where they come from, how large they are, what may be done with them.
//!
//! A block that the walk itself makes has a number of its own, in the order of the walk. One that was
//! there before a cut has an unknown number below those that come after; what belongs to it for
//! good (its object, its size, its address) is a function of the number.

use heapwright_logic::{Sort, Term, TermId};
use heapwright_program::{FunctionId, ObjectId, ObjectKind, Operation, Storage};

use crate::claims::ObjectKey;
use crate::memory::{Event, Logged};
use crate::state::State;
use crate::value::{BLOCK_BITS, Pointer};
use crate::walk::Checker;

/// Numbers that are left free for blocks that a cut does not show.
const ROOM: u32 = 1 << 20;

/// What is known of all blocks of an object.
#[derive(Clone, Debug)]
pub(crate) struct ObjectFacts {
    pub(crate) key: ObjectKey,
    pub(crate) size: Option<u64>,
    pub(crate) is_heap: bool,
    pub(crate) is_literal: bool,
    /// Of const type.
    pub(crate) is_constant: bool,
    /// The number of its only block, for static objects and functions.
    pub(crate) only: Option<u32>,
}

impl ObjectFacts {
    pub(crate) fn is_code(&self) -> bool {
        matches!(self.key, ObjectKey::Code(_))
    }
}

/// A block with a number of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) object: usize,
    pub(crate) size: TermId,
}

impl Checker<'_> {
    /// The number of an object, as claims count them, less one.
    pub(crate) fn object(&mut self, key: &ObjectKey) -> usize {
        if let Some(&known) = self.object_ids.get(key) {
            return known;
        }
        let facts = self.facts(key);
        let id = self.objects.len();
        self.object_ids.insert(key.clone(), id);
        let is_static = matches!(key, ObjectKey::Static(_) | ObjectKey::Code(_));
        let size = facts.size;
        self.objects.push(facts);
        if is_static {
            let size = self.offset_term(i128::from(size.unwrap_or(0)));
            let block = self.make(id, size);
            self.objects[id].only = Some(block);
        }
        id
    }

    fn facts(&self, key: &ObjectKey) -> ObjectFacts {
        let program = self.program;
        let mut facts = ObjectFacts {
            key: key.clone(),
            size: None,
            is_heap: false,
            is_literal: false,
            is_constant: false,
            only: None,
        };
        match key {
            ObjectKey::Static(object) | ObjectKey::Local { object, .. } => {
                let item = &program.objects[*object];
                facts.size = item.size;
                facts.is_literal = matches!(item.kind, ObjectKind::String { .. });
                facts.is_constant = item.is_constant;
            }
            ObjectKey::Site { function, edge, .. } => {
                let body = program.functions[*function].body.as_ref().expect("sites are in bodies");
                if let Operation::Allocate { size, storage, .. } = body.edges[*edge].operation {
                    let size = program.expressions.constant_bits(size);
                    facts.size = size.and_then(|size| u64::try_from(size).ok());
                    facts.is_heap = storage == Storage::Heap;
                }
            }
            ObjectKey::Code(_) => facts.size = Some(0),
        }
        facts
    }

    /// A new block.
    pub(crate) fn make(&mut self, object: usize, size: TermId) -> u32 {
        let number = self.next_block;
        self.next_block += 1;
        self.made.insert(number, Made { object, size });
        let block = self.terms.bit_vector(u128::from(number), BLOCK_BITS);
        let site = self.terms.select(self.sites, block);
        let known = self.terms.bit_vector(object as u128 + 1, BLOCK_BITS);
        let is_of_object = self.terms.equal(site, known);
        let has_size = self.terms.select(self.sizes, block);
        let has_size = self.terms.equal(has_size, size);
        self.constraints.extend([is_of_object, has_size]);
        number
    }

    /// Leaves numbers for blocks that nobody shows.
    pub(crate) fn leave_room(&mut self) {
        self.next_block += ROOM;
    }

    /// An unknown block is one of those so far.
    pub(crate) fn bound_block(&mut self, block: TermId) {
        let next = self.terms.bit_vector(u128::from(self.next_block), BLOCK_BITS);
        let is_known = self.terms.unsigned_less(block, next);
        self.constraints.push(is_known);
    }

    /// The object of a block, as claims count them: zero for none.
    pub(crate) fn site_of(&mut self, block: TermId) -> TermId {
        if let Some(number) = self.terms.as_constant(block) {
            let made = self.made.get(&(number.bits() as u32));
            let site = made.map_or(0, |made| made.object as u128 + 1);
            return self.terms.bit_vector(site, BLOCK_BITS);
        }
        if let Term::IfThenElse(condition, then, otherwise) = self.terms.node(block) {
            let then = self.site_of(then);
            let otherwise = self.site_of(otherwise);
            return self.terms.if_then_else(condition, then, otherwise);
        }
        let site = self.terms.select(self.sites, block);
        if self.sited.insert(block) {
            // Block 0 is none.
            let none = self.terms.bit_vector(0, BLOCK_BITS);
            let is_none = self.terms.equal(block, none);
            let has_none = self.terms.equal(site, none);
            let agree = self.terms.equal(is_none, has_none);
            self.constraints.push(agree);
        }
        site
    }

    pub(crate) fn is_of(&mut self, block: TermId, object: usize) -> TermId {
        if let Some(only) = self.objects[object].only {
            let only = self.terms.bit_vector(u128::from(only), BLOCK_BITS);
            return self.terms.equal(block, only);
        }
        let site = self.site_of(block);
        let wanted = self.terms.bit_vector(object as u128 + 1, BLOCK_BITS);
        self.terms.equal(site, wanted)
    }

    pub(crate) fn size_of(&mut self, block: TermId) -> TermId {
        if let Some(number) = self.terms.as_constant(block) {
            let made = self.made.get(&(number.bits() as u32));
            return match made {
                Some(made) => made.size,
                None => self.offset_term(0),
            };
        }
        if let Term::IfThenElse(condition, then, otherwise) = self.terms.node(block) {
            let then = self.size_of(then);
            let otherwise = self.size_of(otherwise);
            return self.terms.if_then_else(condition, then, otherwise);
        }
        let size = self.terms.select(self.sizes, block);
        if self.sized.insert(block) {
            for object in 0..self.objects.len() {
                let Some(known) = self.objects[object].size else { continue };
                let is_of = self.is_of(block, object);
                let known = self.offset_term(i128::from(known));
                let has_size = self.terms.equal(size, known);
                let fact = self.terms.implies(is_of, has_size);
                self.constraints.push(fact);
            }
        }
        size
    }

    /// Whether a block is of one of the objects with some quality.
    pub(crate) fn is_some(
        &mut self,
        block: TermId,
        has_quality: impl Fn(&ObjectFacts) -> bool,
    ) -> TermId {
        let wanted: Vec<usize> =
            (0..self.objects.len()).filter(|&it| has_quality(&self.objects[it])).collect();
        let mut cases = Vec::new();
        for object in wanted {
            cases.push(self.is_of(block, object));
        }
        self.terms.any(&cases)
    }

    /// Makes a block, alive from now on.
    pub(crate) fn begin(
        &mut self,
        state: &mut State,
        object: usize,
        size: TermId,
        is_zeroed: bool,
    ) -> Pointer {
        self.check_life_change(state, object);
        let number = self.make(object, size);
        let block = self.terms.bit_vector(u128::from(number), BLOCK_BITS);
        state.latest.insert(object, block);
        self.log(state, Event::Begin { block, is_zeroed });
        Pointer { block, offset: self.offset_term(0) }
    }

    /// Where the block of an object starts.
    pub(crate) fn address_of(&mut self, state: &mut State, object: ObjectId) -> Pointer {
        let is_local = matches!(self.program.objects[object].kind, ObjectKind::Local);
        let key = if is_local {
            ObjectKey::Local { calls: self.calls.clone(), object }
        } else {
            ObjectKey::Static(object)
        };
        let id = self.object(&key);
        let offset = self.offset_term(0);
        if let Some(only) = self.objects[id].only {
            let block = self.terms.bit_vector(u128::from(only), BLOCK_BITS);
            return Pointer { block, offset };
        }
        if let Some(&block) = state.latest.get(&id) {
            return Pointer { block, offset };
        }
        self.doubt(state.guard, "the address of an object before its scope");
        let block = self.fresh("unborn", Sort::BitVector(BLOCK_BITS));
        self.bound_block(block);
        Pointer { block, offset }
    }

    pub(crate) fn code_address(&mut self, function: FunctionId) -> Pointer {
        let id = self.object(&ObjectKey::Code(function));
        let only = self.objects[id].only.expect("a function has an address");
        let block = self.terms.bit_vector(u128::from(only), BLOCK_BITS);
        Pointer { block, offset: self.offset_term(0) }
    }

    pub(crate) fn log(&mut self, state: &mut State, event: Event) {
        let entry = self.entries.len();
        self.entries.push((state.guard, event));
        std::rc::Rc::make_mut(&mut state.log).push(Logged { entry, is_sure: true });
    }
}
