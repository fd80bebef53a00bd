//! Layout: the parts of each object, as the program accesses them.
//!
//! An object whose accesses have constant offsets is split into cells, one for each range of bits that
//! is accessed as a whole. Ranges that overlap without being equal, or that are read with another
//! type than written, are *opaque*: reading them gives anything. An object that is accessed at an
//! offset that is not constant is one row of equal elements, or opaque as a whole.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::IdVec;
use heapwright_program::analysis::{Liveness, Loops, References};
use heapwright_program::{
    Access, Edge, ExpressionId, LocationId, ObjectKind, Operation, Program, ScalarType, Type,
    TypeId,
};

use crate::analysis::inline::Inlined;
use crate::analysis::points_to::{ObjectSource, PointsTo};
use crate::names::Names;
use crate::ssa::formula::{AbstractObjectId, ValueKind};

/// What the program accesses of an object.
#[derive(Clone, Debug)]
pub struct ObjectLayout {
    pub name: String,
    pub shape: Shape,
    /// Whether blocks of it must be told apart: it is made in a loop, and pointers to an earlier block
    /// may be around when the next one comes.
    pub is_many: bool,
    /// Whether it may come to life more than once.
    pub comes_again: bool,
    /// Whether it may end while someone has a pointer to it, so that its life must be followed.
    pub has_life: bool,
    /// Whether it belongs to one activation of one function: a local object that no pointer leads to.
    pub is_private: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// By position, not overlapping.
    Split(Vec<Cell>),
    /// Elements of one kind side by side.
    Elements(Cell),
    /// Nothing is known of what it holds.
    Opaque,
}

/// A range of bits that is read and written as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// `next@8:ptr`: the program's word for it, if there is one, its byte and its type. One object may
    /// have several parts of one word, but none with the same place.
    pub name: String,
    /// Bits from the start of the object.
    pub start: u64,
    /// How many bits it takes in memory.
    pub extent: u64,
    pub kind: ValueKind,
}

/// The bits that an access touches and as what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Touch {
    start: u64,
    extent: u64,
    class: Class,
}

/// Cells of different classes cannot share bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Number,
    Pointer,
    Float,
}

impl ObjectLayout {
    /// The cell for an access at a constant offset; `None` if it is opaque.
    #[must_use]
    pub fn cell_at(&self, offset: i64, access: &Access, program: &Program) -> Option<usize> {
        let touch = touch_of(program, access, u64::try_from(offset).ok()?);
        self.position(touch.start, touch.extent)
            .filter(|&position| class_of_kind(self.cells()[position].kind) == touch.class)
    }

    /// The position of the cell with this range of bits.
    #[must_use]
    pub fn position(&self, start: u64, extent: u64) -> Option<usize> {
        match &self.shape {
            Shape::Split(cells) => {
                cells.iter().position(|cell| cell.start == start && cell.extent == extent)
            }
            Shape::Elements(cell) => (cell.extent == extent).then_some(0),
            Shape::Opaque => None,
        }
    }

    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        match &self.shape {
            Shape::Split(cells) => cells,
            Shape::Elements(cell) => std::slice::from_ref(cell),
            Shape::Opaque => &[],
        }
    }

    #[must_use]
    pub fn has_elements(&self) -> bool {
        matches!(self.shape, Shape::Elements(_))
    }
}

/// The layouts of all objects.
pub(crate) fn layouts(
    inlined: &Inlined,
    points_to: &PointsTo,
    liveness: &Liveness,
    names: &mut Names,
) -> IdVec<AbstractObjectId, ObjectLayout> {
    let collected = Collector::collect(inlined, points_to);
    let context = Context {
        inlined,
        points_to,
        loops: Loops::of(inlined.body()),
        references: References::of(&inlined.program),
        liveness,
    };
    let mut dynamic = 0;
    let mut layouts = IdVec::new();
    for (id, &source) in points_to.objects.sources.enumerated() {
        let lives = context.lives(id, source);
        let name = match source {
            ObjectSource::Declared(object) => inlined.program.objects[object].name.clone(),
            ObjectSource::Site(_) => {
                dynamic += 1;
                format!("dynamic_object${}", dynamic - 1)
            }
            ObjectSource::Code(function) => inlined.program.functions[function].name.clone(),
        };
        let shape = collected.shape(inlined, id, points_to.sizes[id]);
        layouts.push(ObjectLayout {
            name: names.unique(&name),
            shape,
            is_many: lives.is_many,
            comes_again: lives.comes_again,
            has_life: lives.has_life,
            is_private: context.is_private(source),
        });
    }
    layouts
}

struct Lives {
    is_many: bool,
    comes_again: bool,
    has_life: bool,
}

/// What is needed to tell how objects live.
struct Context<'a> {
    inlined: &'a Inlined,
    points_to: &'a PointsTo,
    loops: Loops,
    references: References,
    liveness: &'a Liveness,
}

impl Context<'_> {
    fn lives(&self, id: AbstractObjectId, source: ObjectSource) -> Lives {
        let body = self.inlined.body();
        match source {
            ObjectSource::Site(edge) => {
                let source = body.edges[edge].source;
                let is_many = self.loops.innermost(source).is_some() || self.is_repeated(source);
                Lives { is_many, comes_again: is_many, has_life: self.is_freed(id) }
            }
            ObjectSource::Declared(object) => {
                let enters = body.edges.iter().filter(
                    |edge| matches!(edge.operation, Operation::Enter { object: it, .. } if it == object),
                );
                let enters: Vec<&Edge> = enters.collect();
                let is_again = enters.len() > 1
                    || enters.iter().any(|edge| self.loops.innermost(edge.source).is_some());
                let has_life = !enters.is_empty() && self.references.escapes(object);
                let is_known = || enters.iter().any(|edge| self.is_known_at(id, edge.source));
                // Those of an outer activation may be around when the function is called again.
                let is_repeated = enters.iter().any(|edge| self.is_repeated(edge.source));
                let is_many = has_life && (is_repeated || is_again && is_known());
                Lives { is_many, comes_again: is_again || is_repeated, has_life }
            }
            ObjectSource::Code(_) => Lives { is_many: false, comes_again: false, has_life: false },
        }
    }

    /// Whether a location is in a function that is summarised, so that calls come here again.
    fn is_repeated(&self, location: LocationId) -> bool {
        self.inlined.origins[location].region != self.inlined.main
    }

    fn is_private(&self, source: ObjectSource) -> bool {
        let ObjectSource::Declared(object) = source else { return false };
        let is_local = matches!(self.inlined.program.objects[object].kind, ObjectKind::Local);
        is_local && !self.references.escapes(object)
    }

    fn is_freed(&self, object: AbstractObjectId) -> bool {
        self.inlined.body().edges.iter().any(|edge| match edge.operation {
            Operation::Free { address } => {
                self.points_to.of_expression(&self.inlined.program, address).has(object)
            }
            _ => false,
        })
    }

    /// Whether someone may have a pointer to the object at a location.
    fn is_known_at(&self, object: AbstractObjectId, location: LocationId) -> bool {
        let variables = self.inlined.program.variables.enumerated();
        self.points_to.is_stored(object)
            || variables.into_iter().any(|(id, variable)| {
                variable.scalar.is_pointer()
                    && self.points_to.of_variable(id).has(object)
                    && self.liveness.is_live(location, id)
            })
    }
}

#[derive(Default, Clone)]
struct Collected {
    touches: BTreeSet<Touch>,
    signed: BTreeMap<(u64, u64), bool>,
    names: BTreeMap<u64, String>,
    /// Accesses at offsets that are not constant.
    moving: BTreeSet<(u64, Class)>,
    is_opaque: bool,
}

struct Collector {
    objects: IdVec<AbstractObjectId, Collected>,
}

impl Collector {
    fn collect(inlined: &Inlined, points_to: &PointsTo) -> Collector {
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

    fn shape(&self, inlined: &Inlined, id: AbstractObjectId, size: Option<u64>) -> Shape {
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

fn class_of_kind(kind: ValueKind) -> Class {
    match kind {
        ValueKind::Pointer => Class::Pointer,
        ValueKind::Number { .. } | ValueKind::Boolean => Class::Number,
        ValueKind::Opaque { .. } => Class::Float,
    }
}

fn touch_of(program: &Program, access: &Access, offset: u64) -> Touch {
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
            heapwright_program::PathStep::Field { record, index } => {
                let field = program.types.record(record).fields.get(index as usize)?;
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(&field.name);
                current = field.ty;
            }
            heapwright_program::PathStep::Element(index) => {
                if !name.is_empty() || matches!(program.types.get(current), Type::Array { .. }) {
                    name.push_str(&index.map_or("[]".to_owned(), |index| format!("[{index}]")));
                }
            }
        }
    }
    (!name.is_empty()).then_some(name)
}

/// The value of a size that is a constant.
pub(crate) fn constant_size(program: &Program, size: ExpressionId) -> Option<u64> {
    program.expressions.constant_bits(size).and_then(|size| u64::try_from(size).ok())
}
