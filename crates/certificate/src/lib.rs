//! Certificates of invariants, and a check of them that shares no encoding with who found them.
//!
//! `claims` is the language: what an invariant says at a loop's head, in terms of the program's own
//! variables, blocks and bytes. The check walks the program anew (`walk`, `step`, `call`, `ending`), with loops
//! cut where claims stand (`cut`), over values (`value`, `expression`) and a memory that is a log of
//! what was done to it (`memory`, `read`, `blocks`), and asks the solver once (`check`). `concrete` reads
//! claims on a running machine. Of the rest of the project it knows the program, the interpreter, terms
//! and the solver.

mod blocks;
mod call;
mod check;
mod claims;
mod concrete;
mod cut;
mod ending;
mod expression;
mod memory;
mod places;
mod read;
mod state;
mod step;
mod value;
mod walk;

pub use crate::check::{Answer, Limits, check};
pub use crate::claims::{
    Calls, Certificate, Changes, Claim, FrameClaims, FrameKey, Leaf, Method, ObjectClaim,
    ObjectKey, Part, Spot, Subject,
};
pub use crate::concrete::{Contained, Watch};
