//! Arguments of library functions: those of the call, then those of a `va_list`.

use heapwright_memory::Value;

use crate::arithmetic;
use crate::float;
use crate::kind::Kind;
use crate::library::Call;
use crate::machine::{ARGUMENT_SLOT, Ended};

/// A value with its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) value: Value,
    pub(crate) kind: Kind,
}

impl Argument {
    pub(crate) fn number(self) -> i128 {
        match self.kind.is_float() {
            true => self.kind.bits(self.value) as i128,
            false => arithmetic::as_integer(self.kind, self.value),
        }
    }

    /// Whether the number is one that a `double` can be.
    pub(crate) fn is_double(self) -> bool {
        let is_wide = matches!(self.kind, Kind::F80 | Kind::F128);
        !is_wide || {
            let again = float::from_double(self.kind, self.float());
            self.float().is_nan() || again == self.value
        }
    }

    pub(crate) fn float(self) -> f64 {
        match self.kind.is_float() {
            true => float::to_double(self.kind, self.value),
            false => f64::from_bits(self.value.low),
        }
    }
}

/// Where a function with a format finds what the format asks for.
pub(crate) enum Source {
    /// The arguments of the call, from this one on.
    Call { next: usize },
    /// The `va_list` at this address: its first word points to the next argument.
    List { list: Value },
}

impl Source {
    /// The next argument, read as one of this kind where it comes from a list.
    pub(crate) fn next(&mut self, call: &mut Call<'_, '_>, kind: Kind) -> Result<Argument, Ended> {
        match self {
            Source::Call { next } => {
                *next += 1;
                call.argument(*next - 1)
            }
            Source::List { list } => next_of_list(call, *list, kind),
        }
    }
}

fn next_of_list(call: &mut Call<'_, '_>, list: Value, kind: Kind) -> Result<Argument, Ended> {
    let machine = &mut *call.machine;
    let cursor = machine.load_pointer_slowly(list)?;
    let value = match kind {
        Kind::Pointer => machine.load_pointer_slowly(cursor)?,
        _ => {
            let size = u64::from(kind.width()).div_ceil(8);
            let loaded = machine.memory.load_bytes(cursor, size, &mut machine.draws);
            kind.value(machine.accessed(loaded)?)
        }
    };
    let behind = machine.offset(cursor, ARGUMENT_SLOT);
    let stored = machine.memory.store_pointer(list, behind);
    machine.accessed(stored)?;
    Ok(Argument { value, kind })
}
