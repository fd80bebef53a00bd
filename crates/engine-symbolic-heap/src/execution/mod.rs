//! Symbolic execution: what each operation of the program does to a state.

pub(crate) mod access;
pub(crate) mod call;
mod carried;
pub(crate) mod contents;
pub(crate) mod cut_calls;
pub(crate) mod elements;
pub(crate) mod elsewhere;
pub(crate) mod ends;
pub(crate) mod expression;
pub(crate) mod external;
pub(crate) mod lifetime;
pub(crate) mod locate;
mod obedience;
pub(crate) mod outcome;
mod remainder;
pub(crate) mod smash;
pub(crate) mod step;
pub(crate) mod stretches;
pub(crate) mod texts;
pub(crate) mod transfer;
