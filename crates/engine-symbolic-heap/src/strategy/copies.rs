//! Whether a program copies numbers that it has read, and compares such numbers: then it may ask whether a copy is like its
//! original.

use heapwright_program::{
    BinaryOperator, Callee, Expression, ExpressionId, Operation, Program, VariableId,
};
use rustc_hash::FxHashSet;

/// Whether a number that was read from memory is written there, as it is, and two that were read are compared.
pub(crate) fn copies_numbers(program: &Program) -> bool {
    let read = Read::of(program);
    let stores = operations(program).any(
        |operation| matches!(operation, Operation::Store { value, .. } if read.is_read(*value)),
    );
    let expressions = &program.expressions;
    let mut all = expressions.ids().map(|id| expressions.get(id));
    stores && all.any(|expression| read.is_comparison(expression))
}

fn operations(program: &Program) -> impl Iterator<Item = &Operation> {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    bodies.flat_map(|body| body.edges.iter().map(|edge| &edge.operation))
}

/// Variables that may hold a number as it was read from memory.
pub(crate) struct Read<'p> {
    program: &'p Program,
    variables: FxHashSet<VariableId>,
}

impl Read<'_> {
    pub(crate) fn of(program: &Program) -> Read<'_> {
        let mut read = Read { program, variables: FxHashSet::default() };
        // Ends because each round adds a variable.
        loop {
            let before = read.variables.len();
            for operation in operations(program) {
                read.pass(operation);
            }
            if read.variables.len() == before {
                return read;
            }
        }
    }

    fn pass(&mut self, operation: &Operation) {
        if let Operation::Load { target, .. } = operation
            && self.program.variables[*target].scalar.is_integer()
        {
            self.variables.insert(*target);
        } else if let Operation::Assign { target, value } = operation
            && self.is_read(*value)
        {
            self.variables.insert(*target);
        } else if let Operation::Call { callee: Callee::Direct(function), arguments, .. } =
            operation
        {
            let parameters = &self.program.functions[*function].parameters;
            let passed = parameters.iter().zip(arguments);
            let passed: Vec<VariableId> =
                passed.filter(|(_, of)| self.is_read(**of)).map(|(&id, _)| id).collect();
            self.variables.extend(passed);
        }
    }

    /// Whether an expression is a number that was read, converted perhaps.
    fn is_read(&self, expression: ExpressionId) -> bool {
        match self.program.expressions.get(expression) {
            Expression::Variable(variable) => self.variables.contains(&variable),
            Expression::Convert { operand, .. } => self.is_read(operand),
            Expression::Constant { .. }
            | Expression::ObjectAddress(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. } => false,
        }
    }

    /// Whether a number that was read is compared with one that is no constant.
    pub(crate) fn is_comparison_with_held(&self, expression: Expression) -> bool {
        let Expression::Binary { operator, left, right } = expression else { return false };
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let is_constant =
            |id| matches!(self.program.expressions.get(id), Expression::Constant { .. });
        let is_pair = |one, other| self.is_read(one) && !is_constant(other);
        is_equality && (is_pair(left, right) || is_pair(right, left))
    }

    fn is_comparison(&self, expression: Expression) -> bool {
        let Expression::Binary { operator, left, right } = expression else { return false };
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        is_equality && self.is_read(left) && self.is_read(right)
    }
}
