//! Landmarks: numbers that ranges are widened to. They are constants that the program compares with, and
//! their neighbours, since a number that has passed a comparison is at most one beside it.

use heapwright_base::IdVec;
use heapwright_program::{Expression, ExpressionId, Program, VariableId, sign_extend};

/// Landmarks that a program may have; one with more has none that matter.
const MOST_LANDMARKS: usize = 60;

/// Those of a program, in order.
#[derive(Debug)]
pub(crate) struct Landmarks {
    pub(crate) all: Vec<i128>,
    /// Those that come from comparisons of a variable.
    of_variables: IdVec<VariableId, Vec<i128>>,
}

impl Landmarks {
    pub(crate) fn of(program: &Program) -> Landmarks {
        let usual = vec![-128, -1, 0, 1];
        let mut all = usual.clone();
        let mut of_variables = IdVec::filled(Vec::new(), program.variables.len());
        let expressions = &program.expressions;
        for id in expressions.ids() {
            let Expression::Binary { operator, left, right } = expressions.get(id) else {
                continue;
            };
            if !operator.is_comparison() {
                continue;
            }
            for (side, other) in [(left, right), (right, left)] {
                let Some(number) = constant(program, side) else { continue };
                let marks = [number - 1, number, number + 1];
                all.extend(marks);
                if let Some(variable) = variable(program, other) {
                    of_variables[variable].extend(marks);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        let all = if all.len() > MOST_LANDMARKS { usual } else { all };
        Landmarks { all, of_variables }
    }

    /// Those of one variable.
    pub(crate) fn of_variable(&self, variable: VariableId) -> &[i128] {
        &self.of_variables[variable]
    }
}

fn constant(program: &Program, id: ExpressionId) -> Option<i128> {
    let Expression::Constant { ty, bits } = program.expressions.get(id) else { return None };
    ty.is_integer().then(|| sign_extend(bits, ty.value_bits(program.model)))
}

/// The variable that an expression gives, perhaps as another type.
fn variable(program: &Program, id: ExpressionId) -> Option<VariableId> {
    match program.expressions.get(id) {
        Expression::Variable(variable) => Some(variable),
        Expression::Convert { operand, .. } => variable(program, operand),
        Expression::Constant { .. }
        | Expression::ObjectAddress(_)
        | Expression::FunctionAddress(_)
        | Expression::Unary { .. }
        | Expression::Binary { .. } => None,
    }
}
