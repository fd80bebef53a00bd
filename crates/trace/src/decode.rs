//! Bytes to fields: a captured state with the names of its types.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_memory::{BlockKind, Origin};
use heapwright_program::{BitRange, FloatFormat, Place, Program, ScalarType, Type, TypeId};

use crate::capture::{RawBlock, RawState, RawValue};
use crate::source::{Excerpt, Sources};
use crate::state::{Block, Cell, Frame, Life, State, Storage, Value, Variable};
use crate::step::Span;
use crate::typing::{BlockType, Typing, type_name};

/// Elements of an array that are listed one by one.
const MOST_ELEMENTS: u64 = 64;

/// A scalar within a block.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) ty: TypeId,
    pub(crate) bits: Option<BitRange>,
}

/// The scalars of a block of so many bytes, in their order.
pub(crate) fn leaves(program: &Program, block: BlockType, size: u64) -> Vec<Leaf> {
    let mut found = Vec::new();
    if block.count == 1 {
        add_leaves(program, block.ty, 0, String::new(), size, &mut found);
    } else {
        let step = program.types.size(block.ty, program.model).unwrap_or(1);
        for index in 0..block.count.min(MOST_ELEMENTS) {
            let name = format!("[{index}]");
            add_leaves(program, block.ty, index * step, name, size, &mut found);
        }
    }
    found
}

fn add_leaves(
    program: &Program,
    ty: TypeId,
    offset: u64,
    name: String,
    end: u64,
    found: &mut Vec<Leaf>,
) {
    match program.types.get(ty) {
        Type::Scalar(_) | Type::Pointer(_) => {
            let size = program.types.size(ty, program.model).unwrap_or(0);
            if offset + size <= end {
                let name = if name.is_empty() { "value".to_owned() } else { name };
                found.push(Leaf { name, offset, size, ty, bits: None });
            }
        }
        Type::Record(record) => {
            for field in &program.types.record(*record).fields {
                let name = joined(&name, &field.name);
                let offset = offset + field.offset;
                match field.bits {
                    Some(bits) if offset + bits.bytes() <= end => {
                        let size = bits.bytes();
                        found.push(Leaf { name, offset, size, ty: field.ty, bits: Some(bits) });
                    }
                    Some(_) => {}
                    None => add_leaves(program, field.ty, offset, name, end, found),
                }
            }
        }
        Type::Array { element, length } => {
            let step = program.types.size(*element, program.model).unwrap_or(0).max(1);
            let fitting = end.saturating_sub(offset) / step;
            let count = length.unwrap_or(fitting).min(fitting);
            for index in 0..count.min(MOST_ELEMENTS) {
                let name = format!("{name}[{index}]");
                add_leaves(program, *element, offset + index * step, name, end, found);
            }
        }
        Type::Void | Type::Function { .. } | Type::Opaque(_) => {}
    }
}

fn joined(outer: &str, name: &str) -> String {
    match (outer, name) {
        ("", name) => name.to_owned(),
        (outer, "") => outer.to_owned(),
        (outer, name) => format!("{outer}.{name}"),
    }
}

/// Gives captured states their names, one after the other.
pub(crate) struct Decoder<'p> {
    pub(crate) program: &'p Program,
    pub(crate) typing: Typing,
    /// Heap blocks are numbered in the order in which they were made.
    pub(crate) numbers: BTreeMap<u64, usize>,
    /// Blocks that are shown whatever their state.
    pub(crate) kept: BTreeSet<u64>,
    known: BTreeMap<*const RawBlock, (Arc<RawBlock>, Arc<Block>)>,
}

impl<'p> Decoder<'p> {
    pub(crate) fn new(
        program: &'p Program,
        states: &[&RawState],
        kept: BTreeSet<u64>,
    ) -> Decoder<'p> {
        let typing = Typing::of(program, states);
        let mut numbers = BTreeMap::new();
        for block in states.iter().flat_map(|state| &state.blocks) {
            if block.kind == BlockKind::Heap {
                let next = numbers.len() + 1;
                numbers.entry(block.serial).or_insert(next);
            }
        }
        Decoder { program, typing, numbers, kept, known: BTreeMap::new() }
    }

    pub(crate) fn state(&mut self, raw: &RawState, sources: &mut Sources) -> State {
        let dead: BTreeSet<u64> = raw
            .blocks
            .iter()
            .filter(|block| block.life != heapwright_memory::Life::Alive)
            .map(|block| block.serial)
            .collect();
        let variable = |(id, value): &(_, RawValue)| {
            let variable: &heapwright_program::Variable = &self.program.variables[*id];
            Variable {
                name: plain_name(&variable.name),
                value: self.value(*value, variable.ty, &dead),
            }
        };
        let frames = raw.frames.iter().map(|frame| Frame {
            function: self.program.functions[frame.function].name.clone(),
            place: span(self.program, frame.place, Excerpt::Chain(None), sources),
            variables: frame.variables.iter().map(variable).collect(),
        });
        let (frames, globals) =
            (frames.collect(), raw.globals.iter().map(variable).collect::<Vec<_>>());
        let pointed = pointed_blocks(raw);
        let is_shown = |block: &&Arc<RawBlock>| {
            let is_dead = dead.contains(&block.serial);
            let is_pointed = pointed.contains(&block.serial) || self.kept.contains(&block.serial);
            match block.kind {
                BlockKind::Heap | BlockKind::Stack | BlockKind::Static => !is_dead || is_pointed,
                BlockKind::String => is_pointed,
                BlockKind::Function => false,
            }
        };
        let shown: Vec<Arc<RawBlock>> = raw.blocks.iter().filter(is_shown).cloned().collect();
        let blocks = shown.iter().map(|block| self.block(block, &dead, sources)).collect();
        State { frames, globals, blocks }
    }

    fn block(
        &mut self,
        raw: &Arc<RawBlock>,
        dead: &BTreeSet<u64>,
        sources: &mut Sources,
    ) -> Arc<Block> {
        // A pointer in it may dangle by now, though the block itself is as it was.
        let dangles = |value: &RawValue| matches!(value, RawValue::Pointer { block, .. } if dead.contains(block));
        let is_stable = !raw.pointers.values().any(dangles);
        let key = Arc::as_ptr(raw);
        if let Some((_, block)) = self.known.get(&key).filter(|_| is_stable) {
            return Arc::clone(block);
        }
        let block = Arc::new(self.decoded(raw, dead, sources));
        if is_stable {
            self.known.insert(key, (Arc::clone(raw), Arc::clone(&block)));
        }
        block
    }

    fn decoded(&self, raw: &RawBlock, dead: &BTreeSet<u64>, sources: &mut Sources) -> Block {
        let known = self.typing.get(raw.serial);
        let program = self.program;
        Block {
            serial: raw.serial,
            name: self.block_name(raw),
            ty: known.map(|known| type_name(program, known)),
            storage: match raw.kind {
                BlockKind::Heap => Storage::Heap,
                BlockKind::Stack => Storage::Stack,
                BlockKind::Static | BlockKind::Function => Storage::Static,
                BlockKind::String => Storage::String,
            },
            life: match raw.life {
                heapwright_memory::Life::Alive => Life::Alive,
                heapwright_memory::Life::Freed => Life::Freed,
                heapwright_memory::Life::OutOfScope => Life::OutOfScope,
            },
            size: raw.size,
            cells: match known {
                Some(known) => self.cells(raw, known, dead),
                None => self.words(raw, dead),
            },
            allocated: span(program, raw.allocated, Excerpt::Chain(None), sources),
            released: raw
                .released
                .and_then(|place| span(program, place, Excerpt::Chain(None), sources)),
        }
    }

    /// `node #3`, `block #3`, `buffer`
    fn block_name(&self, raw: &RawBlock) -> String {
        match (raw.origin, self.numbers.get(&raw.serial)) {
            (_, Some(number)) => {
                let record = self.typing.get(raw.serial).map(|known| known.ty);
                let record = record.map(|ty| self.program.types.get(ty));
                match record {
                    Some(Type::Record(id)) => {
                        format!("{} #{number}", self.program.types.record(*id).name)
                    }
                    Some(_) | None => format!("block #{number}"),
                }
            }
            (Origin::Object(_), None) if raw.kind == BlockKind::String => "string".to_owned(),
            (Origin::Object(id), None) => plain_name(&self.program.objects[id].name),
            (Origin::Function(_) | Origin::Anonymous, None) => "stack memory".to_owned(),
        }
    }

    fn cells(&self, raw: &RawBlock, known: BlockType, dead: &BTreeSet<u64>) -> Vec<Cell> {
        let text = text_of(self.program, raw, known);
        if let Some(text) = text {
            let value = Value::Number { text };
            return vec![Cell { name: "text".to_owned(), offset: 0, size: raw.size, value }];
        }
        let cell = |leaf: Leaf| Cell {
            value: self.leaf_value(raw, &leaf, dead),
            name: leaf.name,
            offset: leaf.offset,
            size: leaf.size,
        };
        leaves(self.program, known, raw.size).into_iter().map(cell).collect()
    }

    /// A block without a type: its words that have a value.
    fn words(&self, raw: &RawBlock, dead: &BTreeSet<u64>) -> Vec<Cell> {
        let width = self.program.model.pointer_size();
        let word = |offset: u64| {
            let size = width.min(raw.size - offset);
            let value = match raw.pointers.get(&offset) {
                Some(value) => self.pointer(*value, dead),
                None => {
                    let bits = bits_at(raw, offset, size)?;
                    let text = if bits < 10 { bits.to_string() } else { format!("{bits:#x}") };
                    Value::Number { text }
                }
            };
            Some(Cell { name: format!("+{offset}"), offset, size, value })
        };
        (0..raw.size.min(MOST_ELEMENTS * width)).step_by(width as usize).filter_map(word).collect()
    }

    fn leaf_value(&self, raw: &RawBlock, leaf: &Leaf, dead: &BTreeSet<u64>) -> Value {
        if let Some(value) = raw.pointers.get(&leaf.offset).filter(|_| leaf.bits.is_none()) {
            return self.pointer(*value, dead);
        }
        let Some(bits) = bits_at(raw, leaf.offset, leaf.size) else { return Value::Uninitialised };
        match leaf.bits {
            None => self.value(RawValue::Bits(bits), leaf.ty, dead),
            Some(range) => {
                let value = bits >> range.offset & ((1 << range.width) - 1);
                let scalar = self.program.types.scalar(leaf.ty);
                let is_negative = scalar.is_some_and(ScalarType::is_signed)
                    && value >> (range.width - 1) & 1 == 1;
                let value = value as i128 - if is_negative { 1 << range.width } else { 0 };
                Value::Number { text: value.to_string() }
            }
        }
    }

    pub(crate) fn value(&self, raw: RawValue, ty: TypeId, dead: &BTreeSet<u64>) -> Value {
        let bits = match raw {
            RawValue::Bits(bits) => bits,
            RawValue::Pointer { .. } | RawValue::Function(_) | RawValue::Uninitialised => {
                return self.pointer(raw, dead);
            }
        };
        match self.program.types.scalar(ty) {
            Some(ScalarType::Pointer) => self.pointer(raw, dead),
            Some(scalar) => Value::Number { text: number(scalar, bits) },
            None => Value::Number { text: bits.to_string() },
        }
    }

    fn pointer(&self, raw: RawValue, dead: &BTreeSet<u64>) -> Value {
        match raw {
            RawValue::Bits(0) => Value::Null,
            RawValue::Bits(bits) => Value::Address { text: format!("{bits:#x}") },
            RawValue::Pointer { block, offset } if dead.contains(&block) => {
                Value::Dangling { block, offset }
            }
            RawValue::Pointer { block, offset } => Value::Pointer { block, offset },
            RawValue::Function(id) => {
                Value::Function { name: self.program.functions[id].name.clone() }
            }
            RawValue::Uninitialised => Value::Uninitialised,
        }
    }
}

/// Blocks that something points to.
fn pointed_blocks(raw: &RawState) -> BTreeSet<u64> {
    let locals = raw.frames.iter().flat_map(|frame| &frame.variables);
    let variables = locals.chain(&raw.globals).map(|(_, value)| value);
    let alive = raw.blocks.iter().filter(|block| block.life == heapwright_memory::Life::Alive);
    let cells = alive.flat_map(|block| block.pointers.values());
    let target = |value: &RawValue| match value {
        RawValue::Pointer { block, .. } => Some(*block),
        RawValue::Bits(_) | RawValue::Function(_) | RawValue::Uninitialised => None,
    };
    variables.chain(cells).filter_map(target).collect()
}

fn bits_at(raw: &RawBlock, offset: u64, size: u64) -> Option<u128> {
    let bytes = raw.bytes.get(offset as usize..(offset + size) as usize)?;
    let shifted = bytes.iter().enumerate().take(16);
    shifted.map(|(index, byte)| byte.map(|byte| u128::from(byte) << (8 * index))).sum()
}

/// Characters in quotes, where a block is an array of them and has some.
fn text_of(program: &Program, raw: &RawBlock, known: BlockType) -> Option<String> {
    let element = match program.types.get(known.ty) {
        Type::Array { element, .. } if known.count == 1 => *element,
        _ if known.count > 1 => known.ty,
        _ => return None,
    };
    let scalar = program.types.scalar(element)?;
    if !matches!(scalar, ScalarType::Integer { width: 8, .. }) {
        return None;
    }
    let bytes: Vec<u8> = raw.bytes.iter().map_while(|byte| *byte).collect();
    let end = bytes.iter().position(|byte| *byte == 0);
    let text = &bytes[..end.unwrap_or(bytes.len())];
    let is_plain = !text.is_empty() && text.iter().all(|byte| (b' '..0x7f).contains(byte));
    let tail = if end.is_none() { " …" } else { "" };
    is_plain.then(|| format!("\"{}\"{tail}", String::from_utf8_lossy(text)))
}

/// A number as C prints it.
pub(crate) fn number(scalar: ScalarType, bits: u128) -> String {
    match scalar {
        ScalarType::Bool => (bits & 1).to_string(),
        ScalarType::Integer { signed, width } => {
            let shift = 128 - u32::from(width);
            let value = if signed {
                ((bits << shift) as i128 >> shift).to_string()
            } else {
                (bits << shift >> shift).to_string()
            };
            match u8::try_from(bits & 0xff) {
                Ok(byte) if width == 8 && (b' '..0x7f).contains(&byte) => {
                    format!("{value} '{}'", byte as char)
                }
                Ok(_) | Err(_) => value,
            }
        }
        ScalarType::Float(FloatFormat::Single) => f32::from_bits(bits as u32).to_string(),
        ScalarType::Float(FloatFormat::Double) => f64::from_bits(bits as u64).to_string(),
        ScalarType::Float(FloatFormat::Extended | FloatFormat::Quadruple) => format!("{bits:#x}"),
        ScalarType::Pointer => format!("{bits:#x}"),
    }
}

/// A name as the user wrote it: what made it unique is taken off.
pub(crate) fn plain_name(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((plain, suffix)) if suffix.bytes().all(|byte| byte.is_ascii_digit()) => {
            plain.to_owned()
        }
        Some(_) | None => name.to_owned(),
    }
}

/// A place in the user's own source.
pub(crate) fn span(
    program: &Program,
    place: Place,
    excerpt: Excerpt<'_>,
    sources: &mut Sources,
) -> Option<Span> {
    let file = program.files.get(place.file)?;
    let is_shown = place.line > 0 && !file.is_model;
    is_shown.then(|| sources.span(&file.name, place.line, place.column, excerpt))
}
