//! What a search tells to those who look closely. Nothing is put into words that nobody reads.

use heapwright_engine::{Attention, Detail, Event, Gap, GapKind, KnownState, Phase, Progress};

use crate::heap::names::Names;
use crate::heap::state::State;
use crate::no_proof::NoProof;
use crate::reasoning::Reasoner;
use crate::settings::NAME;

impl Reasoner<'_> {
    /// Whether somebody wants to know this much.
    pub(crate) fn is_watched(&self, attention: Attention) -> bool {
        self.services.observer.attention() >= attention
    }

    /// Tells that the work goes on.
    pub(crate) fn tell_progress(&self, phase: Phase, depth: u64) {
        let states = self.services.statistics.steps;
        let progress = Progress { engine: NAME, phase, states, depth };
        self.services.observer.notice(&Event::Progress(progress));
    }

    /// Tells what became of a state.
    pub(crate) fn tell(&mut self, detail: Detail, text: impl FnOnce(&mut Names<'_>) -> String) {
        if self.is_watched(Attention::Everything) {
            let text = text(&mut self.names);
            self.services.observer.notice(&Event::Detail { engine: NAME, detail, text });
        }
    }

    /// Tells that a way out of a state of the candidate is not safe, or could not be followed.
    pub(crate) fn tell_step(
        &mut self,
        (from, to): (Option<&State>, Option<&State>),
        why: &NoProof,
    ) {
        if self.is_watched(Attention::Gaps) {
            let mut text = |state: Option<&State>| state.map(|state| self.names.describe(state));
            let kind = GapKind::Step { from: text(from), to: text(to) };
            self.tell_gap(kind, why);
        }
    }

    /// Tells that none of the known states describes one that has arrived, and where each differs.
    pub(crate) fn tell_not_described(
        &mut self,
        arrived: &State,
        known: &[(&State, String)],
        why: &NoProof,
    ) {
        let known = known.iter().map(|(state, difference)| KnownState {
            text: self.names.describe(state),
            difference: difference.clone(),
        });
        let known = known.collect();
        let kind = GapKind::NotDescribed { arrived: self.names.describe(arrived), known };
        self.tell_gap(kind, why);
    }

    fn tell_gap(&self, kind: GapKind, why: &NoProof) {
        let gap = Gap { engine: NAME, reason: why.reason(), kind };
        self.services.observer.notice(&Event::Failed(&gap));
    }
}
