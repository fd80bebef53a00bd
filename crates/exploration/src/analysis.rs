//! What an engine says about its states: the operators of a configurable program analysis.

use std::fmt::{self, Debug};

/// A configurable program analysis.
///
/// States meet only at places that the analysis names: a location, a call stack, an outline of the
/// heap. A state that meets nothing is compared with nothing, so it is moved into its transfer and
/// not kept. A state at a meeting place is kept, and [`stop`](Analysis::stop) and
/// [`merge`](Analysis::merge) are asked about every later one at the same place.
pub trait Analysis: Sized {
    /// Describes a set of executions. Copied only where states meet.
    type State: Clone + Debug;
    /// How much a state is to tell apart; kept beside it.
    type Precision: Clone + Debug;
    /// Where states meet.
    type Meeting: Ord + Debug;
    /// How a state came from its parent: what a path is made of when its states are gone.
    type Label: Debug;
    /// What the analysis has to say: an alarm, something that was not followed.
    type Finding: Debug;

    /// Gives everything that a state leads to, in one step or in many, to `step`. An error ends the
    /// exploration with that finding.
    fn transfer(
        &mut self,
        state: Self::State,
        precision: &Self::Precision,
        step: &mut Step<'_, Self>,
    ) -> Result<(), Self::Finding>;

    /// Goes on with the last transfer, which was interrupted ([`Step::interrupt`]).
    fn resume(
        &mut self,
        precision: &Self::Precision,
        step: &mut Step<'_, Self>,
    ) -> Result<(), Self::Finding> {
        let _ = (precision, step);
        unreachable!("an analysis that interrupts transfers resumes them")
    }

    /// Makes a state that arrives at a meeting place as coarse as the precision says, and says with
    /// which precision to go on from there. `precision` is the parent's. The result must describe
    /// all that the state does. An error ends the exploration with that finding.
    fn adjust(
        &mut self,
        state: Self::State,
        precision: &Self::Precision,
    ) -> Result<(Self::State, Self::Precision), Self::Finding> {
        Ok((state, precision.clone()))
    }

    /// Whether the known state describes all that the new one does.
    fn stop(&mut self, known: &Self::State, new: &Self::State) -> bool {
        let _ = (known, new);
        false
    }

    /// What is to become of a known state when a new one arrives that no known one covers. The
    /// precision is that of the known state.
    fn merge(
        &mut self,
        known: &Self::State,
        precision: &Self::Precision,
        new: &Self::State,
    ) -> Merge<Self> {
        let _ = (known, precision, new);
        Merge::Apart
    }

    /// For the order by priority: the lowest goes first.
    fn priority(&self, state: &Self::State) -> u64 {
        let _ = state;
        0
    }
}

/// What becomes of a known state and a new one.
#[derive(Debug)]
pub enum Merge<A: Analysis> {
    /// Both stay as they are.
    Apart,
    /// The known state describes the new one after all.
    Covered,
    /// This describes both, and takes the place of both.
    Joined(A::State, A::Precision),
}

/// What one transfer gives.
#[derive(Debug)]
pub struct Step<'s, A: Analysis> {
    pub(crate) successors: Vec<Successor<A>>,
    pub(crate) findings: Vec<A::Finding>,
    pub(crate) work: u64,
    pub(crate) is_interrupted: bool,
    pub(crate) is_over: IsOver<'s>,
}

#[derive(Debug)]
pub(crate) struct Successor<A: Analysis> {
    pub(crate) label: A::Label,
    pub(crate) state: A::State,
    pub(crate) meeting: Option<A::Meeting>,
}

/// Whether the exploration is to end now.
#[derive(Clone, Copy)]
pub(crate) struct IsOver<'s>(pub(crate) &'s dyn Fn() -> bool);

impl Debug for IsOver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IsOver")
    }
}

impl<'s, A: Analysis> Step<'s, A> {
    /// `successors` is an empty vector, for its capacity.
    pub(crate) fn new(successors: Vec<Successor<A>>, is_over: IsOver<'s>) -> Self {
        Step { successors, findings: Vec::new(), work: 0, is_interrupted: false, is_over }
    }

    /// A successor that meets no other state.
    pub fn go_on(&mut self, label: A::Label, state: A::State) {
        self.successors.push(Successor { label, state, meeting: None });
    }

    /// A successor that meets the states that are known at this place.
    pub fn arrive(&mut self, meeting: A::Meeting, label: A::Label, state: A::State) {
        self.successors.push(Successor { label, state, meeting: Some(meeting) });
    }

    /// Something to say, with which the exploration goes on.
    pub fn report(&mut self, finding: A::Finding) {
        self.findings.push(finding);
    }

    /// Adds to the work that the budget of work limits.
    pub fn count_work(&mut self, work: u64) {
        self.work += work;
    }

    /// The transfer is not at its end: before anything else happens, [`Analysis::resume`] goes on with it, which needs what
    /// the analysis has kept of it.
    pub fn interrupt(&mut self) {
        self.is_interrupted = true;
    }

    /// Whether to return soon. What has not been followed must be given as a successor then, or the transfer be interrupted, so
    /// that nothing is taken for explored.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (self.is_over.0)()
    }
}
