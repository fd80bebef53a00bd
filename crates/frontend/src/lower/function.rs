//! A function's automaton under construction: locations, edges, scopes and jumps.
//!
//! Objects live as long as their block, so every way into or out of a block is a *jump* between
//! scopes. Jumps are kept until the function is complete, because a block may still get objects
//! (compound literals, results of calls) after a `goto` has left it; then each becomes a chain of
//! `Leave` and `Enter` edges, or nothing at all where no object comes or goes.

mod finish;

use heapwright_base::{DenseId, IdVec, define_id};
use heapwright_program::{
    Edge, ExpressionId, FunctionId, InputSource, LocationId, Object, ObjectId, ObjectKind,
    Operation, Place, ScalarType, TypeId, Variable, VariableId, VariableKind,
};
use rucc_diag::Span;
use rucc_sema::{CaseId, DeclId, ExprId, LabelId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::linker::Entity;
use super::unit::UnitLowering;

define_id!(
    /// A block of the source, with the objects that live in it.
    ScopeId,
    "scope"
);

#[derive(Debug)]
struct Scope {
    parent: Option<ScopeId>,
    objects: Vec<ObjectId>,
    /// Variables declared so far. Pointers among them are lost when the block ends.
    variables: Vec<VariableId>,
    /// Whether a label stands directly in it, so that control may come back to a declaration.
    has_label: bool,
}

/// How many variables of a place's scopes are declared before it.
type Declared = Vec<(ScopeId, usize)>;

impl Scope {
    fn within(parent: Option<ScopeId>) -> Scope {
        Scope { parent, objects: Vec::new(), variables: Vec::new(), has_label: false }
    }
}

/// A location and the scope that it is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) location: LocationId,
    pub(crate) scope: ScopeId,
}

/// A jump from a location that has no other way out.
#[derive(Debug)]
struct Jump {
    source: LocationId,
    from: ScopeId,
    declared: Declared,
    to: JumpTarget,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum JumpTarget {
    Known(Target),
    Label(LabelId),
    Case(CaseId),
}

pub(crate) struct FunctionLowering<'a, 'u> {
    pub(crate) unit: &'a mut UnitLowering<'u>,
    pub(crate) function: FunctionId,
    pub(super) edges: Vec<Edge>,
    /// How many edges there were when the last one had to stay as it was.
    sealed: usize,
    location_count: usize,
    exit: LocationId,
    /// Where the next edge starts; `None` after a jump, until a label.
    here: Option<LocationId>,
    place: Place,
    scopes: IdVec<ScopeId, Scope>,
    pub(crate) scope: ScopeId,
    jumps: Vec<Jump>,
    labels: FxHashMap<LabelId, LocationId>,
    label_scopes: FxHashMap<LabelId, ScopeId>,
    cases: FxHashMap<CaseId, Target>,
    /// What is declared before each label.
    declared: FxHashMap<LocationId, Declared>,
    /// Variables whose declaration some jump leaves out: they have no value when their block
    /// is entered, and keep what they have while it lasts.
    bypassed: FxHashSet<VariableId>,
    pub(crate) breaks: Vec<Target>,
    pub(crate) continues: Vec<Target>,
    /// Where `default:` stands, for each `switch` around the current statement.
    pub(crate) defaults: Vec<Option<Target>>,
    pub(crate) locals: FxHashMap<DeclId, Entity>,
    /// Variable-length array bounds that a declaration has evaluated already.
    pub(crate) bounds: FxHashMap<ExprId, ExpressionId>,
    pub(crate) effects: FxHashMap<ExprId, bool>,
    /// Where a struct result goes.
    pub(crate) result_pointer: Option<VariableId>,
}

impl<'a, 'u> FunctionLowering<'a, 'u> {
    pub(crate) fn new(unit: &'a mut UnitLowering<'u>, function: FunctionId) -> Self {
        let place = unit.linker.program.functions[function].place;
        let mut scopes = IdVec::new();
        let scope = scopes.push(Scope::within(None));
        FunctionLowering {
            unit,
            function,
            edges: Vec::new(),
            sealed: 0,
            location_count: 2,
            exit: LocationId::from_index(1),
            here: Some(LocationId::from_index(0)),
            place,
            scopes,
            scope,
            jumps: Vec::new(),
            labels: FxHashMap::default(),
            label_scopes: FxHashMap::default(),
            cases: FxHashMap::default(),
            declared: FxHashMap::default(),
            bypassed: FxHashSet::default(),
            breaks: Vec::new(),
            continues: Vec::new(),
            defaults: Vec::new(),
            locals: FxHashMap::default(),
            bounds: FxHashMap::default(),
            effects: FxHashMap::default(),
            result_pointer: None,
        }
    }

    /// Moves the place of the edges to come; says where they were before.
    pub(crate) fn set_place(&mut self, span: Span) -> Place {
        let before = self.place;
        if !span.is_dummy() {
            self.place = self.unit.place(span);
        }
        before
    }

    pub(crate) fn restore_place(&mut self, place: Place) {
        self.place = place;
    }

    pub(crate) fn new_location(&mut self) -> LocationId {
        let location = LocationId::from_index(self.location_count);
        self.location_count += 1;
        location
    }

    pub(crate) fn is_reachable(&self) -> bool {
        self.here.is_some()
    }

    /// Goes on at `location`.
    pub(crate) fn continue_at(&mut self, location: LocationId) {
        self.here = Some(location);
    }

    /// Adds an edge from here to a new location.
    pub(crate) fn emit(&mut self, operation: Operation) {
        let target = self.new_location();
        self.emit_to(operation, target);
        if self.here.is_some() {
            self.here = Some(target);
        }
    }

    /// Adds an edge from here that ends the program or the call.
    pub(crate) fn emit_last(&mut self, operation: Operation) {
        let exit = self.exit;
        self.emit_to(operation, exit);
        self.here = None;
    }

    fn emit_to(&mut self, operation: Operation, target: LocationId) {
        if let Some(source) = self.here {
            self.edges.push(Edge { source, target, operation, place: self.place });
        }
    }

    /// Splits control by a condition.
    pub(crate) fn emit_branch(
        &mut self,
        condition: ExpressionId,
        if_true: LocationId,
        if_false: LocationId,
    ) {
        self.emit_to(Operation::Assume { condition, holds: true }, if_true);
        self.emit_to(Operation::Assume { condition, holds: false }, if_false);
        self.here = None;
    }

    /// A branch that C has and the source has not: it is nowhere in particular, so that no report
    /// tells of a decision that nobody wrote.
    pub(crate) fn emit_unwritten_branch(
        &mut self,
        condition: ExpressionId,
        if_true: LocationId,
        if_false: LocationId,
    ) {
        let before = self.place;
        self.place = Place { line: 0, column: 0, ..before };
        self.emit_branch(condition, if_true, if_false);
        self.place = before;
    }

    /// Makes sure that the last operation is kept as it is: its target is read more than once.
    pub(crate) fn seal(&mut self) {
        self.sealed = self.edges.len();
    }

    /// The operation of the edge that led here, if it is the only way here and just emitted.
    pub(crate) fn last_operation(&mut self) -> Option<&mut Operation> {
        let here = self.here?;
        if self.edges.len() == self.sealed {
            return None;
        }
        let edge = self.edges.last_mut()?;
        (edge.target == here).then_some(&mut edge.operation)
    }

    pub(crate) fn unsupported(&mut self, construct: impl Into<String>) {
        self.emit(Operation::Unsupported { construct: construct.into() });
    }

    // Scopes and jumps.

    pub(crate) fn enter_scope(&mut self) {
        let scope = self.scopes.push(Scope::within(Some(self.scope)));
        let location = self.new_location();
        self.jump_to(Target { location, scope });
        self.scope = scope;
        self.here = Some(location);
    }

    /// Leaves the innermost scope on the way that control takes now.
    pub(crate) fn leave_scope(&mut self) {
        let parent = self.scopes[self.scope].parent.expect("the outermost scope is never left");
        if self.is_reachable() {
            let location = self.new_location();
            self.jump_to(Target { location, scope: parent });
            self.here = Some(location);
        }
        self.scope = parent;
    }

    /// A new location in the current scope, to jump to.
    pub(crate) fn new_target(&mut self) -> Target {
        Target { location: self.new_location(), scope: self.scope }
    }

    pub(crate) fn jump_to(&mut self, target: Target) {
        self.jump(JumpTarget::Known(target));
    }

    pub(crate) fn jump_to_label(&mut self, label: LabelId) {
        self.jump(JumpTarget::Label(label));
    }

    pub(crate) fn jump_to_case(&mut self, case: CaseId) {
        self.jump(JumpTarget::Case(case));
    }

    fn jump(&mut self, to: JumpTarget) {
        if let Some(source) = self.here.take() {
            let declared = self.declared_here();
            self.jumps.push(Jump { source, from: self.scope, declared, to, place: self.place });
        }
    }

    /// Control joins here from jumps to `label`.
    pub(crate) fn place_label(&mut self, label: LabelId) {
        let location = self.new_location();
        let target = Target { location, scope: self.scope };
        self.jump_to(target);
        self.labels.insert(label, location);
        self.label_scopes.insert(label, self.scope);
        self.scopes[self.scope].has_label = true;
        self.note_declared(location);
        self.here = Some(location);
    }

    pub(crate) fn place_case(&mut self, case: CaseId) {
        let target = self.new_target();
        self.jump_to(target);
        self.cases.insert(case, target);
        self.note_declared(target.location);
        self.here = Some(target.location);
    }

    /// Notes what is declared before a label: who jumps there from further up leaves it out.
    pub(crate) fn note_declared(&mut self, location: LocationId) {
        let declared = self.declared_here();
        if !declared.is_empty() {
            self.declared.insert(location, declared);
        }
    }

    fn declared_here(&self) -> Declared {
        let chain = std::iter::successors(Some(self.scope), |&scope| self.scopes[scope].parent);
        let counts = chain.map(|scope| (scope, self.scopes[scope].variables.len()));
        counts.filter(|&(_, count)| count > 0).collect()
    }

    /// Whether control may have been at a declaration in the current scope before, while the
    /// block lasts.
    pub(crate) fn may_come_back(&self) -> bool {
        self.scopes[self.scope].has_label
    }

    /// Leaves every scope on the way to a `return`, which follows.
    pub(crate) fn leave_all_scopes(&mut self) {
        if self.is_reachable() {
            // Parameters live in the outermost scope, so the target is outside of all.
            let outside = self.outside();
            let location = self.new_location();
            self.jump_to(Target { location, scope: outside });
            self.here = Some(location);
        }
    }

    /// The scope around the function: no object is in it.
    fn outside(&self) -> ScopeId {
        ScopeId::from_index(0)
    }

    // Variables and objects.

    pub(crate) fn new_variable(
        &mut self,
        name: &str,
        ty: TypeId,
        scalar: ScalarType,
        kind: VariableKind,
    ) -> VariableId {
        let name = self.unit.linker.local_name(self.function, name);
        let function = Some(self.function);
        let place = self.place;
        self.unit.linker.program.variables.push(Variable {
            name,
            ty,
            scalar,
            kind,
            function,
            place,
        })
    }

    /// A variable of the lowering's own.
    pub(crate) fn temporary(&mut self, scalar: ScalarType) -> VariableId {
        let ty = self.unit.linker.program.types.of_scalar(scalar);
        self.new_variable("t", ty, scalar, VariableKind::Temporary)
    }

    /// A variable of the lowering's own that has a C type.
    pub(crate) fn typed_temporary(&mut self, ty: rucc_types::TypeId) -> VariableId {
        let scalar = self.unit.scalar(ty).expect("a scalar");
        let ty = self.unit.ty(ty);
        self.new_variable("t", ty, scalar, VariableKind::Temporary)
    }

    pub(crate) fn variable(&mut self, variable: VariableId) -> ExpressionId {
        let scalar = self.unit.linker.program.variables[variable].scalar;
        self.unit.linker.program.expressions.variable(variable, scalar)
    }

    /// Notes that a variable goes out of scope with the current block.
    pub(crate) fn in_scope(&mut self, variable: VariableId) {
        let variables = &mut self.scopes[self.scope].variables;
        if !variables.contains(&variable) {
            variables.push(variable);
        }
    }

    /// An object of the current scope, alive from its block's start on.
    pub(crate) fn new_object(
        &mut self,
        name: &str,
        ty: rucc_types::TypeId,
        size: Option<u64>,
        alignment: u64,
    ) -> ObjectId {
        let name = self.unit.linker.local_name(self.function, name);
        let ty = self.unit.ty(ty);
        let object = self.unit.linker.program.objects.push(Object {
            name,
            ty,
            size,
            alignment,
            kind: ObjectKind::Local,
            is_constant: false,
            function: Some(self.function),
            place: self.place,
        });
        self.scopes[self.scope].objects.push(object);
        object
    }

    pub(crate) fn object_address(&mut self, object: ObjectId) -> ExpressionId {
        self.unit.linker.program.expressions.object_address(object)
    }

    /// Gives a variable a value that the program does not determine.
    pub(crate) fn havoc(&mut self, target: VariableId) {
        self.emit(Operation::Input { target, source: InputSource::Uninitialised });
    }
}
