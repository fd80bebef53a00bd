//! The engines that there are, in the order in which they are asked: cheap ones first.

use heapwright_engine::Engine;
use heapwright_engine_concrete::ConcreteEngine;
use heapwright_engine_symbolic_heap::SymbolicHeapEngine;
use heapwright_engine_template::TemplateEngine;

/// All engines, with their own settings.
pub(crate) fn engines() -> Vec<Box<dyn Engine>> {
    engines_with(TemplateEngine::default())
}

/// All engines, with this one for template synthesis.
pub(crate) fn engines_with(template: TemplateEngine) -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(ConcreteEngine::default()),
        Box::new(SymbolicHeapEngine::default()),
        Box::new(template),
    ]
}
