//! What a proof by exhaustive paths hands over: the branches of every path, and inputs that take it.

use std::collections::BTreeSet;

use heapwright_engine::{Evidence, Instance, Signature};
use heapwright_interpreter::DrawnInput;
use heapwright_logic::TermId;

use crate::analysis::replay::inputs_of;
use crate::analysis::search::Search;
use crate::heap::state::{DrawnTerm, State};

/// Paths whose inputs are kept.
const INSTANCES: usize = 4096;

/// Paths for whose inputs the solver is asked, if they are not at hand.
const ASKED: usize = 256;

/// The paths that come to an end of the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathLog {
    signatures: BTreeSet<Signature>,
    instances: Vec<PathInstance>,
}

/// Inputs that lead along a path.
#[derive(Clone, Debug)]
struct PathInstance {
    inputs: Vec<DrawnInput>,
    /// Its branches, if nothing but these inputs decides them.
    signature: Option<Signature>,
}

impl PathLog {
    /// A path has come to its end.
    pub(crate) fn note(&mut self, search: &mut Search<'_>, state: &State) {
        self.signatures.insert(state.signature);
        let is_at_hand = state.model.is_some() || self.instances.len() < ASKED;
        if self.instances.len() < INSTANCES
            && is_at_hand
            && let Some(inputs) = inputs_of(&mut search.reasoner, state)
        {
            let signature = depends_on_inputs(search, state).then_some(state.signature);
            self.instances.push(PathInstance { inputs, signature });
        }
    }

    /// Whether another exploration came to the same ends.
    pub(crate) fn has_same_paths(&self, other: &PathLog) -> bool {
        self.signatures == other.signatures
    }
}

/// Whether inputs alone decide the branches of a path: neither where blocks lie nor what a library
/// function gives back.
fn depends_on_inputs(search: &Search<'_>, state: &State) -> bool {
    let drawn: BTreeSet<TermId> = state.drawn.iter().filter_map(DrawnTerm::value).collect();
    let conditions: Vec<TermId> = state.condition.iter().copied().collect();
    let variables = search.reasoner.names.terms.free_variables(&conditions);
    variables.iter().all(|variable| drawn.contains(variable))
}

impl Evidence for PathLog {
    fn step_count(&self) -> usize {
        self.instances.len()
    }

    fn instance(&mut self, step: usize) -> Instance {
        let PathInstance { inputs, signature } = self.instances[step].clone();
        Instance::Run { start: None, inputs, signature }
    }

    fn has_path(&self, signature: Signature) -> Option<bool> {
        Some(self.signatures.contains(&signature))
    }
}
