//! `--allocation`: the ways to find the cell of an access, as the command line names them.

use clap::ValueEnum;
use heapwright_engine_symbolic_heap::Allocation;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AllocationWay {
    /// By the form of the pointer; asks no solver
    Syntactic,
    /// Asks cvc5 about each cell, in separation logic
    SeparationLogic,
    /// Asks cvc5 once about the whole heap, in separation logic; the form names the cell
    WholeHeap,
    /// Asks the solver about each cell: the same address?
    Equality,
    /// Asks the solver for a model that names the cell
    Model,
}

impl From<AllocationWay> for Allocation {
    fn from(way: AllocationWay) -> Allocation {
        match way {
            AllocationWay::Syntactic => Allocation::Syntactic,
            AllocationWay::SeparationLogic => Allocation::SeparationLogic,
            AllocationWay::WholeHeap => Allocation::WholeHeap,
            AllocationWay::Equality => Allocation::Equality,
            AllocationWay::Model => Allocation::Model,
        }
    }
}
