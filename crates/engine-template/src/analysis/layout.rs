//! Layout: the parts of each object, as the program accesses them.
//!
//! An object whose accesses have constant offsets is split into cells, one for each range of bits that
//! is accessed as a whole. Ranges that overlap without being equal, or that are read with another
//! type than written, are *opaque*: reading them gives anything. An object that is accessed at an
//! offset that is not constant is one row of equal elements, or opaque as a whole.

use heapwright_base::IdVec;
use heapwright_program::analysis::{Liveness, Loops, References};
use heapwright_program::{Access, Edge, ExpressionId, LocationId, ObjectKind, Operation, Program};

use crate::analysis::accesses::{Collector, class_of_kind, touch_of};
use crate::analysis::inlined::Inlined;
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

/// The value of a size that is a constant.
pub(crate) fn constant_size(program: &Program, size: ExpressionId) -> Option<u64> {
    program.expressions.constant_bits(size).and_then(|size| u64::try_from(size).ok())
}
