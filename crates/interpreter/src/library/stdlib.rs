//! `<stdlib.h>`: what is not a model in C.

use heapwright_memory::Value;

use crate::library::{Builtin, Call, Returned};
use crate::machine::Ended;

pub(super) const TABLE: &[(&str, Builtin)] = &[
    ("atexit", atexit),
    ("rand", |call| Ok(Returned::Number(call.machine.next_random()))),
    ("random", |call| Ok(Returned::Number(call.machine.next_random()))),
    ("srand", seed),
    ("srandom", seed),
    ("getenv", no_environment),
    ("secure_getenv", no_environment),
];

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

fn seed(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    call.machine.random_state = call.number(0)? as u32;
    Ok(Returned::Nothing)
}

impl crate::machine::Machine<'_> {
    /// The generator that the C standard shows. The sequence of a seed is the library's affair, so
    /// a program whose answer hangs on it hangs on an input.
    fn next_random(&mut self) -> i128 {
        self.draws.depend();
        self.random_state = self.random_state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        i128::from(self.random_state >> 1)
    }
}
