//! The exploration of abstract states, written once for every engine that explores.
//!
//! An engine says what its states are ([`Analysis`]): where they lead, where they meet, which of
//! two covers the other, what describes both. The [`Explorer`] does the rest: it keeps the abstract
//! reachability [`Graph`] and the list of waiting states, in an [`Order`] of choice and within
//! [`Budgets`]. Method: configurable program analysis, Beyer, Henzinger, Théoduloz, CAV 2007, with
//! precision as in their ASE 2008 paper.
//!
//! Reading order: `analysis`, `graph`, `waitlist`, `budget`, `statistics`, `explorer`.

mod analysis;
mod budget;
mod explorer;
mod graph;
mod statistics;
mod waitlist;

pub use crate::analysis::{Analysis, Merge, Step};
pub use crate::budget::{Budgets, Control, Event, Limit, Observer};
pub use crate::explorer::{End, Explorer, Found};
pub use crate::graph::{Graph, NodeId, Status};
pub use crate::statistics::Statistics;
pub use crate::waitlist::Order;
