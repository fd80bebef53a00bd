//! The engines that there are, in the order in which they are asked: cheap ones first.

use std::sync::Arc;

use heapwright_engine::Engine;
use heapwright_engine_concrete::ConcreteEngine;
use heapwright_engine_forest_automata::ForestEngine;
use heapwright_engine_k_limited::KLimitedEngine;
use heapwright_engine_symbolic_heap::{Allocation, Definitions, Settings, SymbolicHeapEngine};
use heapwright_engine_template::TemplateEngine;
use heapwright_engine_three_valued::ThreeValuedEngine;
use heapwright_solver::{BackEnd, Meter, SeparationSolver};

/// What the user chooses for all engines.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    pub solver: BackEnd,
    /// Whether lists are folded, so that their length does not matter.
    pub summaries: bool,
    /// What users define for the symbolic heap to fold.
    pub predicates: Arc<Definitions>,
    /// How the symbolic heap finds the cell of an access.
    pub allocation: Allocation,
    /// Counts what the engines ask the solver.
    pub meter: Meter,
    /// The template engine with its domains.
    pub template: TemplateEngine,
    /// The engine of shape classes, with those that there are.
    pub shapes: ThreeValuedEngine,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        let Settings { solver, summaries, predicates, allocation, meter, .. } = Settings::default();
        let (template, shapes) = (TemplateEngine::default(), ThreeValuedEngine::default());
        EngineOptions { solver, summaries, predicates, allocation, meter, template, shapes }
    }
}

/// What to do about a solver that does not work.
const SOLVER_HINT: &str = "Install it, or choose another one: --solver embedded needs no other \
    program; z3, cvc5 and bitwuzla are started as they need it; everything else is a command that \
    reads SMT-LIB 2 from its standard input, such as --solver \"z3 -in\".";
const SEPARATION_HINT: &str = "--allocation separation-logic needs cvc5, which knows this logic. \
    Install it, or leave the option out: --allocation syntactic is faster anyway.";

impl EngineOptions {
    /// Tries the chosen solvers; the error says what is wrong and what to do.
    pub fn try_solvers(&self) -> Result<(), String> {
        self.solver.probe().map_err(|problem| format!("{problem}\n{SOLVER_HINT}"))?;
        match self.allocation {
            Allocation::SeparationLogic | Allocation::WholeHeap => SeparationSolver::new()
                .probe()
                .map_err(|problem| format!("{problem}\n{SEPARATION_HINT}")),
            Allocation::Syntactic | Allocation::Equality | Allocation::Model => Ok(()),
        }
    }
}

#[must_use]
pub fn engines(options: &EngineOptions) -> Vec<Box<dyn Engine>> {
    let EngineOptions { solver, summaries, predicates, allocation, meter, template, .. } =
        options.clone();
    let settings =
        Settings { solver, summaries, predicates, allocation, meter, ..Settings::default() };
    vec![
        Box::new(ConcreteEngine::glance()),
        Box::new(SymbolicHeapEngine { settings }),
        // What is nested, and what has several links onward, forests hold with less work.
        Box::new(ForestEngine::glance()),
        // What is shared or overlaid, segments and trees do not hold.
        Box::new(options.shapes.clone().glance()),
        // What reasoning has not decided at once may show in longer runs.
        Box::new(ConcreteEngine::default()),
        Box::new(template),
    ]
}

/// Engines that are asked only by name, or do more then: they have not been measured on enough programs yet.
#[must_use]
pub fn engines_on_request(options: &EngineOptions) -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(options.shapes.clone()),
        Box::new(KLimitedEngine::default()),
        Box::new(ForestEngine::default()),
    ]
}
