//! The library: functions that the program calls and nobody defines, one file a header.
//!
//! Whatever can be written in C is a model in C and does not come here. What is here talks to the
//! world (streams, clocks) or computes what C has no operator for.

mod arguments;
mod files;
mod format;
mod math;
mod number;
mod real;
mod scan;
mod stdio;
mod stdlib;
mod time;
mod unistd;

use heapwright_memory::Value;
use heapwright_program::FunctionId;

use crate::float;
use crate::kind::Kind;
pub(crate) use crate::library::arguments::Argument;
pub(crate) use crate::library::files::Files;
use crate::machine::{Ended, Machine};

/// A function of the library.
pub(crate) type Builtin = fn(&mut Call<'_, '_>) -> Result<Returned, Ended>;

/// A call of such a function, under way.
pub(crate) struct Call<'c, 'e> {
    pub(crate) machine: &'c mut Machine<'e>,
    pub(crate) function: FunctionId,
    pub(crate) arguments: &'c [Argument],
}

/// What it gives back, to be brought into the type that the caller expects.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Returned {
    Nothing,
    Number(i128),
    Float(f64),
    Pointer(Value),
}

impl Returned {
    pub(crate) fn value(self, kind: Kind) -> Value {
        match self {
            Returned::Nothing => Value::ZERO,
            Returned::Number(number) if kind.is_float() => float::from_double(kind, number as f64),
            Returned::Number(number) => kind.value(number as u128),
            Returned::Float(number) if kind.is_float() => float::from_double(kind, number),
            Returned::Float(number) => kind.value(number as i128 as u128),
            Returned::Pointer(value) if kind == Kind::Pointer => value,
            Returned::Pointer(value) => kind.value(u128::from(value.low)),
        }
    }
}

/// Whether the interpreter has a function of this name for programs that do not define it.
#[must_use]
pub fn is_library_function(name: &str) -> bool {
    find(name).is_some()
}

/// Whether a function of this name is one of `<math.h>` that touches no memory: its result depends on its
/// arguments alone.
#[must_use]
pub fn is_mathematical(name: &str) -> bool {
    math::TABLES.into_iter().flatten().any(|(known, _)| *known == name)
}

/// The function called `name`.
pub(crate) fn find(name: &str) -> Option<Builtin> {
    let headers =
        [files::TABLE, stdio::TABLE, stdlib::TABLE, time::TABLE, unistd::TABLE, real::TABLE];
    let tables = headers.into_iter().chain(math::TABLES);
    let mut entries = tables.flatten();
    entries.find(|(known, _)| *known == name).map(|&(_, builtin)| builtin)
}

pub(crate) fn call(
    machine: &mut Machine<'_>,
    builtin: Builtin,
    function: FunctionId,
    arguments: &[Argument],
) -> Result<Returned, Ended> {
    builtin(&mut Call { machine, function, arguments })
}

impl Call<'_, '_> {
    /// The argument at `index`.
    pub(crate) fn argument(&self, index: usize) -> Result<Argument, Ended> {
        self.arguments.get(index).copied().ok_or_else(|| {
            let name = self.name();
            self.machine.unsupported(format!("call of `{name}` with too few arguments"))
        })
    }

    pub(crate) fn pointer(&self, index: usize) -> Result<Value, Ended> {
        let argument = self.argument(index)?;
        let model = self.machine.program().model;
        Ok(Kind::Pointer.reinterpret(argument.kind, argument.value, model))
    }

    /// An integer argument.
    pub(crate) fn number(&self, index: usize) -> Result<i128, Ended> {
        Ok(self.argument(index)?.number())
    }

    pub(crate) fn float(&mut self, index: usize) -> Result<f64, Ended> {
        let argument = self.argument(index)?;
        self.machine.inexact |= !argument.is_double();
        Ok(argument.float())
    }

    pub(crate) fn name(&self) -> &str {
        &self.machine.executable.program.functions[self.function].name
    }

    /// An input that the world gives, by the function's name.
    pub(crate) fn world(&mut self, ty: heapwright_program::ScalarType) -> i128 {
        let name = std::sync::Arc::from(self.name());
        let bits = self.machine.draws.nondeterministic(&name, ty);
        let width = ty.value_bits(self.machine.program().model);
        heapwright_program::sign_extend(bits, width)
    }

    /// The bytes of a string in memory, without its zero.
    pub(crate) fn string(&mut self, start: Value) -> Result<Vec<u8>, Ended> {
        self.string_up_to(start, usize::MAX)
    }

    /// At most `limit` bytes of a string in memory; those behind are not looked at.
    pub(crate) fn string_up_to(&mut self, start: Value, limit: usize) -> Result<Vec<u8>, Ended> {
        let mut text = Vec::new();
        // Ends because each round reads another byte, and a block has only so many.
        while text.len() < limit {
            let at = self.machine.offset(start, text.len() as u64);
            let byte = self.machine.load_slowly::<1>(at)? as u8;
            if byte == 0 {
                break;
            }
            text.push(byte);
        }
        Ok(text)
    }

    /// Writes bytes to memory.
    pub(crate) fn write(&mut self, start: Value, bytes: &[u8]) -> Result<(), Ended> {
        for (number, &byte) in (0..).zip(bytes) {
            let at = self.machine.offset(start, number);
            let stored = self.machine.memory.store_word::<1>(at, u64::from(byte));
            self.machine.accessed(stored)?;
        }
        Ok(())
    }
}
