//! The exploration: from loop head to loop head, where graphs are limited and meet.

use std::collections::BTreeMap;

use heapwright_engine::Deadline;
use heapwright_exploration::{
    Analysis, Budgets, Control, End, Explorer, Limit, Merge, Order, Step,
};
use heapwright_graph_text::{Root, Spot, State, Targets, describes};
use heapwright_program::{FunctionId, LocationId, ObjectId, VariableId};
use rustc_hash::FxHashMap;

use crate::alarm::Alarm;
use crate::limit::{joined, limited};
use crate::step::Stepper;

/// Where states meet: the place, what roots lead to, and the nodes but for their words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Meeting {
    spot: Spot,
    roots: Vec<(Root, Targets)>,
    numbers: Vec<(VariableId, u128)>,
    objects: Vec<ObjectId>,
    nodes: Vec<(u64, bool)>,
}

/// What an exploration came to.
#[derive(Debug)]
pub(crate) enum Explored {
    /// These states describe all that executions can be in at loop heads.
    Everything(Vec<State>),
    Alarm(Alarm),
    NoStart,
    TooMuch,
    OutOfTime,
}

/// Different values of a number at one place before it is forgotten there.
const MOST_VALUES: usize = 4;
/// Edges of one exploration.
const MOST_STEPS: u64 = 20_000;

/// Explores with a limit.
pub(crate) fn explore(stepper: Stepper<'_>, k: usize, deadline: &Deadline) -> Explored {
    let mut analysis = GraphAnalysis { stepper, k, seen: FxHashMap::default() };
    let mut explorer = Explorer::new(Order::BreadthFirst);
    let Some(mut start) = stepper.start() else { return Explored::NoStart };
    // A loop may begin where the program does.
    let is_head = stepper.is_cut(&start.spot);
    if is_head {
        analysis.arrive(&mut start);
    }
    let meeting = is_head.then(|| meeting(&start));
    explorer.start(&analysis, start, (), meeting);
    let is_over = || deadline.is_over();
    let budgets = Budgets { work: MOST_STEPS, ..Budgets::UNLIMITED };
    match explorer.run(&mut analysis, &mut Control::new(budgets, &is_over)) {
        End::Complete => {
            let reached: BTreeMap<Meeting, Vec<State>> = explorer.into_graph().into_reached();
            Explored::Everything(reached.into_values().flatten().collect())
        }
        End::Decided => {
            let found = explorer.take_findings().pop().expect("the analysis has decided");
            Explored::Alarm(found.finding)
        }
        End::Limited(Limit::Interrupted) => Explored::OutOfTime,
        End::Limited(Limit::Work | Limit::Nodes | Limit::Waiting | Limit::AtOnePlace) => {
            Explored::TooMuch
        }
    }
}

#[derive(Debug)]
struct GraphAnalysis<'a> {
    stepper: Stepper<'a>,
    k: usize,
    /// The values that numbers had at loop heads.
    seen: FxHashMap<(FunctionId, LocationId, VariableId), Vec<u128>>,
}

impl GraphAnalysis<'_> {
    /// Drops what is dead, forgets numbers that take many values, and limits the graph.
    fn arrive(&mut self, state: &mut State) {
        let Stepper { task, charts } = self.stepper;
        let (spot, seen) = (&state.spot, &mut self.seen);
        let place = (spot.function, spot.location);
        let is_live = |variable| charts.is_live(&task.program, variable, &spot.calls, place);
        state.numbers.retain(|variable, bits| {
            let values = seen.entry((spot.function, spot.location, *variable)).or_default();
            if values.len() < MOST_VALUES && !values.contains(bits) {
                values.push(*bits);
            }
            is_live(*variable) && values.contains(bits)
        });
        state.graph.roots.retain(|root, _| match root {
            Root::Variable(variable) => is_live(*variable),
            Root::Word(..) => true,
        });
        let before = cfg!(debug_assertions).then(|| state.clone());
        state.graph = limited(std::mem::take(&mut state.graph), self.k);
        debug_assert!(
            before.is_none_or(|before| describes(state, &before) != Some(false)),
            "the limit has lost something: {state:?}"
        );
    }
}

impl Analysis for GraphAnalysis<'_> {
    type State = State;
    type Precision = ();
    type Meeting = Meeting;
    type Label = ();
    type Finding = Alarm;

    /// Follows a state to the next loop heads.
    fn transfer(&mut self, state: State, (): &(), step: &mut Step<'_, Self>) -> Result<(), Alarm> {
        let stepper = self.stepper;
        let mut pending = vec![state];
        let mut steps = 0;
        while let Some(state) = pending.pop() {
            if steps > MOST_STEPS || step.is_over() {
                // Not followed: to go on from there later.
                step.go_on((), state);
                continue;
            }
            for &edge in stepper.outgoing(&state.spot) {
                steps += 1;
                for mut next in stepper.step(state.clone(), edge)? {
                    if stepper.is_cut(&next.spot) {
                        self.arrive(&mut next);
                        step.arrive(meeting(&next), (), next);
                    } else {
                        pending.push(next);
                    }
                }
            }
        }
        step.count_work(steps);
        Ok(())
    }

    fn stop(&mut self, known: &State, new: &State) -> bool {
        joined(&known.graph, &new.graph) == known.graph
    }

    fn merge(&mut self, known: &State, (): &(), new: &State) -> Merge<Self> {
        let both = State { graph: joined(&known.graph, &new.graph), ..known.clone() };
        debug_assert!(
            describes(&both, known) != Some(false) && describes(&both, new) != Some(false)
        );
        Merge::Joined(both, ())
    }
}

fn meeting(state: &State) -> Meeting {
    Meeting {
        spot: state.spot.clone(),
        roots: state.graph.roots.iter().map(|(root, held)| (*root, held.clone())).collect(),
        numbers: state.numbers.iter().map(|(id, bits)| (*id, *bits)).collect(),
        objects: state.objects.iter().copied().collect(),
        nodes: state.graph.nodes.iter().map(|node| (node.size, node.is_many)).collect(),
    }
}
