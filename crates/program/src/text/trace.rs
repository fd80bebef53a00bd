//! Operations in the words of C, for traces, messages and drawings. Not read back.

use crate::expression::{Expression, ExpressionId};
use crate::operation::{
    Access, Callee, Failure, Halt, InputSource, Operation, PathStep, Storage, VOLATILE,
};
use crate::program::Program;
use crate::text::expression::{Printer, UNARY};

/// An expression with bare names and numbers.
#[must_use]
pub fn display_expression(program: &Program, expression: ExpressionId) -> String {
    plain(program).expression(expression, None)
}

/// What an edge does: `t = p->next`, `x < 3`, `p = malloc(24)`.
#[must_use]
pub fn display_operation(program: &Program, operation: &Operation) -> String {
    let printer = plain(program);
    let text = |id: &ExpressionId| printer.expression(*id, None);
    match operation {
        Operation::Skip => "skip".to_owned(),
        Operation::Assume { condition, holds: true } => text(condition),
        Operation::Assume { condition, holds: false } => {
            format!("!{}", printer.operand(*condition, None, UNARY))
        }
        Operation::Assign { target, value } => {
            format!("{} = {}", printer.variable(*target), text(value))
        }
        Operation::Input { target, source } => {
            let target = printer.variable(*target);
            match source {
                InputSource::Nondeterministic(name) if name == VOLATILE => {
                    format!("{target} is what a volatile object has become")
                }
                InputSource::Nondeterministic(name) => format!("{target} = {name}()"),
                InputSource::Uninitialised => format!("{target} is uninitialised"),
            }
        }
        Operation::Load { target, access } => {
            format!("{} = {}", printer.variable(*target), printer.lvalue(access))
        }
        Operation::Store { access, value } => {
            format!("{} = {}", printer.lvalue(access), text(value))
        }
        Operation::Copy { target, source, size, .. } => {
            format!("memmove({}, {}, {})", text(target), text(source), text(size))
        }
        Operation::Disjoint { left, right, size } => {
            format!("{} bytes at {} and {} are apart", text(size), text(left), text(right))
        }
        Operation::Fill { target, byte, size, .. } => {
            format!("memset({}, {}, {})", text(target), text(byte), text(size))
        }
        Operation::Allocate { target, storage, size, zeroed } => {
            let function = match (storage, zeroed) {
                (Storage::Heap, false) => "malloc(",
                (Storage::Heap, true) => "calloc(1, ",
                (Storage::Alloca | Storage::Permanent, _) => "alloca(",
            };
            format!("{} = {function}{})", printer.variable(*target), text(size))
        }
        Operation::Free { address } => format!("free({})", text(address)),
        Operation::BlockSize { target, address } => {
            format!("{} = malloc_usable_size({})", printer.variable(*target), text(address))
        }
        Operation::Enter { object, size: None } => {
            format!("{} comes into scope", printer.object(*object))
        }
        Operation::Enter { object, size: Some(size) } => {
            format!("{} comes into scope with {} bytes", printer.object(*object), text(size))
        }
        Operation::Leave { object } => format!("{} goes out of scope", printer.object(*object)),
        Operation::Call { target, callee, arguments } => {
            let call = printer.call_in_c(*callee, arguments);
            target.map_or(call.clone(), |target| format!("{} = {call}", printer.variable(target)))
        }
        Operation::Return { value: None } => "return".to_owned(),
        Operation::Return { value: Some(value) } => format!("return {}", text(value)),
        Operation::Halt(Halt::Exit(status)) => format!("exit({})", text(status)),
        Operation::Halt(Halt::ImmediateExit(status)) => format!("_exit({})", text(status)),
        Operation::Halt(Halt::Abort) => "abort()".to_owned(),
        Operation::Halt(Halt::AssumptionFailed) => "assumption fails".to_owned(),
        Operation::Fail(failure) => failure_in_words(failure),
        Operation::Unsupported { construct } => format!("not supported: {construct}"),
    }
}

fn failure_in_words(failure: &Failure) -> String {
    match failure {
        Failure::Assertion { text } => format!("assert({text}) fails"),
        Failure::Size { text } | Failure::Usage { text } | Failure::Overflow { text } => {
            text.clone()
        }
    }
}

fn plain(program: &Program) -> Printer<'_> {
    Printer { program, names: None, scope: None }
}

impl Printer<'_> {
    fn call_in_c(&self, callee: Callee, arguments: &[ExpressionId]) -> String {
        match callee {
            Callee::Direct(_) => self.call(callee, arguments),
            // `(*f)(x)`, where the exact text has `*(f)(x)`.
            Callee::Indirect(_) => {
                format!("({}", self.call(callee, arguments).replacen('(', "", 1))
            }
        }
    }

    /// `p->next`, `table.slots[].key`, `*p`, `p[3]`.
    fn lvalue(&self, access: &Access) -> String {
        let Some(path) = self.program.paths.get(access.path) else {
            return format!("*{}", self.operand(access.address, None, UNARY));
        };
        // The path may have lost the index; the address still has it.
        let is_lost = path.steps.is_empty() && access.base != access.address;
        if is_lost {
            return format!("*({})", self.expression(access.address, None));
        }
        match self.program.expressions.get(access.base) {
            Expression::ObjectAddress(object) => {
                format!("{}{}", self.object(object), self.steps(&path.steps, false))
            }
            Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Convert { .. } => {
                let base = self.operand(access.base, None, UNARY);
                if path.steps.is_empty() {
                    return format!("*{base}");
                }
                format!("{base}{}", self.steps(&path.steps, true))
            }
        }
    }

    fn steps(&self, steps: &[PathStep], through_pointer: bool) -> String {
        let mut text = String::new();
        for (position, step) in steps.iter().enumerate() {
            match step {
                PathStep::Element(Some(index)) => text.push_str(&format!("[{index}]")),
                PathStep::Element(None) => text.push_str("[…]"),
                PathStep::Field { record, index } => {
                    let field = self.program.types.record(*record).fields.get(*index as usize);
                    let name = field.map_or("?", |field| field.name.as_str());
                    if name.is_empty() {
                        continue;
                    }
                    let is_first = position == 0 || text.is_empty();
                    text.push_str(if is_first && through_pointer { "->" } else { "." });
                    text.push_str(name);
                }
            }
        }
        text
    }
}
