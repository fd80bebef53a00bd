//! What the code itself says about pointers: which may be null, since a function compares its
//! parameter with null before it follows it or somebody compares a field with null; and which fields
//! own what they point to, since somebody frees it.

use std::collections::BTreeSet;

use heapwright_program::{
    BinaryOperator, Body, Callee, Edge, Expression, ExpressionId, FunctionId, LocationId,
    Operation, PathId, PathStep, Program, ScalarType, VariableId,
};
use rustc_hash::FxHashSet;

/// What is compared with null somewhere.
#[derive(Debug, Default)]
pub(crate) struct NullTests {
    parameters: BTreeSet<(FunctionId, usize)>,
    fields: BTreeSet<FieldName>,
    freed: BTreeSet<FieldName>,
}

/// The name of the record and that of its field.
type FieldName = (String, String);

impl NullTests {
    pub(crate) fn of(program: &Program) -> NullTests {
        let (fields, freed) = loaded_fields(program);
        let mut tests = NullTests { parameters: BTreeSet::new(), fields, freed };
        // Ends because each round but the last adds a parameter. Callees are looked up, so that a
        // function that passes its parameter on tests it too.
        while tests.add_parameters(program) {}
        tests
    }

    /// Whether the function looks whether this parameter is null before it needs it.
    pub(crate) fn has_parameter(&self, function: FunctionId, index: usize) -> bool {
        self.parameters.contains(&(function, index))
    }

    pub(crate) fn has_field(&self, record: &str, field: &str) -> bool {
        self.fields.contains(&(record.to_owned(), field.to_owned()))
    }

    /// Whether somebody frees what the field points to.
    pub(crate) fn is_freed(&self, record: &str, field: &str) -> bool {
        self.freed.contains(&(record.to_owned(), field.to_owned()))
    }

    fn add_parameters(&mut self, program: &Program) -> bool {
        let before = self.parameters.len();
        for id in program.functions.ids() {
            let function = &program.functions[id];
            let Some(body) = &function.body else { continue };
            for (index, &parameter) in function.parameters.iter().enumerate() {
                let is_pointer = program.variables[parameter].scalar == ScalarType::Pointer;
                if is_pointer && self.is_tested_first(program, body, parameter) {
                    self.parameters.insert((id, index));
                }
            }
        }
        self.parameters.len() > before
    }

    /// Whether some path compares the value that the variable has at the start with null before it
    /// follows it. Copies of the value are followed too.
    fn is_tested_first(&self, program: &Program, body: &Body, parameter: VariableId) -> bool {
        let outgoing = body.outgoing();
        let mut seen = FxHashSet::default();
        let mut waiting: Vec<(LocationId, VariableId)> = vec![(body.entry, parameter)];
        while let Some(at) = waiting.pop() {
            if !seen.insert(at) {
                continue;
            }
            let (location, variable) = at;
            for &edge in &outgoing[location] {
                let edge = &body.edges[edge];
                match self.effect(program, edge, variable) {
                    Effect::Tests => return true,
                    Effect::Follows => {}
                    Effect::Nothing => waiting.push((edge.target, variable)),
                    Effect::CopiesTo(copy) => {
                        waiting.extend([(edge.target, variable), (edge.target, copy)]);
                    }
                }
            }
        }
        false
    }

    fn effect(&self, program: &Program, edge: &Edge, variable: VariableId) -> Effect {
        let is_it = |id: ExpressionId| matches!(program.expressions.get(id), Expression::Variable(found) if found == variable);
        if read_expressions(&edge.operation).iter().any(|&id| compares(program, id, variable)) {
            return Effect::Tests;
        }
        match &edge.operation {
            Operation::Assign { target, value } if is_it(*value) => Effect::CopiesTo(*target),
            Operation::Assign { target, .. } | Operation::Input { target, .. }
                if *target == variable =>
            {
                Effect::Follows
            }
            Operation::Call { callee: Callee::Direct(callee), arguments, .. } => {
                let passed = arguments.iter().position(|&argument| is_it(argument));
                match passed {
                    Some(index) if self.has_parameter(*callee, index) => Effect::Tests,
                    Some(_) => Effect::Follows,
                    None => Effect::Nothing,
                }
            }
            operation if followed(operation).iter().any(|&id| mentions(program, id, variable)) => {
                Effect::Follows
            }
            _ => Effect::Nothing,
        }
    }
}

/// What an edge does with a pointer.
enum Effect {
    Tests,
    /// Uses what it points to, or forgets it.
    Follows,
    Nothing,
    CopiesTo(VariableId),
}

/// The expressions whose value an operation looks at.
fn read_expressions(operation: &Operation) -> Vec<ExpressionId> {
    match operation {
        Operation::Assume { condition, .. } => vec![*condition],
        Operation::Assign { value, .. } | Operation::Store { value, .. } => vec![*value],
        Operation::Return { value } => value.iter().copied().collect(),
        Operation::Call { arguments, .. } => arguments.clone(),
        Operation::Skip
        | Operation::Input { .. }
        | Operation::Load { .. }
        | Operation::Copy { .. }
        | Operation::Disjoint { .. }
        | Operation::Fill { .. }
        | Operation::Allocate { .. }
        | Operation::Free { .. }
        | Operation::BlockSize { .. }
        | Operation::Enter { .. }
        | Operation::Leave { .. }
        | Operation::Halt(_)
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => Vec::new(),
    }
}

/// The addresses that an operation follows.
fn followed(operation: &Operation) -> Vec<ExpressionId> {
    match operation {
        Operation::Load { access, .. } | Operation::Store { access, .. } => vec![access.address],
        Operation::Copy { target, source, .. } => vec![*target, *source],
        Operation::Fill { target, .. } => vec![*target],
        Operation::Free { address } | Operation::BlockSize { address, .. } => vec![*address],
        Operation::Call { callee: Callee::Indirect(pointer), .. } => vec![*pointer],
        Operation::Skip
        | Operation::Assume { .. }
        | Operation::Assign { .. }
        | Operation::Input { .. }
        | Operation::Disjoint { .. }
        | Operation::Allocate { .. }
        | Operation::Enter { .. }
        | Operation::Leave { .. }
        | Operation::Call { callee: Callee::Direct(_), .. }
        | Operation::Return { .. }
        | Operation::Halt(_)
        | Operation::Fail(_)
        | Operation::Unsupported { .. } => Vec::new(),
    }
}

fn mentions(program: &Program, id: ExpressionId, variable: VariableId) -> bool {
    let mut found = false;
    program.expressions.visit(id, &mut |_, expression| {
        found |= matches!(expression, Expression::Variable(other) if other == variable);
    });
    found
}

/// Whether the expression has `variable == null`, `variable != null` or its truth in it.
fn compares(program: &Program, id: ExpressionId, variable: VariableId) -> bool {
    let expressions = &program.expressions;
    let is_it = |id: ExpressionId| matches!(expressions.get(id), Expression::Variable(found) if found == variable);
    let is_null = |id: ExpressionId| expressions.constant_bits(id) == Some(0);
    let mut found = false;
    expressions.visit(id, &mut |_, expression| {
        found |= match expression {
            Expression::Binary {
                operator: BinaryOperator::Equal | BinaryOperator::NotEqual,
                left,
                right,
            } => (is_it(left) && is_null(right)) || (is_it(right) && is_null(left)),
            Expression::Convert { operand, ty: ScalarType::Bool } => is_it(operand),
            _ => false,
        };
    });
    found
}

/// Fields that some function loads and then compares with null, and those that it loads and frees.
fn loaded_fields(program: &Program) -> (BTreeSet<FieldName>, BTreeSet<FieldName>) {
    let (mut tested, mut freed) = (BTreeSet::new(), BTreeSet::new());
    for function in &program.functions {
        let Some(body) = &function.body else { continue };
        let (mut compared, mut released) = (BTreeSet::new(), BTreeSet::new());
        for edge in &body.edges {
            if let Operation::Free { address } = edge.operation
                && let Expression::Variable(variable) = program.expressions.get(address)
            {
                released.insert(variable);
            }
            for id in read_expressions(&edge.operation) {
                program.expressions.visit(id, &mut |_, expression| {
                    if let Expression::Variable(variable) = expression
                        && compares(program, id, variable)
                    {
                        compared.insert(variable);
                    }
                });
            }
        }
        for edge in &body.edges {
            if let Operation::Load { target, access } = &edge.operation
                && let Some(name) = field_name(program, access.path)
            {
                if compared.contains(target) {
                    tested.insert(name.clone());
                }
                if released.contains(target) {
                    freed.insert(name);
                }
            }
        }
    }
    (tested, freed)
}

fn field_name(program: &Program, path: PathId) -> Option<FieldName> {
    let steps = program.paths[path].steps.iter();
    let field = steps.rev().find_map(|step| match step {
        PathStep::Field { record, index } => Some((*record, *index)),
        PathStep::Element(_) => None,
    });
    let (record, index) = field?;
    let record = program.types.record(record);
    Some((record.name.clone(), record.fields[index as usize].name.clone()))
}
