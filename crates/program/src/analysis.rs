//! Analyses of graphs and names that any engine may ask for. Each is a value computed from the
//! program when asked for; nothing is cached, nothing is changed.

pub mod bit_set;
pub mod call_graph;
pub mod charts;
pub mod dominators;
pub mod graph;
pub mod liveness;
pub mod loops;
pub mod order;
pub mod references;
pub mod weak_order;

pub use crate::analysis::bit_set::BitSet;
pub use crate::analysis::call_graph::{CallGraph, possible_callees};
pub use crate::analysis::charts::{Chart, Charts};
pub use crate::analysis::dominators::Dominators;
pub use crate::analysis::graph::Graph;
pub use crate::analysis::liveness::{Liveness, for_each_read, written_variable};
pub use crate::analysis::loops::{Loop, LoopId, Loops};
pub use crate::analysis::order::Order;
pub use crate::analysis::references::{GlobalEffects, References, global_effects};
pub use crate::analysis::weak_order::{WeakOrder, display_weak_order, weak_order};
