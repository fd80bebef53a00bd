//! References: whose addresses get away, and which globals a function reads and writes.
//!
//! An object escapes when its address is used for anything but the address of an access: then a
//! pointer to it may be anywhere. Likewise a function whose address is taken may be called from
//! anywhere. Globals are variables, so no pointer reaches them, and calls are all there is to follow.

use heapwright_base::{DenseId, IdVec};

use crate::analysis::bit_set::BitSet;
use crate::analysis::call_graph::CallGraph;
use crate::analysis::liveness::{for_each_read, written_variable};
use crate::expression::{Expression, ExpressionId};
use crate::obligation::expressions_of;
use crate::operation::{Callee, Operation};
use crate::program::{
    AddressTarget, FunctionId, ObjectId, ObjectKind, Program, VariableId, VariableKind,
};

/// What the whole program takes addresses of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct References {
    escaping_objects: BitSet,
    taken_functions: BitSet,
}

impl References {
    #[must_use]
    pub fn of(program: &Program) -> References {
        let mut references = References {
            escaping_objects: BitSet::new(program.objects.len()),
            taken_functions: BitSet::new(program.functions.len()),
        };
        references.take_initial_values(program);
        for function in &program.functions {
            for edge in function.body.iter().flat_map(|body| &body.edges) {
                references.take_operation(program, &edge.operation);
            }
        }
        references
    }

    fn take_initial_values(&mut self, program: &Program) {
        for object in &program.objects {
            if let ObjectKind::Static { addresses, .. } = &object.kind {
                for address in addresses {
                    self.take(address.target);
                }
            }
        }
        for variable in &program.variables {
            if let VariableKind::Global { initial } = variable.kind {
                self.take_value(program, initial);
            }
        }
    }

    fn take_operation(&mut self, program: &Program, operation: &Operation) {
        let own_address = match operation {
            Operation::Load { access, .. } | Operation::Store { access, .. } => {
                Some(access.address)
            }
            _ => None,
        };
        for (position, expression) in expressions_of(operation).into_iter().enumerate() {
            // The address comes first; the same expression may stand again as the value stored.
            let is_access = position == 0 && own_address.is_some();
            let is_callee = position == 0
                && matches!(operation, Operation::Call { callee: Callee::Indirect(_), .. });
            if is_access {
                self.take_address(program, expression);
            } else if !is_callee || !is_function(program, expression) {
                self.take_value(program, expression);
            }
        }
    }

    /// The object at the start of an address does not escape through an access to it.
    fn take_address(&mut self, program: &Program, address: ExpressionId) {
        match program.expressions.get(address) {
            Expression::ObjectAddress(_) => {}
            Expression::Binary { operator: crate::BinaryOperator::OffsetPointer, left, right } => {
                self.take_address(program, left);
                self.take_value(program, right);
            }
            Expression::Binary { .. }
            | Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Convert { .. } => self.take_value(program, address),
        }
    }

    fn take_value(&mut self, program: &Program, value: ExpressionId) {
        program.expressions.visit(value, &mut |_, node| match node {
            Expression::ObjectAddress(object) => self.take(AddressTarget::Object(object)),
            Expression::FunctionAddress(function) => self.take(AddressTarget::Function(function)),
            Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Convert { .. } => {}
        });
    }

    fn take(&mut self, target: AddressTarget) {
        match target {
            AddressTarget::Object(object) => self.escaping_objects.insert(object.index()),
            AddressTarget::Function(function) => self.taken_functions.insert(function.index()),
        };
    }

    /// Whether a pointer to the object may be stored somewhere or passed on.
    #[must_use]
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.escaping_objects.contains(object.index())
    }

    #[must_use]
    pub fn is_address_taken(&self, function: FunctionId) -> bool {
        self.taken_functions.contains(function.index())
    }
}

fn is_function(program: &Program, expression: ExpressionId) -> bool {
    matches!(program.expressions.get(expression), Expression::FunctionAddress(_))
}

/// The global variables that a call of a function may read and write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalEffects {
    pub read: BitSet,
    pub written: BitSet,
}

impl GlobalEffects {
    #[must_use]
    pub fn reads(&self, variable: VariableId) -> bool {
        self.read.contains(variable.index())
    }

    #[must_use]
    pub fn writes(&self, variable: VariableId) -> bool {
        self.written.contains(variable.index())
    }
}

/// The effects of every function, with those of what it calls.
#[must_use]
pub fn global_effects(program: &Program, calls: &CallGraph) -> IdVec<FunctionId, GlobalEffects> {
    let mut effects: IdVec<FunctionId, GlobalEffects> =
        program.functions.ids().map(|id| own_effects(program, id)).collect();
    for component in calls.bottom_up() {
        // Functions that call each other have the same effects.
        let mut common = GlobalEffects::default();
        for &member in component {
            let callees = calls.callees(member).iter().copied();
            for function in callees.chain([member]) {
                common.read.union(&effects[function].read);
                common.written.union(&effects[function].written);
            }
        }
        for &member in component {
            effects[member] = common.clone();
        }
    }
    effects
}

fn own_effects(program: &Program, function: FunctionId) -> GlobalEffects {
    let is_global = |id: VariableId| program.variables[id].function.is_none();
    let size = program.variables.len();
    let mut effects = GlobalEffects { read: BitSet::new(size), written: BitSet::new(size) };
    for edge in program.functions[function].body.iter().flat_map(|body| &body.edges) {
        for_each_read(program, &edge.operation, &mut |variable| {
            if is_global(variable) {
                effects.read.insert(variable.index());
            }
        });
        if let Some(variable) = written_variable(&edge.operation).filter(|id| is_global(*id)) {
            effects.written.insert(variable.index());
        }
    }
    effects
}
