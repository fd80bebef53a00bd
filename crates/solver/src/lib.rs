//! Satisfiability of formulas: one trait, two back ends.
//! `EmbeddedSolver` turns terms into gates and gates into clauses for CaDiCaL; `ExternalSolver`
//! talks SMT-LIB 2 to any command. A solver belongs to the one `Terms` it was first used with.

mod deadline;
mod embedded;
mod external;
mod result;
mod statistics;

pub use deadline::{Cancellation, Deadline};
pub use embedded::EmbeddedSolver;
pub use external::{ExternalCommand, ExternalError, ExternalSolver};
pub use result::{CheckResult, Core, LimitReached, SmtSolver};
pub use statistics::Statistics;
