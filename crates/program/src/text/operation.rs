//! Operations as text, one line each.

use crate::expression::{BinaryOperator, Expression, ExpressionId};
use crate::operation::{Access, Callee, Failure, Halt, InputSource, Operation, Storage};
use crate::program::Program;
use crate::text::expression::{Printer, UNARY};
use crate::text::names::Names;
use crate::text::quote;
use crate::text::types::path_text;
use crate::types::ScalarType;

/// The base of an access that needs no mention: the address, or what the path's offset was added to.
pub(super) fn implied_base(
    program: &Program,
    address: ExpressionId,
    offset: Option<u64>,
) -> Option<ExpressionId> {
    let offset = offset?;
    if offset == 0 {
        return Some(address);
    }
    match program.expressions.get(address) {
        Expression::Binary { operator: BinaryOperator::OffsetPointer, left, right } => {
            let added = program.expressions.constant_bits(right)?;
            (added == u128::from(offset)).then_some(left)
        }
        Expression::Binary { .. }
        | Expression::Constant { .. }
        | Expression::Variable(_)
        | Expression::ObjectAddress(_)
        | Expression::FunctionAddress(_)
        | Expression::Unary { .. }
        | Expression::Convert { .. } => None,
    }
}

impl Printer<'_> {
    /// The exact text; needs the names.
    pub(super) fn operation(&self, names: &Names, operation: &Operation) -> String {
        let size = Some(self.program.model.size_type());
        let pointer = Some(ScalarType::Pointer);
        match operation {
            Operation::Skip => "skip".to_owned(),
            Operation::Assume { condition, holds: true } => {
                format!("[{}]", self.expression(*condition, Some(ScalarType::Bool)))
            }
            Operation::Assume { condition, holds: false } => {
                format!("[!{}]", self.operand(*condition, Some(ScalarType::Bool), UNARY))
            }
            Operation::Assign { target, value } => {
                let expected = self.scalar_of(*target);
                format!("{} = {}", self.variable(*target), self.expression(*value, expected))
            }
            Operation::Input { target, source } => {
                let source = match source {
                    InputSource::Nondeterministic(name) => quote::name(name),
                    InputSource::Uninitialised => "uninitialised".into(),
                };
                format!("{} = any {source}", self.variable(*target))
            }
            Operation::Load { target, access } => {
                format!("{} = load {}", self.variable(*target), self.access(names, access))
            }
            Operation::Store { access, value } => {
                let value = self.expression(*value, Some(access.ty));
                let initial = initial(access.initialises);
                format!("{initial}store {} = {value}", self.access(names, access))
            }
            Operation::Copy { target, source, size: count, initialises } => {
                let parts = [(*target, pointer), (*source, pointer), (*count, size)];
                format!("{}copy{}", initial(*initialises), self.list(&parts))
            }
            Operation::Disjoint { left, right, size: count } => {
                format!(
                    "disjoint{}",
                    self.list(&[(*left, pointer), (*right, pointer), (*count, size)])
                )
            }
            Operation::Fill { target, byte, size: count, initialises } => {
                let parts = [(*target, pointer), (*byte, None), (*count, size)];
                format!("{}fill{}", initial(*initialises), self.list(&parts))
            }
            Operation::Allocate { target, storage, size: count, zeroed } => {
                let zeroed = if *zeroed { "zeroed " } else { "" };
                let storage = match storage {
                    Storage::Heap => "heap",
                    Storage::Alloca => "stack",
                    Storage::Permanent => "permanent",
                };
                let target = self.variable(*target);
                format!("{target} = allocate {zeroed}{storage}{}", self.list(&[(*count, size)]))
            }
            Operation::Free { address } => format!("free{}", self.list(&[(*address, pointer)])),
            Operation::BlockSize { target, address } => {
                let address = self.list(&[(*address, pointer)]);
                format!("{} = block_size{address}", self.variable(*target))
            }
            Operation::Enter { object, size: None } => format!("enter {}", self.object(*object)),
            Operation::Enter { object, size: Some(count) } => {
                format!("enter {}, {}", self.object(*object), self.expression(*count, size))
            }
            Operation::Leave { object } => format!("leave {}", self.object(*object)),
            Operation::Call { target, callee, arguments } => {
                let call = format!("call {}", self.call(*callee, arguments));
                target.map_or(call.clone(), |target| format!("{} = {call}", self.variable(target)))
            }
            Operation::Return { value: None } => "return".to_owned(),
            Operation::Return { value: Some(value) } => {
                format!("return {}", self.expression(*value, self.result()))
            }
            Operation::Halt(halt) => format!("halt {}", self.halt(*halt)),
            Operation::Fail(failure) => fail(failure),
            Operation::Unsupported { construct } => {
                format!("unsupported {}", quote::string(construct))
            }
        }
    }

    pub(super) fn scalar_of(&self, variable: crate::VariableId) -> Option<ScalarType> {
        self.program.variables.get(variable).map(|variable| variable.scalar)
    }

    fn result(&self) -> Option<ScalarType> {
        self.scope.and_then(|function| self.program.functions[function].result)
    }

    fn list(&self, parts: &[(ExpressionId, Option<ScalarType>)]) -> String {
        let parts: Vec<String> =
            parts.iter().map(|(part, expected)| self.expression(*part, *expected)).collect();
        format!("({})", parts.join(", "))
    }

    pub(super) fn call(&self, callee: Callee, arguments: &[ExpressionId]) -> String {
        let expected = expected_arguments(self.program, callee);
        let expected = expected.into_iter().chain(std::iter::repeat(None));
        let arguments: Vec<_> = arguments.iter().copied().zip(expected).collect();
        let callee = match callee {
            Callee::Direct(function) => self.function(function),
            Callee::Indirect(pointer) => {
                format!("*({})", self.expression(pointer, Some(ScalarType::Pointer)))
            }
        };
        format!("{callee}{}", self.list(&arguments))
    }

    fn halt(&self, halt: Halt) -> String {
        match halt {
            Halt::Exit(status) => format!("exit{}", self.list(&[(status, None)])),
            Halt::ImmediateExit(status) => {
                format!("immediate_exit{}", self.list(&[(status, None)]))
            }
            Halt::Abort => "abort".to_owned(),
            Halt::AssumptionFailed => "assumption_failed".to_owned(),
        }
    }

    /// `i32 [p + 8] (node.next)`; says the base and the offset only where they do not follow.
    fn access(&self, names: &Names, access: &Access) -> String {
        let Access { address, ty, bits, base, path, initialises: _ } = access;
        let pointer = Some(ScalarType::Pointer);
        let bits = bits.map_or(String::new(), |bits| {
            format!(" bits {}..{}", bits.offset, u16::from(bits.offset) + u16::from(bits.width))
        });
        let address_text = self.expression(*address, pointer);
        let Some(path) = self.program.paths.get(*path) else {
            return format!("{ty} [{address_text}]{bits} (#{path})");
        };
        let types = &self.program.types;
        let mut inside = path_text(types, names, path);
        if types.path_offset(path.root, &path.steps, self.program.model) != path.offset {
            let offset = path.offset.map_or("unknown".to_owned(), |offset| offset.to_string());
            inside.push_str(&format!(" at {offset}"));
        }
        if implied_base(self.program, *address, path.offset) != Some(*base) {
            inside.push_str(&format!(" from {}", self.expression(*base, pointer)));
        }
        format!("{ty} [{address_text}]{bits} ({inside})")
    }
}

fn initial(initialises: bool) -> &'static str {
    if initialises { "initial " } else { "" }
}

/// The types of the parameters, as far as they are known.
pub(super) fn expected_arguments(program: &Program, callee: Callee) -> Vec<Option<ScalarType>> {
    let Callee::Direct(function) = callee else { return Vec::new() };
    let scalar = |id: &_| program.variables.get(*id).map(|variable| variable.scalar);
    program
        .functions
        .get(function)
        .map_or_else(Vec::new, |function| function.parameters.iter().map(scalar).collect())
}

fn fail(failure: &Failure) -> String {
    let (kind, text) = match failure {
        Failure::Assertion { text } => ("assertion", text),
        Failure::Size { text } => ("size", text),
        Failure::Usage { text } => ("usage", text),
        Failure::Overflow { text } => ("overflow", text),
    };
    format!("fail {kind} {}", quote::string(text))
}
