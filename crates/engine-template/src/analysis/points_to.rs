//! Where pointers may point: a set for each variable and each part of an object, for the whole
//! program at once (Andersen's analysis, with byte offsets).
//!
//! The formula needs a name for every object that a dereference can hit; which of them it is at a
//! place, the terms say. Integers hold no targets: a pointer made from one is a number.

use std::collections::BTreeMap;

use heapwright_base::{DenseId, IdVec};
use heapwright_engine::Deadline;
use heapwright_program::analysis::Liveness;
use heapwright_program::{
    AddressTarget, BinaryOperator, EdgeId, Expression, ExpressionId, FunctionId, InputSource,
    LocationId, ObjectId, ObjectKind, Operation, Program, ScalarType, VariableId, VariableKind,
    expressions_of,
};
use rustc_hash::FxHashMap;

use crate::analysis::distance::{constant_distance, round_trip};
use crate::analysis::inlined::Inlined;
use crate::analysis::targets::{Offset, Targets};
use crate::ssa::formula::AbstractObjectId;

/// What an abstract object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectSource {
    Declared(ObjectId),
    /// An edge that allocates.
    Site(EdgeId),
    Code(FunctionId),
}

/// The objects of the abstraction.
#[derive(Clone, Debug, Default)]
pub struct ObjectTable {
    pub sources: IdVec<AbstractObjectId, ObjectSource>,
    ids: FxHashMap<ObjectSource, AbstractObjectId>,
}

impl ObjectTable {
    fn add(&mut self, source: ObjectSource) -> bool {
        if self.ids.contains_key(&source) {
            return false;
        }
        let id = self.sources.push(source);
        self.ids.insert(source, id);
        true
    }

    #[must_use]
    pub fn id(&self, source: ObjectSource) -> AbstractObjectId {
        self.ids[&source]
    }

    /// Everything that the automaton or the initial bytes of what it mentions name.
    fn of(inlined: &Inlined) -> ObjectTable {
        let mut table = ObjectTable::default();
        let program = &inlined.program;
        let mut roots: Vec<ExpressionId> = Vec::new();
        for variable in &program.variables {
            if let VariableKind::Global { initial } = variable.kind {
                roots.push(initial);
            }
        }
        for (id, edge) in inlined.body().edges.enumerated() {
            roots.extend(expressions_of(&edge.operation));
            match edge.operation {
                Operation::Allocate { .. } => {
                    table.add(ObjectSource::Site(id));
                }
                Operation::Enter { object, .. } | Operation::Leave { object } => {
                    table.add(ObjectSource::Declared(object));
                }
                _ => {}
            }
        }
        for root in roots {
            program.expressions.visit(root, &mut |_, node| match node {
                Expression::ObjectAddress(object) => {
                    table.add(ObjectSource::Declared(object));
                }
                Expression::FunctionAddress(function) => {
                    table.add(ObjectSource::Code(function));
                }
                _ => {}
            });
        }
        table.close(program);
        table
    }

    fn close(&mut self, program: &Program) {
        let mut next = 0;
        // Ends because each object is added once.
        while next < self.sources.len() {
            let source = self.sources[AbstractObjectId::from_index(next)];
            next += 1;
            let ObjectSource::Declared(object) = source else { continue };
            if let ObjectKind::Static { addresses, .. } = &program.objects[object].kind {
                for address in addresses {
                    self.add(source_of(address.target));
                }
            }
        }
    }
}

pub(crate) fn source_of(target: AddressTarget) -> ObjectSource {
    match target {
        AddressTarget::Object(object) => ObjectSource::Declared(object),
        AddressTarget::Function(function) => ObjectSource::Code(function),
    }
}

/// How far outside of an object offsets are told apart.
const SLACK: i128 = 256;

/// The result.
#[derive(Clone, Debug)]
pub struct PointsTo {
    pub objects: ObjectTable,
    variables: IdVec<VariableId, Targets>,
    memory: IdVec<AbstractObjectId, BTreeMap<Offset, Targets>>,
    /// Sizes of objects where they are constant.
    pub sizes: IdVec<AbstractObjectId, Option<u64>>,
}

impl PointsTo {
    /// `None` when the time is over.
    #[must_use]
    pub fn of(inlined: &Inlined, liveness: &Liveness, deadline: &Deadline) -> Option<PointsTo> {
        let objects = ObjectTable::of(inlined);
        let program = &inlined.program;
        let sizes = objects.sources.iter().map(|source| size_of(inlined, *source)).collect();
        let mut result = PointsTo {
            variables: IdVec::filled(Targets::default(), program.variables.len()),
            memory: IdVec::filled(BTreeMap::new(), objects.sources.len()),
            objects,
            sizes,
        };
        result.start(program);
        result.mark_undefined(inlined, liveness);
        // Ends because the sets grow, offsets beyond an object's end become unknown.
        while result.round(inlined) {
            if deadline.is_over() {
                return None;
            }
        }
        Some(result)
    }

    #[must_use]
    pub fn of_variable(&self, variable: VariableId) -> &Targets {
        &self.variables[variable]
    }

    /// What a pointer read at this offset of an object may be.
    #[must_use]
    pub fn of_part(&self, object: AbstractObjectId, offset: Offset) -> Targets {
        let mut result = Targets::default();
        for (known, targets) in &self.memory[object] {
            if offset.is_none() || known.is_none() || *known == offset {
                result.join(targets);
            }
        }
        result
    }

    /// Whether some part of an object may hold a pointer to this one.
    #[must_use]
    pub fn is_stored(&self, object: AbstractObjectId) -> bool {
        let mut parts = self.memory.iter().flat_map(BTreeMap::values);
        parts.any(|targets| targets.has(object))
    }

    fn start(&mut self, program: &Program) {
        for (id, variable) in program.variables.enumerated() {
            if let VariableKind::Global { initial } = variable.kind {
                self.variables[id] = self.of_expression(program, initial);
            }
        }
        for (id, &source) in self.objects.sources.clone().enumerated() {
            let ObjectSource::Declared(object) = source else { continue };
            match &program.objects[object].kind {
                ObjectKind::Static { addresses, .. } => {
                    for address in addresses {
                        let target = self.objects.id(source_of(address.target));
                        let offset = self.moved(target, Some(0), Some(i128::from(address.addend)));
                        let part =
                            self.memory[id].entry(i64::try_from(address.offset).ok()).or_default();
                        part.add(target, offset);
                    }
                }
                ObjectKind::External => {
                    self.memory[id].insert(None, Targets::number());
                }
                ObjectKind::String { .. } | ObjectKind::Local => {}
            }
        }
    }

    /// A variable that may be read before it is written is any number then.
    fn mark_undefined(&mut self, inlined: &Inlined, liveness: &Liveness) {
        let body = inlined.body();
        let regions = inlined.regions.values().map(|region| region.entry);
        let entries: Vec<LocationId> =
            [body.entry, inlined.entry].into_iter().chain(regions).collect();
        for (id, variable) in inlined.program.variables.enumerated() {
            let is_parameter = inlined.regions.values().any(|it| it.parameters.contains(&id));
            let is_local = variable.function.is_some() && !is_parameter;
            let is_read = entries.iter().any(|&entry| liveness.is_live(entry, id));
            if is_local && variable.scalar.is_pointer() && is_read {
                self.variables[id].number = true;
            }
        }
    }

    /// The targets of an expression of pointer type.
    #[must_use]
    pub fn of_expression(&self, program: &Program, expression: ExpressionId) -> Targets {
        let expressions = &program.expressions;
        if !expressions.type_of(expression).is_pointer() {
            return Targets::default();
        }
        match expressions.get(expression) {
            Expression::Constant { bits: 0, .. } => Targets::default(),
            Expression::Constant { .. } => Targets::number(),
            Expression::Variable(variable) => self.variables[variable].clone(),
            Expression::ObjectAddress(object) => {
                Targets::one(self.objects.id(ObjectSource::Declared(object)), Some(0))
            }
            Expression::FunctionAddress(function) => {
                Targets::one(self.objects.id(ObjectSource::Code(function)), Some(0))
            }
            Expression::Binary { operator: BinaryOperator::OffsetPointer, left, right } => {
                let distance = constant_distance(program, right);
                let start = self.of_expression(program, left);
                let mut moved = Targets { number: true, ..Targets::default() };
                for (object, offset) in start.places {
                    moved.add(object, self.moved(object, offset, distance));
                }
                moved
            }
            Expression::Convert { operand, .. } => match round_trip(program, operand) {
                Some(pointer) => self.of_expression(program, pointer),
                None => Targets::number(),
            },
            Expression::Binary { .. } | Expression::Unary { .. } => Targets::number(),
        }
    }

    fn moved(&self, object: AbstractObjectId, offset: Offset, distance: Option<i128>) -> Offset {
        let moved = i128::from(offset?) + distance?;
        let end = i128::from(self.sizes[object].unwrap_or(4096)) + SLACK;
        let is_near = (-SLACK..=end).contains(&moved);
        is_near.then_some(moved).and_then(|moved| i64::try_from(moved).ok())
    }

    /// Goes over all edges once; whether something was new.
    fn round(&mut self, inlined: &Inlined) -> bool {
        let program = &inlined.program;
        let mut has_grown = false;
        for (id, edge) in inlined.body().edges.enumerated() {
            has_grown |= self.edge(program, id, &edge.operation);
            has_grown |= self.pass_arguments(inlined, &edge.operation);
        }
        has_grown
    }

    /// The parameters of a summarised function get what all its calls pass.
    fn pass_arguments(&mut self, inlined: &Inlined, operation: &Operation) -> bool {
        let Operation::Call { arguments, .. } = operation else { return false };
        let Some((_, region)) = inlined.summarised(operation) else { return false };
        let program = &inlined.program;
        let mut has_grown = false;
        for (position, &parameter) in region.parameters.iter().enumerate() {
            if program.variables[parameter].scalar.is_pointer() {
                let targets = match arguments.get(position) {
                    Some(&argument) => self.of_expression(program, argument),
                    None => Targets::number(),
                };
                has_grown |= self.variables[parameter].join(&targets);
            }
        }
        has_grown
    }

    fn edge(&mut self, program: &Program, id: EdgeId, operation: &Operation) -> bool {
        let is_pointer = |variable: VariableId| program.variables[variable].scalar.is_pointer();
        match operation {
            Operation::Assign { target, value } if is_pointer(*target) => {
                let targets = self.of_expression(program, *value);
                self.variables[*target].join(&targets)
            }
            Operation::Input {
                target,
                source: InputSource::Nondeterministic(_) | InputSource::Uninitialised,
            } if is_pointer(*target) => self.variables[*target].join(&Targets::number()),
            Operation::Load { target, access } if is_pointer(*target) => {
                let mut read = Targets::number();
                if access.ty == ScalarType::Pointer && access.bits.is_none() {
                    for (object, offset) in self.of_expression(program, access.address).places {
                        read.join(&self.of_part(object, offset));
                    }
                }
                self.variables[*target].join(&read)
            }
            Operation::Store { access, value } if access.ty.is_pointer() => {
                let targets = self.of_expression(program, *value);
                let mut has_grown = false;
                for (object, offset) in self.of_expression(program, access.address).places {
                    has_grown |= self.memory[object].entry(offset).or_default().join(&targets);
                }
                has_grown
            }
            Operation::Copy { target, source, .. } => self.copy(program, *target, *source),
            Operation::Allocate { target, .. } => {
                let object = self.objects.id(ObjectSource::Site(id));
                self.variables[*target].join(&Targets::one(object, Some(0)))
            }
            Operation::Call { target: Some(target), .. } if is_pointer(*target) => {
                self.variables[*target].join(&Targets::number())
            }
            _ => false,
        }
    }

    fn copy(&mut self, program: &Program, target: ExpressionId, source: ExpressionId) -> bool {
        let mut has_grown = false;
        for (from, start) in self.of_expression(program, source).places {
            for (to, end) in self.of_expression(program, target).places {
                for (offset, targets) in self.memory[from].clone() {
                    let offset = match (offset, start, end) {
                        (Some(offset), Some(start), Some(end)) => {
                            if offset < start {
                                continue;
                            }
                            self.moved(to, Some(offset), Some(i128::from(end - start)))
                        }
                        _ => None,
                    };
                    has_grown |= self.memory[to].entry(offset).or_default().join(&targets);
                }
            }
        }
        has_grown
    }
}

fn size_of(inlined: &Inlined, source: ObjectSource) -> Option<u64> {
    match source {
        ObjectSource::Declared(object) => inlined.program.objects[object].size,
        ObjectSource::Site(edge) => match inlined.body().edges[edge].operation {
            Operation::Allocate { size, .. } => inlined
                .program
                .expressions
                .constant_bits(size)
                .and_then(|size| u64::try_from(size).ok()),
            _ => None,
        },
        ObjectSource::Code(_) => Some(0),
    }
}
