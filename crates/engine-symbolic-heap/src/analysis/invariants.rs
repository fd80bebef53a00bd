//! The exploration with summaries: states meet at loop heads, where they are folded, covered and
//! generalised until nothing new appears. It proves; it never refutes.

use heapwright_engine::{Detail, Phase};
use heapwright_exploration::{Analysis, Merge, Step};

use crate::abstraction::abstraction_points::AbstractionPoint;
use crate::abstraction::entail::{Join, entails, join};
use crate::abstraction::gap::difference;
use crate::abstraction::leak::reduce;
use crate::analysis::passage::Passage;
use crate::analysis::search::Search;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::interprocedural::{PATIENCE, Table};
use crate::no_proof::NoProof;

/// The analysis. The precision of a state is how often it was generalised: after a while, numbers
/// are not told apart any more.
pub(crate) struct Summaries<'t> {
    pub(crate) search: Search<'t>,
    pub(crate) table: Table,
    /// What a share has interrupted.
    underway: Option<Passage>,
}

impl<'t> Summaries<'t> {
    pub(crate) fn new(search: Search<'t>) -> Summaries<'t> {
        let table = Table::new(search.reasoner.services.settings.shapes);
        Summaries { search, table, underway: None }
    }

    /// Follows a state to its end, or leaves what is still to be followed.
    fn go_on(&mut self, mut passage: Passage, step: &mut Step<'_, Self>) -> Result<(), NoProof> {
        let is_over = || step.is_over();
        let followed = passage.go_on(&mut self.search, &mut self.table, &is_over);
        // Questions that were cut off have told apart less than they should: it begins again.
        let is_cut = self.search.reasoner.services.deadline.is_over();
        match followed {
            Ok(()) if !is_cut => {
                for (place, state) in passage.into_arrived() {
                    step.arrive(place, (), state);
                }
            }
            Ok(()) | Err(NoProof::TimeIsOver) => {
                self.underway = Some(if is_cut { passage.anew() } else { passage });
                step.interrupt();
            }
            Err(why) => return Err(why),
        }
        Ok(())
    }
}

impl Analysis for Summaries<'_> {
    type State = State;
    type Precision = u32;
    type Meeting = AbstractionPoint;
    type Label = ();
    /// A hole in the proof: it ends the exploration.
    type Finding = NoProof;

    fn transfer(
        &mut self,
        state: State,
        visits: &u32,
        step: &mut Step<'_, Self>,
    ) -> Result<(), NoProof> {
        let reasoner = &mut self.search.reasoner;
        reasoner.tell_progress(Phase::FindingInvariants, u64::from(*visits));
        reasoner.tell(Detail::Explored, |names| names.describe(&state));
        self.go_on(Passage::from(state), step)
    }

    fn resume(&mut self, _: &u32, step: &mut Step<'_, Self>) -> Result<(), NoProof> {
        let passage = self.underway.take().expect("an interrupted transfer leaves its passage");
        self.go_on(passage, step)
    }

    fn adjust(&mut self, mut state: State, _: &u32) -> Result<(State, u32), NoProof> {
        let reduced = reduce(&mut self.search.domain(), &mut state);
        if let Err(why) = &reduced {
            self.search.reasoner.tell_step((None, Some(&state)), why);
        }
        reduced.map(|()| (state, 0))
    }

    fn stop(&mut self, known: &State, new: &State) -> bool {
        let covered = entails(&mut self.search.domain(), known, new);
        let reasoner = &mut self.search.reasoner;
        reasoner.services.statistics.covered += u64::from(covered.is_ok());
        match &covered {
            Ok(()) => reasoner.tell(Detail::Covered, |names| names.describe(new)),
            Err(mismatch) => {
                reasoner.tell(Detail::Apart, |names| difference(names, known, mismatch));
            }
        }
        covered.is_ok()
    }

    fn merge(&mut self, known: &State, visits: &u32, new: &State) -> Merge<Self> {
        match join(&mut self.search.domain(), known, new, *visits >= PATIENCE) {
            Join::Covers => Merge::Covered,
            Join::General(general) => {
                let text = |names: &mut Names<'_>| names.describe(&general);
                self.search.reasoner.tell(Detail::Joined, text);
                Merge::Joined(*general, visits + 1)
            }
            Join::Apart => Merge::Apart,
        }
    }
}
