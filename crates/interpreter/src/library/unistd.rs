//! `<unistd.h>`: waiting takes no time, and the process is an input.

use heapwright_program::ScalarType;

use crate::library::{Builtin, Returned};

pub(super) const TABLE: &[(&str, Builtin)] = &[
    ("sleep", |_| Ok(Returned::Number(0))),
    ("usleep", |_| Ok(Returned::Number(0))),
    ("getpid", |call| Ok(Returned::Number(call.world(ScalarType::INT)))),
    ("getppid", |call| Ok(Returned::Number(call.world(ScalarType::INT)))),
];
