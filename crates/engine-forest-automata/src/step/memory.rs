//! Accesses to memory, allocation and `free`.

use heapwright_base::DenseId;
use heapwright_forest_text::{Base, BlockId, Body, Cell, Cells, Forest, Value, read, write};
use heapwright_program::{
    Access, ExpressionId, ObjectId, ObjectKind, ScalarType, Storage, VariableId,
};
use heapwright_property::Part;

use crate::alarm::Doubt;
use crate::step::{Obstacle, Stepped, Stepper, alloca};
use crate::value::{Held, number};

const INVALID: Obstacle = Obstacle::Doubt(Doubt::Violation(Part::ValidDeref));

/// What is done with the bytes of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write { initialises: bool },
}

/// What memory an access is to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Block(BlockId),
    Object(ObjectId),
}

/// Bytes that may be accessed.
#[derive(Clone, Copy)]
struct Bytes {
    owner: Owner,
    start: u64,
    size: u64,
}

impl Stepper<'_> {
    pub(super) fn load(&self, forest: Forest, into: VariableId, access: &Access) -> Stepped {
        let bytes = self.accessed(&forest, access, Use::Read)?;
        let held = match access.bits {
            Some(_) => Value::Any,
            None => read(cells(&forest, bytes.owner), bytes.start, bytes.size),
        };
        let value = match held {
            Value::To(Base::Up(block, _), _) if access.ty.is_pointer() => {
                return Err(Obstacle::Told(block));
            }
            _ => self.as_type(held, access.ty),
        };
        Ok(vec![self.with(forest, into, value)])
    }

    /// What is read or written as a type; pointers are not read as numbers.
    fn as_type(&self, value: Held, ty: ScalarType) -> Held {
        let model = self.program().model;
        let is_number = match ty {
            ScalarType::Pointer => return value,
            ScalarType::Bool => matches!(value, Value::Bits(0 | 1)),
            ScalarType::Integer { .. } => {
                number(value).is_some() && u64::from(ty.value_bits(model)) == 8 * ty.size(model)
            }
            ScalarType::Float(_) => false,
        };
        if is_number { value } else { Value::Any }
    }

    pub(super) fn store(
        &self,
        mut forest: Forest,
        access: &Access,
        value: ExpressionId,
    ) -> Stepped {
        let usage = Use::Write { initialises: access.initialises };
        let bytes = self.accessed(&forest, access, usage)?;
        let value = match access.bits {
            Some(_) => Value::Any,
            None => self.as_type(self.value(&forest, value), access.ty),
        };
        write(cells_mut(&mut forest, bytes.owner), bytes.start, bytes.size, value);
        if let Owner::Block(block) = bytes.owner
            && let Some(Body::Open { sort: sort @ 0, .. }) = forest.blocks.get_mut(&block)
        {
            // The type by which C writes it first.
            let root = self.program().paths[access.path].root;
            *sort = u32::try_from(root.index()).map_or(0, |root| root + 1);
        }
        Ok(vec![forest])
    }

    pub(super) fn copy(
        &self,
        mut forest: Forest,
        (target, initialises): (ExpressionId, bool),
        source: ExpressionId,
        size: ExpressionId,
    ) -> Stepped {
        let size = self.known_size(&forest, size)?;
        let into = self.bytes(&forest, target, size, Use::Write { initialises })?;
        let from = self.bytes(&forest, source, size, Use::Read)?;
        let end = from.start + size;
        let mut copied: Vec<(u64, Cell<Held>)> = Vec::new();
        for (start, cell) in cells(&forest, from.owner) {
            let (first, last) = ((*start).max(from.start), (start + cell.width).min(end));
            let is_whole = first == *start && last == start + cell.width;
            if first >= last || !is_whole && cell.holds != Value::NULL {
                continue;
            }
            if let Value::To(Base::Up(block, _), _) = cell.holds {
                return Err(Obstacle::Told(block));
            }
            copied.push((first - from.start, Cell { width: last - first, holds: cell.holds }));
        }
        let into_cells = cells_mut(&mut forest, into.owner);
        write(into_cells, into.start, size, Value::Any);
        into_cells.extend(copied.into_iter().map(|(offset, cell)| (into.start + offset, cell)));
        Ok(vec![forest])
    }

    pub(super) fn fill(
        &self,
        mut forest: Forest,
        (target, initialises): (ExpressionId, bool),
        byte: ExpressionId,
        size: ExpressionId,
    ) -> Stepped {
        let size = self.known_size(&forest, size)?;
        let into = self.bytes(&forest, target, size, Use::Write { initialises })?;
        let is_zero = number(self.value(&forest, byte)).is_some_and(|byte| byte & 0xff == 0);
        let value = if is_zero { Value::NULL } else { Value::Any };
        write(cells_mut(&mut forest, into.owner), into.start, size, value);
        Ok(vec![forest])
    }

    pub(super) fn disjoint(
        &self,
        forest: Forest,
        [left, right]: [ExpressionId; 2],
        size: ExpressionId,
    ) -> Stepped {
        let size = self.known_size(&forest, size)?;
        let left = self.bytes(&forest, left, size, Use::Read)?;
        let right = self.bytes(&forest, right, size, Use::Read)?;
        let by = left.start.abs_diff(right.start);
        let are_apart = left.owner != right.owner || by == 0 || by >= size;
        if are_apart { Ok(vec![forest]) } else { Err(INVALID) }
    }

    pub(super) fn allocate(
        &self,
        forest: Forest,
        into: VariableId,
        (storage, size, zeroed): (Storage, ExpressionId, bool),
    ) -> Stepped {
        match storage {
            Storage::Heap => {}
            Storage::Alloca => return Err(alloca().into()),
            Storage::Permanent => {
                return Err(Doubt::not_carried("memory of the environment").into());
            }
        }
        let size = number(self.value(&forest, size)).and_then(|it| u64::try_from(it).ok());
        let Some(size) = size.filter(|size| *size > 0) else {
            return Err(Doubt::not_carried("a block of unknown size, or of no bytes").into());
        };
        let mut next = forest.clone();
        let mut cells = Cells::new();
        if zeroed {
            write(&mut cells, 0, size, Value::NULL);
        }
        let block = next.fresh();
        next.blocks.insert(block, Body::Open { size, sort: 0, cells });
        let mut found = vec![self.with(next, into, Value::To(Base::Block(block), 0))];
        if self.task.malloc_may_fail {
            found.push(self.with(forest, into, Value::NULL));
        }
        Ok(found)
    }

    pub(super) fn free(&self, mut forest: Forest, address: ExpressionId) -> Stepped {
        match self.value(&forest, address) {
            // `free(0)` is allowed.
            Value::Bits(0) => {}
            Value::To(Base::Block(block), 0) => {
                if matches!(forest.blocks[&block], Body::Closed { .. }) {
                    return Err(Obstacle::Closed(block));
                }
                if forest.holder(block).is_some() {
                    return Err(Obstacle::Told(block));
                }
                forest.blocks.remove(&block);
                forest.substitute(|base| match base {
                    Base::Block(it) if it == block => Value::Any,
                    Base::Block(_) | Base::Up(..) => Value::To(base, 0),
                });
            }
            Value::Any
            | Value::Bits(_)
            | Value::Object(..)
            | Value::Function(_)
            | Value::To(..) => {
                return Err(Doubt::Violation(Part::ValidFree).into());
            }
        }
        Ok(vec![forest])
    }

    fn known_size(&self, forest: &Forest, size: ExpressionId) -> Result<u64, Obstacle> {
        let size = number(self.value(forest, size)).and_then(|it| u64::try_from(it).ok());
        size.ok_or(Doubt::not_carried("a range of bytes whose size is not known").into())
    }

    fn accessed(&self, forest: &Forest, access: &Access, usage: Use) -> Result<Bytes, Obstacle> {
        let size = match access.bits {
            Some(bits) => bits.bytes(),
            None => access.ty.size(self.program().model),
        };
        self.bytes(forest, access.address, size, usage)
    }

    /// The bytes that a pointer leads to, all of them within a live block, which is open.
    fn bytes(
        &self,
        forest: &Forest,
        address: ExpressionId,
        size: u64,
        usage: Use,
    ) -> Result<Bytes, Obstacle> {
        let (owner, offset, limit) = match self.value(forest, address) {
            Value::To(Base::Block(block), offset) => {
                (Owner::Block(block), offset, forest.blocks[&block].size())
            }
            Value::Object(object, offset) => {
                let item = &self.program().objects[object];
                let is_literal = matches!(item.kind, ObjectKind::String { .. });
                let is_alive =
                    item.kind != ObjectKind::Local || forest.objects.contains_key(&object);
                let is_allowed = match usage {
                    Use::Read => true,
                    Use::Write { initialises } => !is_literal && (!item.is_constant || initialises),
                };
                let limit = item.size.filter(|_| is_alive && is_allowed).ok_or(INVALID)?;
                (Owner::Object(object), offset, limit)
            }
            Value::Any | Value::Bits(_) | Value::Function(_) | Value::To(Base::Up(..), _) => {
                return Err(INVALID);
            }
        };
        let start = u64::try_from(offset).map_err(|_| INVALID)?;
        match start.checked_add(size) {
            Some(end) if end <= limit => {}
            Some(_) | None => return Err(INVALID),
        }
        match owner {
            Owner::Block(block) if matches!(forest.blocks[&block], Body::Closed { .. }) => {
                Err(Obstacle::Closed(block))
            }
            Owner::Block(_) | Owner::Object(_) => Ok(Bytes { owner, start, size }),
        }
    }
}

/// What is known of the cells of an open block or an object.
fn cells(forest: &Forest, owner: Owner) -> &Cells {
    match owner {
        Owner::Block(block) => match &forest.blocks[&block] {
            Body::Open { cells, .. } => cells,
            Body::Closed { .. } => panic!("{block} is closed"),
        },
        Owner::Object(object) => forest.objects.get(&object).unwrap_or(NOTHING),
    }
}

const NOTHING: &Cells = &Cells::new();

fn cells_mut(forest: &mut Forest, owner: Owner) -> &mut Cells {
    match owner {
        Owner::Block(block) => match forest.blocks.get_mut(&block) {
            Some(Body::Open { cells, .. }) => cells,
            Some(Body::Closed { .. }) | None => panic!("{block} is not open"),
        },
        Owner::Object(object) => forest.objects.entry(object).or_default(),
    }
}
