//! What the engine counted.

/// Work of one run of the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Edges executed.
    pub steps: u64,
    pub forks: u64,
    pub paths: u64,
    /// Questions that the solver was asked.
    pub solver_calls: u64,
    /// Questions that the model at hand answered.
    pub model_hits: u64,
    /// Questions that had been answered before.
    pub answer_hits: u64,
    /// Questions that another value of one variable answered.
    pub guesses: u64,
    pub foldings: u64,
    pub unfoldings: u64,
    /// Elements that were read or written at one of many places.
    pub elements: u64,
    /// The same of pointers.
    pub pointers: u64,
    /// States that were covered by a known one.
    pub covered: u64,
    /// Known states that were made more general.
    pub generalised: u64,
    /// Entries of recursive functions that are told apart.
    pub entries: u64,
}
