//! Accesses to memory, allocation and `free`.

use std::ops::Range;

use heapwright_graph_text::{Block, MOST_WORDS, Root, State, Target, Targets};
use heapwright_program::{Access, ExpressionId, ObjectKind, Storage, VariableId};
use heapwright_property::Part;

use crate::alarm::Doubt;
use crate::step::{Stepped, Stepper};
use crate::value::Value;

const INVALID: Doubt = Doubt::Violation(Part::ValidDeref);

/// What is done with the bytes of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write { initialises: bool },
}

/// Bytes that may be accessed.
struct Bytes {
    block: Block,
    range: Range<u64>,
}

impl Stepper<'_> {
    pub(super) fn load(&self, state: State, into: VariableId, access: &Access) -> Stepped {
        let bytes = self.accessed(&state, access, Use::Read)?;
        if !access.ty.is_pointer() || !self.is_word(bytes.range.start) {
            return Ok(vec![self.with(state, into, Value::Anything)]);
        }
        let offset = bytes.range.start;
        match bytes.block {
            Block::Object(object) => {
                let root = Root::Word(object, offset);
                let read = |state: State| {
                    let value = state.held(root).map_or(Value::Anything, Value::Pointer);
                    self.with(state, into, value)
                };
                Ok(state.settled(root).into_iter().map(read).collect())
            }
            Block::Node(node) => {
                let Some(targets) = state.graph.nodes[node].words.get(&offset) else {
                    return Ok(vec![self.with(state, into, Value::Anything)]);
                };
                // One state for each place that the link may lead to.
                let read = |target: &Target| {
                    let mut state = state.clone();
                    let target = state.graph.follow(node, offset, *target);
                    self.with(state, into, Value::Pointer(target))
                };
                Ok(targets.iter().map(read).collect())
            }
        }
    }

    pub(super) fn store(&self, mut state: State, access: &Access, value: ExpressionId) -> Stepped {
        let usage = Use::Write { initialises: access.initialises };
        let bytes = self.accessed(&state, access, usage)?;
        let value = self.value(&state, value);
        let target = value.target().filter(|_| access.ty.is_pointer());
        self.write(&mut state, &bytes, &|_| target.map(|target| Targets::from([target])));
        Ok(vec![state])
    }

    pub(super) fn copy(
        &self,
        mut state: State,
        (target, initialises): (ExpressionId, bool),
        source: ExpressionId,
        size: ExpressionId,
    ) -> Stepped {
        let size = self.known_size(&state, size)?;
        let into = self.bytes(&state, target, size, Use::Write { initialises })?;
        let from = self.bytes(&state, source, size, Use::Read)?;
        let before = state.clone();
        let held = |word: u64| match from.block {
            Block::Object(object) => {
                before.graph.roots.get(&Root::Word(object, from.range.start + word)).cloned()
            }
            Block::Node(node) => {
                before.graph.nodes[node].words.get(&(from.range.start + word)).cloned()
            }
        };
        self.write(&mut state, &into, &held);
        Ok(vec![state])
    }

    pub(super) fn fill(
        &self,
        mut state: State,
        (target, initialises): (ExpressionId, bool),
        byte: ExpressionId,
        size: ExpressionId,
    ) -> Stepped {
        let size = self.known_size(&state, size)?;
        let into = self.bytes(&state, target, size, Use::Write { initialises })?;
        let is_zero = self.value(&state, byte).number().is_some_and(|byte| byte & 0xff == 0);
        self.write(&mut state, &into, &|_| is_zero.then(|| Targets::from([Target::Null])));
        Ok(vec![state])
    }

    pub(super) fn disjoint(
        &self,
        state: State,
        ranges: [ExpressionId; 2],
        size: ExpressionId,
    ) -> Stepped {
        let size = self.known_size(&state, size)?;
        let [left, right] = ranges.map(|it| self.value(&state, it).target());
        let places = left.and_then(Target::place).zip(right.and_then(Target::place));
        let are_apart = places.is_some_and(|((one, left), (other, right))| {
            one != other || left == right || left.abs_diff(right) >= size
        });
        // Bytes of different blocks are never the same, if they are bytes of these blocks at all.
        let are_within = ranges.iter().all(|it| self.bytes(&state, *it, size, Use::Read).is_ok());
        if are_apart && are_within { Ok(vec![state]) } else { Err(INVALID) }
    }

    pub(super) fn allocate(
        &self,
        state: State,
        into: VariableId,
        (storage, size, zeroed): (Storage, ExpressionId, bool),
    ) -> Stepped {
        match storage {
            Storage::Heap => {}
            Storage::Alloca => {
                return Err(Doubt::not_carried("memory of `alloca`, arrays of variable size"));
            }
            Storage::Permanent => return Err(Doubt::not_carried("memory of the environment")),
        }
        // Of a block whose size is not known, no byte may be accessed.
        let size = self.value(&state, size).number().and_then(|it| u64::try_from(it).ok());
        let mut next = state.clone();
        let node = next.graph.allocate(size.unwrap_or(0), zeroed.then(|| self.width()));
        let mut found =
            vec![self.with(next, into, Value::Pointer(Target::In(Block::Node(node), 0)))];
        if self.task.malloc_may_fail {
            found.push(self.with(state, into, Value::Pointer(Target::Null)));
        }
        Ok(found)
    }

    pub(super) fn free(&self, mut state: State, address: ExpressionId) -> Stepped {
        match self.value(&state, address).target() {
            // `free(0)` is allowed.
            Some(Target::Null) => {}
            Some(Target::In(Block::Node(node), 0)) => state.graph.release(node),
            Some(Target::In(..) | Target::Wild | Target::Function(_)) | None => {
                return Err(Doubt::Violation(Part::ValidFree));
            }
        }
        Ok(vec![state])
    }

    fn width(&self) -> u64 {
        self.program().model.pointer_size()
    }

    /// Whether what is held at this offset is known at times: pointers elsewhere overlap in part.
    fn is_word(&self, offset: u64) -> bool {
        offset.is_multiple_of(self.width()) && offset / self.width() < MOST_WORDS
    }

    fn known_size(&self, state: &State, size: ExpressionId) -> Result<u64, Doubt> {
        let size = self.value(state, size).number().and_then(|it| u64::try_from(it).ok());
        size.ok_or(Doubt::not_carried("a range of bytes whose size is not known"))
    }

    fn accessed(&self, state: &State, access: &Access, usage: Use) -> Result<Bytes, Doubt> {
        let size = match access.bits {
            Some(bits) => bits.bytes(),
            None => access.ty.size(self.program().model),
        };
        self.bytes(state, access.address, size, usage)
    }

    /// The bytes that a pointer leads to, all of them within a live block.
    fn bytes(
        &self,
        state: &State,
        address: ExpressionId,
        size: u64,
        usage: Use,
    ) -> Result<Bytes, Doubt> {
        let place = self.value(state, address).target().and_then(Target::place);
        let (block, offset) = place.ok_or(INVALID)?;
        let limit = match block {
            Block::Node(node) => state.graph.nodes[node].size,
            Block::Object(object) => {
                let item = &self.program().objects[object];
                let is_literal = matches!(item.kind, ObjectKind::String { .. });
                let is_alive = item.kind != ObjectKind::Local || state.objects.contains(&object);
                let is_allowed = match usage {
                    Use::Read => true,
                    Use::Write { initialises } => !is_literal && (!item.is_constant || initialises),
                };
                item.size.filter(|_| is_alive && is_allowed).ok_or(INVALID)?
            }
        };
        let start = u64::try_from(offset).map_err(|_| INVALID)?;
        match start.checked_add(size) {
            Some(end) if end <= limit => Ok(Bytes { block, range: start..end }),
            Some(_) | None => Err(INVALID),
        }
    }

    /// Writes bytes: words that they are a part of may hold anything, whole words what is given for their
    /// distance from the first byte.
    fn write(&self, state: &mut State, bytes: &Bytes, held: &dyn Fn(u64) -> Option<Targets>) {
        let (Range { start, end }, width) = (bytes.range.clone(), self.width());
        let is_touched = |word: u64| word < end && start < word + width;
        let whole = (0..(end - start) / width).take(MOST_WORDS as usize).map(|it| it * width);
        let known =
            whole.filter(|by| self.is_word(start + by)).filter_map(|by| Some((by, held(by)?)));
        match bytes.block {
            Block::Node(node) => {
                state.graph.nodes[node].words.retain(|word, _| !is_touched(*word));
                for (by, held) in known {
                    state.graph.store(node, start + by, held);
                }
            }
            Block::Object(object) => {
                state.graph.roots.retain(|root, _| match root {
                    Root::Word(of, word) => *of != object || !is_touched(*word),
                    Root::Variable(_) => true,
                });
                let held = known.map(|(by, held)| (Root::Word(object, start + by), held));
                state.graph.roots.extend(held);
            }
        }
    }
}
