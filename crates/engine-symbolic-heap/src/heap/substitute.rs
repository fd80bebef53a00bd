//! Replacing names by terms in all that a state holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::heap::block::BlockId;
use crate::heap::names::Names;
use crate::heap::state::{Outside, State};

impl Names<'_> {
    /// Replaces variables by terms in everything that a state holds.
    pub(crate) fn replace(&mut self, state: &mut State, map: &BTreeMap<TermId, TermId>) {
        let terms = &mut self.terms;
        for value in Arc::make_mut(&mut state.globals).iter_mut().flatten() {
            *value = terms.substitute(*value, map);
        }
        for frame in state.frames.iter_mut() {
            for value in Arc::make_mut(&mut frame.registers).iter_mut().flatten() {
                *value = terms.substitute(*value, map);
            }
        }
        if let Some(outside) = &mut state.outside {
            let Outside { held, result, .. } = Arc::make_mut(outside);
            for value in held.iter_mut().chain(result) {
                *value = terms.substitute(*value, map);
            }
        }
        let none = BTreeMap::new();
        let blocks: Vec<BlockId> = state.blocks.keys().copied().collect();
        for id in blocks {
            let renamed = self.renamed_block(&Arc::clone(state.block(id)), &none, map);
            if renamed != **state.block(id) {
                state.blocks.insert(id, Arc::new(renamed));
            }
        }
        let terms = &mut self.terms;
        state.condition = state.condition.iter().map(|&c| terms.substitute(c, map)).collect();
        state.model = None;
    }
}
