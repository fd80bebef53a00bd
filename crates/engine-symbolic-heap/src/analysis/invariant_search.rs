//! A search for invariants, which can be gone on with: the program and the calls that are cut off are
//! explored until nothing new appears. It may be interrupted at any time and goes on where it was.

use heapwright_engine::Deadline;
use heapwright_exploration::{Budgets, Control, End, Explorer, Limit, Order};

use crate::abstraction::gap::tell_not_described;
use crate::analysis::invariants::Summaries;
use crate::analysis::search::Search;
use crate::heap::state::State;
use crate::interprocedural::{Invariants, Table};
use crate::no_proof::NoProof;

/// Units of work for a recursion whose calls are followed: it ends soon, or does not end.
const WORK_ON_FOLLOWED_CALLS: u64 = 20_000;

pub(crate) struct InvariantSearch<'t> {
    analysis: Summaries<'t>,
    initial: State,
    calls: Calls,
    /// The exploration that is under way, of the program or of a call.
    explorer: Option<Explorer<Summaries<'t>>>,
}

/// What becomes of calls of recursive functions.
#[derive(Debug)]
enum Calls {
    /// They are cut off, shallowly where it must be.
    Cut,
    /// They are followed: of a recursion that ends soon, more is known then.
    Followed {
        /// Why nothing came of cutting them off.
        failure: NoProof,
        /// Units of work that are left for this.
        left: u64,
    },
}

impl<'t> InvariantSearch<'t> {
    pub(crate) fn new(search: Search<'t>, initial: State) -> InvariantSearch<'t> {
        let analysis = Summaries::new(search);
        let mut search = InvariantSearch { analysis, initial, calls: Calls::Cut, explorer: None };
        search.begin_anew();
        search
    }

    /// What explorations and checks work with.
    pub(crate) fn search(&mut self) -> &mut Search<'t> {
        &mut self.analysis.search
    }

    /// Forgets what was found, but not what was learnt.
    pub(crate) fn begin_anew(&mut self) {
        self.begin(Calls::Cut);
    }

    fn begin(&mut self, calls: Calls) {
        self.analysis.search.calls.are_cut = matches!(calls, Calls::Cut);
        self.analysis.table = Table::new(self.search().reasoner.services.settings.shapes);
        self.explorer = None;
        self.calls = calls;
    }

    /// Follows the start to the first places where states meet, unless that is done. It need not come to an end.
    pub(crate) fn approach(&mut self, deadline: &Deadline) {
        let Some(mut explorer) = self.explorer.take().or_else(|| self.next_exploration()) else {
            return;
        };
        let budgets = Budgets { nodes: 2, ..Budgets::UNLIMITED };
        let is_over = || deadline.is_over();
        // What has ended it is said again when it is asked to go on.
        explorer.run(&mut self.analysis, &mut Control::new(budgets, &is_over));
        self.explorer = Some(explorer);
    }

    /// The invariants, if every execution is described by them and none is faulty. If the time is over, it
    /// can go on later.
    pub(crate) fn go_on(&mut self, deadline: &Deadline) -> Result<Invariants, NoProof> {
        loop {
            let failure = match &self.calls {
                Calls::Followed { .. } => return self.go_on_with_calls_followed(deadline),
                Calls::Cut => match self.explore_all(deadline) {
                    Err(NoProof::TimeIsOver) => return Err(NoProof::TimeIsOver),
                    Err(failure) => failure,
                    found @ Ok(_) => return found,
                },
            };
            match failure {
                // It may have failed for want of time only.
                failure if self.search().reasoner.services.deadline.is_over() => {
                    return Err(failure);
                }
                // Ends because each attempt cuts the calls of one more function shallowly.
                NoProof::HeldTooMuch(function) if self.search().calls.shallow.insert(function) => {
                    self.begin(Calls::Cut);
                }
                failure if self.search().reasoner.names.facts.has_recursion() => {
                    self.begin(Calls::Followed { failure, left: WORK_ON_FOLLOWED_CALLS });
                }
                failure => return Err(failure),
            }
        }
    }

    fn go_on_with_calls_followed(&mut self, deadline: &Deadline) -> Result<Invariants, NoProof> {
        let Calls::Followed { failure, left } = &self.calls else {
            unreachable!("calls are followed")
        };
        let (failure, left) = (failure.clone(), *left);
        let meter = self.search().reasoner.services.meter();
        let before = meter.units();
        let found = self.explore_all(&deadline.at_most_units(&meter, left));
        let left = left.saturating_sub(meter.units() - before);
        match found {
            Err(NoProof::TimeIsOver) if left > 0 => {
                self.calls = Calls::Followed { failure, left };
                Err(NoProof::TimeIsOver)
            }
            found => found.map_err(|_| failure),
        }
    }

    /// Explores the program and the calls that are cut off, until nothing new appears.
    fn explore_all(&mut self, deadline: &Deadline) -> Result<Invariants, NoProof> {
        while let Some(explorer) = self.explorer.take().or_else(|| self.next_exploration()) {
            self.explore(explorer, deadline)?;
        }
        let nothing_yet = Table::new(self.search().reasoner.services.settings.shapes);
        let table = std::mem::replace(&mut self.analysis.table, nothing_yet);
        let (program, procedures) = table.into_parts();
        Ok(Invariants { program, procedures })
    }

    /// Of the program, or of one call of a recursive function with what is known of other calls.
    fn next_exploration(&mut self) -> Option<Explorer<Summaries<'t>>> {
        let (_, entry) = self.analysis.table.next()?;
        let start = entry.unwrap_or_else(|| self.initial.clone());
        let mut explorer = Explorer::new(Order::DepthFirst);
        explorer.start(&self.analysis, start, 0, None);
        Some(explorer)
    }

    fn explore(
        &mut self,
        mut explorer: Explorer<Summaries<'t>>,
        deadline: &Deadline,
    ) -> Result<(), NoProof> {
        let shapes = self.search().reasoner.services.settings.shapes;
        let budgets = Budgets { at_one_place: shapes, ..Budgets::UNLIMITED };
        let is_over = || deadline.is_over();
        let why = match explorer.run(&mut self.analysis, &mut Control::new(budgets, &is_over)) {
            End::Complete => {
                self.analysis.table.explored(explorer.into_graph().into_reached());
                return Ok(());
            }
            End::Decided => {
                let last = explorer.take_findings().pop();
                return Err(last.expect("a decision has a reason").finding);
            }
            End::Limited(Limit::Interrupted) => NoProof::TimeIsOver,
            End::Limited(Limit::AtOnePlace) => {
                NoProof::because("too many shapes of the heap at a loop head")
            }
            End::Limited(Limit::Work | Limit::Nodes | Limit::Waiting) => {
                NoProof::because("the exploration is too large")
            }
        };
        tell_last_shape(&mut self.analysis.search, &explorer, &why);
        self.explorer = Some(explorer);
        Err(why)
    }
}

/// Tells those who look closely what the last of the most shapes at a place has that others do not have.
fn tell_last_shape<'t>(search: &mut Search<'t>, explorer: &Explorer<Summaries<'t>>, why: &NoProof) {
    let graph = explorer.graph();
    let Some((_, nodes)) = graph.meetings().max_by_key(|(_, nodes)| nodes.len()) else { return };
    let state = |&node| graph.state(node);
    if let [known @ .., last] = nodes
        && let Some(last) = state(last)
    {
        let known = known.iter().rev().filter_map(state).take(3);
        tell_not_described(&mut search.domain(), last, known, why);
    }
}
