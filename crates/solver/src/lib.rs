//! Satisfiability of formulas: one trait, two back ends.
//! `EmbeddedSolver` turns terms into gates and gates into clauses for CaDiCaL; `ExternalSolver`
//! talks SMT-LIB 2 to any command; `BackEnd` is the choice between them. A solver belongs to the one `Terms` it was first used with.

mod back_end;
mod embedded;
mod external;
mod meter;
mod result;
mod separation;
mod statistics;

pub use back_end::{BackEnd, Solver};
pub use embedded::EmbeddedSolver;
pub use external::{ExternalCommand, ExternalError, ExternalSolver, echo_answer};
pub use heapwright_deadline::Deadline;
pub use meter::Meter;
pub use result::{CheckResult, Core, LimitReached, SmtSolver};
pub use separation::{SeparationResult, SeparationSolver};
pub use statistics::Statistics;
