//! The engines that there are, in the order in which they are asked: cheap ones first.

use heapwright_engine::Engine;
use heapwright_engine_concrete::ConcreteEngine;
use heapwright_engine_symbolic_heap::SymbolicHeapEngine;

pub(crate) fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(ConcreteEngine::default()), Box::new(SymbolicHeapEngine::default())]
}
