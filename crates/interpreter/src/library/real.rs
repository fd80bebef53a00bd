//! The part of `sprintf` that models in C leave to us: numbers with a point.

use crate::library::format::Conversion;
use crate::library::{Builtin, Call, Returned, number};
use crate::machine::Ended;

pub(super) const TABLE: &[(&str, Builtin)] = &[("__heapwright_format_real", format_real)];

/// `(to, limit, at, value, letter, flags, width, precision)`: writes the number behind the `at` bytes
/// that are used already, as far as it fits in front of the terminator; gives the bytes that would
/// be used then.
fn format_real(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let (target, limit, at) = (call.pointer(0)?, call.number(1)? as u64, call.number(2)? as u64);
    let value = call.float(3)?;
    let flags = call.number(5)? as u32;
    let (width, precision) = (call.number(6)? as i32, call.number(7)? as i32);
    let conversion = Conversion {
        left: flags & 1 != 0 || width < 0,
        plus: flags & 2 != 0,
        space: flags & 4 != 0,
        alternate: flags & 8 != 0,
        zero: flags & 16 != 0,
        width: width.unsigned_abs() as usize,
        precision: usize::try_from(precision).ok(),
        letter: call.number(4)? as u8,
        ..Conversion::default()
    };
    let mut text = Vec::new();
    number::float(&conversion, value, &mut text);
    let length = text.len() as u64;
    let room = limit.saturating_sub(1).saturating_sub(at).min(length);
    let start = call.machine.offset(target, at);
    call.write(start, &text[..room as usize])?;
    Ok(Returned::Number(i128::from(at) + i128::from(length)))
}
