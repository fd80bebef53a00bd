//! `<time.h>`: clocks are inputs.

use heapwright_program::ScalarType;

use crate::library::{Builtin, Call, Returned};
use crate::machine::Ended;

pub(super) const TABLE: &[(&str, Builtin)] = &[("time", time), ("clock", clock)];

fn offset_type(call: &Call<'_, '_>) -> ScalarType {
    call.machine.program().model.offset_type()
}

fn time(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let ty = offset_type(call);
    let now = call.world(ty);
    let target = call.pointer(0)?;
    if target.low != 0 {
        let size = ty.size(call.machine.program().model);
        let stored = call.machine.memory.store_bytes(target, size, now as u128);
        call.machine.accessed(stored)?;
    }
    Ok(Returned::Number(now))
}

fn clock(call: &mut Call<'_, '_>) -> Result<Returned, Ended> {
    let ty = offset_type(call);
    Ok(Returned::Number(call.world(ty)))
}
