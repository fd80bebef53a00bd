//! The engines that there are, in the order in which they are asked: cheap ones first.

use heapwright_engine::Engine;
use heapwright_engine_concrete::ConcreteEngine;
use heapwright_engine_symbolic_heap::{Settings, SymbolicHeapEngine};
use heapwright_solver::{BackEnd, Meter};

/// What the user chooses for all engines.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineOptions {
    pub(crate) solver: BackEnd,
    /// Counts what the engines ask the solver.
    pub(crate) meter: Meter,
}

pub(crate) fn engines(options: &EngineOptions) -> Vec<Box<dyn Engine>> {
    let EngineOptions { solver, meter } = options.clone();
    let symbolic_heap =
        SymbolicHeapEngine { settings: Settings { solver, meter, ..Settings::default() } };
    vec![Box::new(ConcreteEngine::default()), Box::new(symbolic_heap)]
}
