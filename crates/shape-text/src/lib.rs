//! Certificates of shape proofs, read and checked without the engine that wrote them.
//!
//! A certificate of the engine `three-valued` says what its predicates mean, and which structures there are at
//! which place of the program. This crate reads that text and shows that it is closed under the program's
//! steps. It knows neither bit planes nor the exploration: truth values in tables, formulas by plain
//! recursion, rules by trying all nodes. It is slow, and short enough to be read.
//!
//! Reading order: `truth`, `table`, `heap`, `formula`, `read_formula`, `meaning`; `news`, `sharpen`, `update`, `number` (what steps
//! do to heaps); `state`, `certificate`; `value`, `step`, `memory`, `leaks` (what edges do to states); `trial`,
//! `inside`, `check`; `machine` and `sample` (what is claimed of concrete states).

mod certificate;
mod check;
mod formula;
mod heap;
mod inside;
mod leaks;
mod machine;
mod meaning;
mod memory;
mod news;
mod number;
mod read_formula;
mod sample;
mod sharpen;
mod state;
mod step;
mod table;
mod trial;
mod truth;
mod update;
mod value;

pub use crate::certificate::{Claims, TextError};
pub use crate::check::{Refusal, check};
pub use crate::machine::{ClaimedPlace, Fit};
pub use crate::step::{Objection, Question};
