//! What an exploration counted.

/// The work of an exploration, and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Transfers that were made.
    pub transfers: u64,
    /// Work in them, as the analysis counts it.
    pub work: u64,
    /// Nodes of the graph.
    pub nodes: usize,
    /// States that wait now.
    pub waiting: usize,
    /// States that waited at a time, at most.
    pub most_waiting: usize,
    /// States that were covered on arrival.
    pub covered: u64,
    /// Known states that were replaced by one that describes a new state, too.
    pub joined: u64,
    /// Known states that a joined one describes as well.
    pub pruned: u64,
    /// Replaced or pruned states that had waited and are not explored for themselves.
    pub spared: u64,
    /// States that are kept apart at one meeting place, at most.
    pub most_at_one_place: usize,
}
