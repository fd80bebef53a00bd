//! `<stdlib.h>`: what is not a model in C.

use heapwright_memory::Value;

use crate::library::{Builtin, Call, Returned};
use crate::machine::Ended;

pub(super) const TABLE: &[(&str, Builtin)] =
    &[("atexit", atexit), ("getenv", no_environment), ("secure_getenv", no_environment)];

/// No variable is set; that it could be makes the run depend on the world.
fn no_environment(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    call.world(heapwright_program::ScalarType::INT);
    Ok(Returned::Pointer(Value::ZERO))
}

fn atexit(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let pointer = call.pointer(0)?;
    match call.machine.function_at(pointer) {
        Some(handler) => call.machine.handlers.push(handler),
        None => return Err(call.machine.unsupported("`atexit` of no function".to_owned())),
    }
    Ok(Returned::Number(0))
}
