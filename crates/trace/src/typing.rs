//! What heap blocks are: C does not say so where they are made, but the pointers to them have types.
//!
//! The first variable or field of a known type that points to the start of a block gives its type; a
//! record counts for more than a scalar, since `char *` may point to anything.

use std::collections::BTreeMap;

use heapwright_memory::{BlockKind, Origin};
use heapwright_program::{Program, ScalarType, Type, TypeId};

use crate::capture::{RawBlock, RawState, RawValue};
use crate::decode::leaves;

/// So many of a type, one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockType {
    pub(crate) ty: TypeId,
    pub(crate) count: u64,
}

/// The types of blocks by their serials.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typing {
    types: BTreeMap<u64, BlockType>,
}

impl Typing {
    pub(crate) fn of(program: &Program, states: &[&RawState]) -> Typing {
        let mut typing = Typing::default();
        for state in states {
            typing.learn_objects(program, state);
            typing.learn_from_variables(program, state);
            // Ends because each round types a block that had no type, or no record.
            while typing.learn_from_fields(program, state) {}
        }
        typing
    }

    pub(crate) fn get(&self, serial: u64) -> Option<BlockType> {
        self.types.get(&serial).copied()
    }

    fn learn_objects(&mut self, program: &Program, state: &RawState) {
        for block in &state.blocks {
            if let Origin::Object(object) = block.origin {
                let ty = program.objects[object].ty;
                self.types.entry(block.serial).or_insert(BlockType { ty, count: 1 });
            }
        }
    }

    fn learn_from_variables(&mut self, program: &Program, state: &RawState) {
        let locals = state.frames.iter().rev().flat_map(|frame| &frame.variables);
        for (id, value) in locals.chain(&state.globals) {
            self.learn(program, state, program.variables[*id].ty, *value);
        }
    }

    /// Whether something was learnt.
    fn learn_from_fields(&mut self, program: &Program, state: &RawState) -> bool {
        let mut has_learnt = false;
        for block in &state.blocks {
            let Some(known) = self.get(block.serial) else { continue };
            for leaf in leaves(program, known, block.size) {
                if let Some(value) = block.pointers.get(&leaf.offset) {
                    has_learnt |= self.learn(program, state, leaf.ty, *value);
                }
            }
        }
        has_learnt
    }

    /// A value of type `pointer` is held somewhere.
    fn learn(
        &mut self,
        program: &Program,
        state: &RawState,
        pointer: TypeId,
        value: RawValue,
    ) -> bool {
        let RawValue::Pointer { block, offset: 0 } = value else { return false };
        let Type::Pointer(pointee) = program.types.get(pointer) else { return false };
        let Some(target) = state.blocks.iter().find(|known| known.serial == block) else {
            return false;
        };
        let Some(found) = fitting(program, *pointee, target) else { return false };
        let is_better = match self.get(block) {
            None => true,
            Some(known) => !is_record(program, known.ty) && is_record(program, found.ty),
        };
        if is_better {
            self.types.insert(block, found);
        }
        is_better
    }
}

fn is_record(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Record(_))
}

/// The block as one or several of a type, if it has room for one.
fn fitting(program: &Program, ty: TypeId, block: &RawBlock) -> Option<BlockType> {
    if block.kind != BlockKind::Heap && block.origin != Origin::Anonymous {
        return None;
    }
    let size = program.types.size(ty, program.model).filter(|size| *size > 0)?;
    if size > block.size {
        return None;
    }
    let count = if block.size.is_multiple_of(size) { block.size / size } else { 1 };
    let is_shown = match program.types.get(ty) {
        Type::Record(_) | Type::Scalar(_) | Type::Pointer(_) | Type::Array { .. } => true,
        Type::Void | Type::Function { .. } | Type::Opaque(_) => false,
    };
    is_shown.then_some(BlockType { ty, count })
}

/// `struct node`, `struct node[4]`, `char[32]`
pub(crate) fn type_name(program: &Program, block: BlockType) -> String {
    let name = c_type(program, block.ty);
    if block.count > 1 { format!("{name}[{}]", block.count) } else { name }
}

/// A type as C writes it, with whatever it is an array of in front.
fn c_type(program: &Program, ty: TypeId) -> String {
    use heapwright_program::{FloatFormat, RecordKind};
    match program.types.get(ty) {
        Type::Void => "void".to_owned(),
        Type::Scalar(ScalarType::Bool) => "_Bool".to_owned(),
        Type::Scalar(ScalarType::Integer { signed, width }) => {
            let is_lp64 = program.model.pointer_size() == 8;
            let name = match width {
                8 => "char",
                16 => "short",
                32 => "int",
                64 if is_lp64 => "long",
                64 => "long long",
                _ => "__int128",
            };
            if *signed { name.to_owned() } else { format!("unsigned {name}") }
        }
        Type::Scalar(ScalarType::Float(format)) => match format {
            FloatFormat::Single => "float",
            FloatFormat::Double => "double",
            FloatFormat::Extended => "long double",
            FloatFormat::Quadruple => "_Float128",
        }
        .to_owned(),
        Type::Scalar(ScalarType::Pointer) => "void *".to_owned(),
        Type::Pointer(pointee) => match program.types.get(*pointee) {
            Type::Function { .. } => "function *".to_owned(),
            _ => format!("{} *", c_type(program, *pointee)),
        },
        Type::Array { element, length } => {
            let length = length.map_or(String::new(), |length| length.to_string());
            format!("{}[{length}]", c_type(program, *element))
        }
        Type::Record(record) => {
            let record = program.types.record(*record);
            let word = match record.kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            format!("{word} {}", record.name)
        }
        Type::Function { .. } => "function".to_owned(),
        Type::Opaque(name) => name.clone(),
    }
}
