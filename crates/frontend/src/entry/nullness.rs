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
    /// Whether somebody frees what an element of an array points to, or may: it is loaded from no field.
    pub(super) frees_contents: bool,
}

/// The name of the record and that of its field.
pub(super) type FieldName = (String, String);

impl NullTests {
    pub(crate) fn of(program: &Program) -> NullTests {
        let LoadedFields { tested: fields, freed, frees_contents, .. } = loaded_fields(program);
        let mut tests = NullTests { parameters: BTreeSet::new(), fields, freed, frees_contents };
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

/// What a function does with fields.
#[derive(Debug, Default)]
pub(super) struct LoadedFields {
    pub(super) loaded: BTreeSet<FieldName>,
    /// Loaded, and then compared with null.
    pub(super) tested: BTreeSet<FieldName>,
    /// Loaded, and then freed.
    pub(super) freed: BTreeSet<FieldName>,
    /// What is loaded from no field is compared with null.
    pub(super) compares_contents: bool,
    /// What is loaded from no field is freed.
    pub(super) frees_contents: bool,
}

/// What all functions together do with fields.
fn loaded_fields(program: &Program) -> LoadedFields {
    let mut all = LoadedFields::default();
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        let fields = loaded_fields_of(program, body);
        all.loaded.extend(fields.loaded);
        all.tested.extend(fields.tested);
        all.freed.extend(fields.freed);
        all.compares_contents |= fields.compares_contents;
        all.frees_contents |= fields.frees_contents;
    }
    all
}

/// Fields that a function loads, and those that it then compares with null or frees.
pub(super) fn loaded_fields_of(program: &Program, body: &Body) -> LoadedFields {
    let mut fields = LoadedFields::default();
    let compared = compared_variables(program, body);
    let freed = body.edges.iter().filter_map(|edge| match edge.operation {
        Operation::Free { address } => match program.expressions.get(address) {
            Expression::Variable(variable) => Some(variable),
            _ => None,
        },
        _ => None,
    });
    let released: BTreeSet<VariableId> = freed.collect();
    for edge in &body.edges {
        let Operation::Load { target, access } = &edge.operation else { continue };
        let (is_compared, is_freed) = (compared.contains(target), released.contains(target));
        let Some(name) = field_name(program, access.path) else {
            fields.compares_contents |= is_compared;
            fields.frees_contents |= is_freed;
            continue;
        };
        if is_compared {
            fields.tested.insert(name.clone());
        }
        if is_freed {
            fields.freed.insert(name.clone());
        }
        fields.loaded.insert(name);
    }
    fields
}

/// The variables that some edge compares with null.
pub(super) fn compared_variables(program: &Program, body: &Body) -> BTreeSet<VariableId> {
    let mut compared = BTreeSet::new();
    for id in body.edges.iter().flat_map(|edge| read_expressions(&edge.operation)) {
        program.expressions.visit(id, &mut |_, expression| {
            if let Expression::Variable(variable) = expression
                && compares(program, id, variable)
            {
                compared.insert(variable);
            }
        });
    }
    compared
}

pub(super) fn field_name(program: &Program, path: PathId) -> Option<FieldName> {
    let steps = program.paths[path].steps.iter();
    let field = steps.rev().find_map(|step| match step {
        PathStep::Field { record, index } => Some((*record, *index)),
        PathStep::Element(_) => None,
    });
    let (record, index) = field?;
    let record = program.types.record(record);
    Some((record.name.clone(), record.fields[index as usize].name.clone()))
}
