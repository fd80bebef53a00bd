//! The `printf` and `scanf` families with a format that is a literal: taken apart here, so that every
//! engine sees what is read and written instead of a call that it would have to know. Only where
//! the environment is modelled; other formats go to models in C, which take them apart when they
//! run.

mod directive;
mod print;
mod scan;

use heapwright_program::{Callee, ExpressionId, Failure, Operation, ScalarType, VariableId};
use rucc_sema::{DeclId, ExprId, ExprKind};

use super::function::FunctionLowering;
use super::value::Value;
use crate::settings::World;

/// Where what is printed goes to, by positions among the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sink {
    StandardOutput,
    Stream(usize),
    Memory {
        limit: Option<usize>,
    },
    /// `asprintf`: fresh memory, whose address goes to the first argument.
    Allocated,
}

/// Where what is scanned comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    StandardInput,
    Stream,
}

/// Functions with a model for calls whose result nobody looks at.
const QUIET: [&str; 9] =
    ["puts", "fputs", "putchar", "fputc", "putc", "fwrite", "fflush", "fclose", "time"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Formatted {
    Print { sink: Sink, format: usize },
    Scan { origin: Origin, format: usize },
}

impl Formatted {
    fn named(name: &str) -> Option<Formatted> {
        let print = |sink, format| Some(Formatted::Print { sink, format });
        let scan = |origin, format| Some(Formatted::Scan { origin, format });
        match name.strip_prefix("__builtin_").unwrap_or(name) {
            "printf" => print(Sink::StandardOutput, 0),
            "__printf_chk" => print(Sink::StandardOutput, 1),
            "fprintf" => print(Sink::Stream(0), 1),
            "__fprintf_chk" => print(Sink::Stream(0), 2),
            "dprintf" => print(Sink::StandardOutput, 1),
            "syslog" => print(Sink::StandardOutput, 1),
            "wprintf" => print(Sink::StandardOutput, 0),
            "fwprintf" => print(Sink::Stream(0), 1),
            "sprintf" => print(Sink::Memory { limit: None }, 1),
            "__sprintf_chk" => print(Sink::Memory { limit: None }, 3),
            "snprintf" => print(Sink::Memory { limit: Some(1) }, 2),
            "__snprintf_chk" => print(Sink::Memory { limit: Some(1) }, 4),
            "asprintf" => print(Sink::Allocated, 1),
            "__asprintf_chk" => print(Sink::Allocated, 2),
            "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => scan(Origin::StandardInput, 0),
            "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => scan(Origin::Stream, 1),
            _ => None,
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// A call of one of these functions, if that is what it is and its format is a literal.
    pub(crate) fn formatted(
        &mut self,
        decl: DeclId,
        name: &str,
        arguments: &[ExprId],
        is_needed: bool,
    ) -> Option<Value> {
        let linker = &self.unit.linker;
        let is_library = linker.world == World::Modelled
            && !linker.survey.defined_functions.contains(name)
            && self.unit.unit.tast[decl].linkage == rucc_sema::Linkage::External;
        if !is_library {
            return None;
        }
        if !is_needed && QUIET.contains(&name) {
            return Some(self.quiet(name, arguments));
        }
        match Formatted::named(name)? {
            Formatted::Print { sink, format } => {
                let text = self.literal_bytes(*arguments.get(format)?)?;
                Some(self.print(sink, format, &text, arguments, is_needed))
            }
            Formatted::Scan { origin, format } => {
                let text = self.literal_bytes(*arguments.get(format)?)?;
                Some(self.scan(origin, format, &text, arguments, is_needed))
            }
        }
    }

    /// A call whose result nobody looks at, of a function that may fail: nothing depends on whether
    /// it does, so that no input says it.
    fn quiet(&mut self, name: &str, arguments: &[ExprId]) -> Value {
        let values = self.arguments(arguments);
        self.call_model(&format!("__heapwright_quiet_{name}"), &values, None);
        Value::Nothing
    }

    /// The bytes of a string literal, which is all that the expression is. Of a wide one, the
    /// characters, if they are all ASCII.
    fn literal_bytes(&self, mut expression: ExprId) -> Option<Vec<u8>> {
        let tast = &self.unit.unit.tast;
        loop {
            match tast[expression].kind {
                ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => {
                    expression = operand;
                }
                ExprKind::Str(string) => {
                    let target = &self.unit.unit.target;
                    let bytes = tast[string].bytes(target);
                    let width = tast[string].encoding.element_width(target) as usize / 8;
                    let narrow = |element: &[u8]| {
                        let is_ascii = element[0] < 128 && element[1..].iter().all(|&b| b == 0);
                        (width == 1 || is_ascii).then_some(element[0])
                    };
                    return bytes.chunks(width.max(1)).map(narrow).collect();
                }
                _ => return None,
            }
        }
    }

    /// Calls one of our models.
    fn model(
        &mut self,
        name: &str,
        arguments: &[ExpressionId],
        result: ScalarType,
    ) -> ExpressionId {
        let target = self.temporary(result);
        self.call_model(name, arguments, Some(target));
        self.variable(target)
    }

    fn call_model(&mut self, name: &str, arguments: &[ExpressionId], target: Option<VariableId>) {
        let parameters: Vec<ScalarType> =
            arguments.iter().map(|&argument| self.type_of(argument)).collect();
        let result = target.map(|target| self.unit.linker.program.variables[target].scalar);
        let function = self.unit.library_function(name, result, &parameters);
        let callee = Callee::Direct(function);
        self.emit(Operation::Call { target, callee, arguments: arguments.to_vec() });
    }

    fn misuse(&mut self, text: impl Into<String>) {
        self.emit_last(Operation::Fail(Failure::Usage { text: text.into() }));
        // What follows is not reached, but is lowered all the same.
        let after = self.new_location();
        self.continue_at(after);
    }
}
