//! Accesses: which bits of each object the program touches, and as what; the shape that follows.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::IdVec;
use heapwright_program::{Access, Operation, PathStep, Program, ScalarType, Type, TypeId};

use crate::analysis::inlined::Inlined;
use crate::analysis::layout::{Cell, Shape, constant_size};
use crate::analysis::points_to::PointsTo;
use crate::ssa::formula::{AbstractObjectId, ValueKind};

/// The bits that an access touches and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Touch {
    pub(super) start: u64,
    pub(super) extent: u64,
    pub(super) class: Class,
}

/// Cells of different classes cannot share bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Number,
    Pointer,
    Float,
}

/// What is accessed of one object.
#[derive(Default, Clone)]
struct Collected {
    touches: BTreeSet<Touch>,
    signed: BTreeMap<(u64, u64), bool>,
    names: BTreeMap<u64, String>,
    /// Accesses at offsets that are not constant.
    moving: BTreeSet<(u64, Class)>,
    is_opaque: bool,
}

/// What is accessed of all objects.
pub(super) struct Collector {
    objects: IdVec<AbstractObjectId, Collected>,
}

impl Collector {
    pub(super) fn collect(inlined: &Inlined, points_to: &PointsTo) -> Collector {
        let empty = Collected::default();
        let mut collector =
            Collector { objects: IdVec::filled(empty, points_to.objects.sources.len()) };
        let program = &inlined.program;
        for edge in &inlined.body().edges {
            if let Operation::Load { access, .. } | Operation::Store { access, .. } =
                &edge.operation
            {
                collector.access(program, points_to, access);
            }
        }
        // Ends because ranges are bounded by the objects' sizes.
        while inlined
            .body()
            .edges
            .iter()
            .fold(false, |grown, edge| collector.copy(program, points_to, &edge.operation) | grown)
        {
        }
        collector
    }

    fn access(&mut self, program: &Program, points_to: &PointsTo, access: &Access) {
        let targets = points_to.of_expression(program, access.address);
        for (object, offsets) in targets.by_object() {
            let collected = &mut self.objects[object];
            let touch = touch_of(program, access, 0);
            match offsets {
                Some(offsets) => {
                    // Before the start there is nothing to access.
                    for offset in offsets.into_iter().filter_map(|it| u64::try_from(it).ok()) {
                        let touch = touch_of(program, access, offset);
                        collected.touches.insert(touch);
                        let signed = access.ty.is_signed();
                        collected.signed.entry((touch.start, touch.extent)).or_insert(signed);
                        if let Some(name) = field_name(program, access) {
                            collected.names.entry(touch.start).or_insert(name);
                        }
                    }
                }
                None if access.bits.is_some() => collected.is_opaque = true,
                None => {
                    collected.moving.insert((touch.extent, touch.class));
                    collected.signed.entry((0, touch.extent)).or_insert(access.ty.is_signed());
                }
            }
        }
    }

    /// What is copied has the same parts on both sides.
    fn copy(&mut self, program: &Program, points_to: &PointsTo, operation: &Operation) -> bool {
        let Operation::Copy { target, source, size, .. } = operation else { return false };
        let targets = points_to.of_expression(program, *target).by_object();
        let sources = points_to.of_expression(program, *source).by_object();
        let size = constant_size(program, *size);
        let mut has_grown = false;
        for (&to, to_offsets) in &targets {
            for (&from, from_offsets) in &sources {
                let (Some(size), Some([end]), Some([start])) =
                    (size, to_offsets.as_deref(), from_offsets.as_deref())
                else {
                    has_grown |= self.make_opaque(to) | self.make_opaque(from);
                    continue;
                };
                let (Ok(start), Ok(end)) = (u64::try_from(*start), u64::try_from(*end)) else {
                    continue;
                };
                has_grown |= self.share(from, to, (8 * start, 8 * end, 8 * size));
                has_grown |= self.share(to, from, (8 * end, 8 * start, 8 * size));
            }
        }
        has_grown
    }

    fn make_opaque(&mut self, object: AbstractObjectId) -> bool {
        !std::mem::replace(&mut self.objects[object].is_opaque, true)
    }

    fn share(
        &mut self,
        from: AbstractObjectId,
        to: AbstractObjectId,
        (start, end, size): (u64, u64, u64),
    ) -> bool {
        let source = self.objects[from].clone();
        let target = &mut self.objects[to];
        let mut has_grown = false;
        if (source.is_opaque || !source.moving.is_empty()) && !target.is_opaque {
            target.is_opaque = true;
            has_grown = true;
        }
        for touch in source.touches {
            if touch.start < start || touch.start + touch.extent > start + size {
                continue;
            }
            let moved = Touch { start: touch.start - start + end, ..touch };
            if target.touches.insert(moved) {
                has_grown = true;
                let signed = source.signed.get(&(touch.start, touch.extent)).copied();
                target.signed.entry((moved.start, moved.extent)).or_insert(signed.unwrap_or(false));
                if let Some(name) = source.names.get(&touch.start) {
                    target.names.entry(moved.start).or_insert(name.clone());
                }
            }
        }
        has_grown
    }

    pub(super) fn shape(
        &self,
        inlined: &Inlined,
        id: AbstractObjectId,
        size: Option<u64>,
    ) -> Shape {
        let collected = &self.objects[id];
        if collected.is_opaque {
            return Shape::Opaque;
        }
        let bytes = inlined.program.model.pointer_size();
        if let Some(&(extent, class)) = collected.moving.first() {
            let is_uniform = collected.moving.len() == 1
                && collected.touches.iter().all(|touch| {
                    (touch.extent, touch.class) == (extent, class) && touch.start % extent == 0
                })
                && extent.is_power_of_two()
                && size.is_none_or(|size| (8 * size) % extent == 0);
            if !is_uniform {
                return Shape::Opaque;
            }
            let signed = collected.signed.get(&(0, extent)).copied().unwrap_or(false);
            let kind = kind_of(class, extent, signed, bytes);
            let name = format!("[]:{}", type_text(kind));
            return Shape::Elements(Cell { name, start: 0, extent, kind });
        }
        let cells = collected.cells(size, bytes);
        let are_apart = cells.windows(2).all(|it| it[0].start + it[0].extent <= it[1].start);
        assert!(are_apart, "cells overlap: {cells:?}");
        Shape::Split(cells)
    }
}

impl Collected {
    /// The ranges that overlap with no other range, inside the object.
    fn cells(&self, size: Option<u64>, bytes: u64) -> Vec<Cell> {
        let is_apart = |touch: &Touch| {
            self.touches.iter().all(|other| {
                other == touch
                    || other.start >= touch.start + touch.extent
                    || touch.start >= other.start + other.extent
            })
        };
        let is_inside =
            |touch: &Touch| size.is_none_or(|size| touch.start + touch.extent <= 8 * size);
        let touches = self.touches.iter().filter(|touch| is_apart(touch) && is_inside(touch));
        touches
            .map(|touch| {
                let signed = self.signed.get(&(touch.start, touch.extent)).copied();
                let kind = kind_of(touch.class, touch.extent, signed.unwrap_or(false), bytes);
                let word = self.names.get(&touch.start).map_or("", String::as_str);
                let name = cell_name(word, touch.start, kind);
                Cell { name, start: touch.start, extent: touch.extent, kind }
            })
            .collect()
    }
}

/// The place of a part, with the program's word for it: `next@8:ptr`, `flag@4.3:u1` for bit 3 of byte 4.
fn cell_name(word: &str, start: u64, kind: ValueKind) -> String {
    let (byte, bit) = (start / 8, start % 8);
    let place = if bit == 0 { format!("{byte}") } else { format!("{byte}.{bit}") };
    format!("{word}@{place}:{}", type_text(kind))
}

fn type_text(kind: ValueKind) -> String {
    match kind {
        ValueKind::Number { bits, signed: true } => format!("i{bits}"),
        ValueKind::Number { bits, signed: false } => format!("u{bits}"),
        ValueKind::Pointer => "ptr".to_owned(),
        ValueKind::Boolean => "bool".to_owned(),
        ValueKind::Opaque { bits } => format!("f{bits}"),
    }
}

fn kind_of(class: Class, extent: u64, signed: bool, pointer_bytes: u64) -> ValueKind {
    let bits = extent as u32;
    match class {
        Class::Pointer => {
            debug_assert_eq!(extent, 8 * pointer_bytes, "pointers have one size");
            ValueKind::Pointer
        }
        Class::Number => ValueKind::Number { bits, signed },
        Class::Float => ValueKind::Opaque { bits },
    }
}

pub(super) fn class_of_kind(kind: ValueKind) -> Class {
    match kind {
        ValueKind::Pointer => Class::Pointer,
        ValueKind::Number { .. } | ValueKind::Boolean => Class::Number,
        ValueKind::Opaque { .. } => Class::Float,
    }
}

pub(super) fn touch_of(program: &Program, access: &Access, offset: u64) -> Touch {
    let class = match access.ty {
        ScalarType::Pointer => Class::Pointer,
        ScalarType::Bool | ScalarType::Integer { .. } => Class::Number,
        ScalarType::Float(_) => Class::Float,
    };
    match access.bits {
        Some(range) => Touch {
            start: 8 * offset + u64::from(range.offset),
            extent: u64::from(range.width),
            class,
        },
        None => Touch { start: 8 * offset, extent: 8 * access.ty.size(program.model), class },
    }
}

/// The fields that an access names.
fn field_name(program: &Program, access: &Access) -> Option<String> {
    let path = &program.paths[access.path];
    let mut current: TypeId = path.root;
    let mut name = String::new();
    for &step in &path.steps {
        match step {
            PathStep::Field { record, index } => {
                let field = program.types.record(record).fields.get(index as usize)?;
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(&field.name);
                current = field.ty;
            }
            PathStep::Element(index) => {
                if !name.is_empty() || matches!(program.types.get(current), Type::Array { .. }) {
                    name.push_str(&index.map_or("[]".to_owned(), |index| format!("[{index}]")));
                }
            }
        }
    }
    (!name.is_empty()).then_some(name)
}
