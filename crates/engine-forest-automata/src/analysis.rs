//! The exploration: from loop head to loop head, where forests are folded and meet. It can be gone on with.

use std::collections::BTreeMap;

use heapwright_engine::{Attention, Deadline, Detail, Event, Observer, Passage, Way};
use heapwright_exploration::{
    Analysis, Budgets, Control, End, Explorer, Limit, Merge, Order, Step,
};
use heapwright_forest_text::{Body, Cells, Forest, Parameter, Spot, Value, text};
use heapwright_program::{FunctionId, LocationId, ObjectId, VariableId};
use rustc_hash::FxHashMap;

use crate::abstraction::{Looks, looks};
use crate::alarm::{Alarm, Doubt, Suspect};
use crate::engine::NAME;
use crate::fold::{BackLinks, Precision, folded};
use crate::memo::Memo;
use crate::step::Stepper;
use crate::turns::Turns;
use crate::value::Held;

/// The top of a tree: its size and sort, its parameters, what it looks like, and what it is given.
type Top = ((u64, u32), Vec<Parameter>, Vec<Looks>, Vec<Held>);

/// Where forests meet: the place, what roots hold, and what the tops of trees look like and are given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Meeting {
    spot: Spot,
    variables: Vec<(VariableId, Held)>,
    objects: Vec<(ObjectId, Cells)>,
    tops: Vec<Top>,
}

/// What an exploration came to.
#[derive(Debug)]
pub(crate) enum Explored {
    /// These forests stand for all that executions can be in at loop heads.
    Everything(Vec<Forest>),
    /// Something may go wrong behind these edges.
    Alarm(Alarm, Vec<Passage>),
    NoStart,
    TooMuch,
    OutOfTime,
}

/// Different values of a number at one place before it is forgotten there.
const MOST_VALUES: usize = 4;
/// Different numbers in cells of one offset of blocks of one size.
const MOST_IN_CELLS: usize = 6;
/// Edges of one exploration.
const MOST_STEPS: u64 = 400_000;

/// An exploration with a precision.
#[derive(Debug)]
pub(crate) struct Exploration<'t> {
    analysis: ForestAnalysis<'t>,
    explorer: Explorer<ForestAnalysis<'t>>,
}

impl<'t> Exploration<'t> {
    /// Where the program starts. The error is what it came to already.
    pub(crate) fn begin(
        stepper: Stepper<'t>,
        precision: Precision,
        observer: &'t dyn Observer,
    ) -> Result<Exploration<'t>, Explored> {
        let start = stepper.start().ok_or(Explored::NoStart)?;
        let mut analysis = ForestAnalysis {
            turns: Turns::of(stepper.program()),
            memo: Memo::new(precision.likeness),
            stepper,
            precision,
            observer,
            grown: 0,
            back: BackLinks::default(),
            seen: FxHashMap::default(),
            in_cells: FxHashMap::default(),
        };
        let mut explorer = Explorer::new(Order::LowestFirst);
        match analysis.stepper.is_cut(&start.spot) {
            false => explorer.start(&analysis, start, (), None),
            // A loop begins where the program does.
            true => {
                let unclear = |doubt| Explored::Alarm(Alarm { doubt, place: None }, Vec::new());
                let start = analysis.arrive(start).map_err(unclear)?;
                let meeting = meeting(&start);
                explorer.start(&analysis, start, (), Some(meeting))
            }
        };
        Ok(Exploration { analysis, explorer })
    }

    /// Explores until the deadline; if it was out of time, it can go on later.
    pub(crate) fn go_on(&mut self, deadline: &Deadline) -> Explored {
        let is_over = || deadline.is_over();
        let budgets = Budgets { work: MOST_STEPS, ..Budgets::UNLIMITED };
        let control = &mut Control::new(budgets, &is_over);
        let explorer = &mut self.explorer;
        match explorer.run(&mut self.analysis, control) {
            End::Complete => {
                let done = std::mem::replace(explorer, Explorer::new(Order::LowestFirst));
                let reached: BTreeMap<Meeting, Vec<Forest>> = done.into_graph().into_reached();
                Explored::Everything(reached.into_values().flatten().collect())
            }
            End::Decided => {
                let found = explorer.take_findings().pop().expect("the analysis has decided");
                let Suspect { alarm, way } = found.finding;
                let graph = explorer.graph();
                let path = graph.path(found.node);
                let ways = path.iter().filter_map(|node| graph.label(*node)).chain([&way]);
                Explored::Alarm(alarm, ways.flat_map(Way::passages).collect())
            }
            End::Limited(Limit::Interrupted) => Explored::OutOfTime,
            End::Limited(Limit::Work | Limit::Nodes | Limit::Waiting | Limit::AtOnePlace) => {
                Explored::TooMuch
            }
        }
    }
}

/// A number at a loop head: of a variable, or of a cell of an object.
type Number = (FunctionId, LocationId, Result<VariableId, (ObjectId, u64)>);

#[derive(Debug)]
struct ForestAnalysis<'a> {
    stepper: Stepper<'a>,
    precision: Precision,
    observer: &'a dyn Observer,
    turns: Turns<'a>,
    /// How many forests have grown.
    grown: usize,
    memo: Memo,
    back: BackLinks,
    /// The values that numbers had at loop heads.
    seen: FxHashMap<Number, Vec<u128>>,
    /// The numbers in cells of blocks, by size and offset.
    in_cells: FxHashMap<(u64, u64), Vec<u128>>,
}

impl ForestAnalysis<'_> {
    /// Drops what is dead, forgets numbers that take many values, and folds the heap.
    fn arrive(&mut self, mut forest: Forest) -> Result<Forest, Doubt> {
        self.stepper.drop_dead(&mut forest);
        let Spot { function, location, .. } = forest.spot;
        let seen = &mut self.seen;
        let mut is_kept = |number: Result<VariableId, (ObjectId, u64)>, value: Held| {
            let Value::Bits(bits) = value else { return true };
            let values = seen.entry((function, location, number)).or_default();
            is_listed(values, bits, MOST_VALUES)
        };
        forest.variables.retain(|variable, value| is_kept(Ok(*variable), *value));
        for (object, cells) in &mut forest.objects {
            cells.retain(|offset, cell| is_kept(Err((*object, *offset)), cell.holds));
        }
        for body in forest.blocks.values_mut() {
            if let Body::Open { size, cells, .. } = body {
                cells.retain(|offset, cell| match cell.holds {
                    Value::Bits(bits) if bits != 0 => {
                        let values = self.in_cells.entry((*size, *offset)).or_default();
                        is_listed(values, bits, MOST_IN_CELLS)
                    }
                    _ => true,
                });
            }
        }
        self.stepper.tidy(&mut forest)?;
        let word = self.stepper.program().model.pointer_size();
        folded(forest, word, self.precision, (&mut self.memo, &mut self.back))
    }
}

/// Whether a value is one of the first that were seen.
fn is_listed(values: &mut Vec<u128>, bits: u128, most: usize) -> bool {
    if values.len() < most && !values.contains(&bits) {
        values.push(bits);
    }
    values.contains(&bits)
}

impl Analysis for ForestAnalysis<'_> {
    type State = Forest;
    type Precision = ();
    type Meeting = Meeting;
    type Label = Way;
    type Finding = Suspect;

    /// Follows a forest to the next loop heads.
    fn transfer(
        &mut self,
        forest: Forest,
        (): &(),
        step: &mut Step<'_, Self>,
    ) -> Result<(), Suspect> {
        let stepper = self.stepper.clone();
        self.tell(Detail::Explored, &forest);
        let mut pending = vec![(forest, Way::default())];
        let mut steps = 0;
        while let Some((forest, way)) = pending.pop() {
            if steps > MOST_STEPS || step.is_over() {
                // Not followed: to go on from there later.
                step.go_on(way, forest);
                continue;
            }
            for &edge in stepper.outgoing(&forest.spot) {
                steps += 1;
                let way = way.and((forest.spot.function, edge));
                let suspect = |alarm| Suspect { alarm, way: way.clone() };
                for next in stepper.step(forest.clone(), edge).map_err(suspect)? {
                    if !stepper.is_cut(&next.spot) {
                        pending.push((next, way.clone()));
                        continue;
                    }
                    let body = stepper.program().functions[forest.spot.function].body.as_ref();
                    let place = body.map(|body| body.edges[edge].place);
                    let suspect = |doubt| suspect(Alarm { doubt, place });
                    let next = self.arrive(next).map_err(suspect)?;
                    step.arrive(meeting(&next), way.clone(), next);
                }
            }
        }
        step.count_work(steps);
        Ok(())
    }

    fn stop(&mut self, known: &Forest, new: &Forest) -> bool {
        self.both(known, new) == *known
    }

    fn merge(&mut self, known: &Forest, (): &(), new: &Forest) -> Merge<Self> {
        let both = self.both(known, new);
        self.grown += 1;
        self.tell(Detail::Joined, &both);
        Merge::Joined(both, ())
    }

    fn priority(&self, forest: &Forest) -> u64 {
        self.turns.turn(&forest.spot, self.grown)
    }
}

impl ForestAnalysis<'_> {
    fn tell(&self, detail: Detail, forest: &Forest) {
        if self.observer.attention() >= Attention::Everything {
            let text = text::tell(self.stepper.program(), forest);
            self.observer.notice(&Event::Detail { engine: NAME, detail, text });
        }
    }

    /// A forest that stands for both, which meet.
    fn both(&mut self, known: &Forest, new: &Forest) -> Forest {
        let mut both = known.clone();
        for (body, other) in both.blocks.values_mut().zip(new.blocks.values()) {
            *body = self.memo.joined(body, other);
        }
        both
    }
}

fn meeting(forest: &Forest) -> Meeting {
    let top = |body: &Body| -> Top {
        match body {
            Body::Open { size, sort, .. } => ((*size, *sort), Vec::new(), Vec::new(), Vec::new()),
            Body::Closed { automaton, state, arguments } => {
                let state = &automaton.states[*state];
                let mut tops: Vec<Looks> = state.rules.iter().map(looks).collect();
                tops.dedup();
                ((state.size, state.sort), state.parameters.clone(), tops, arguments.clone())
            }
        }
    };
    Meeting {
        spot: forest.spot.clone(),
        variables: forest.variables.iter().map(|(id, value)| (*id, *value)).collect(),
        objects: forest.objects.iter().map(|(id, held)| (*id, held.clone())).collect(),
        tops: forest.blocks.values().map(top).collect(),
    }
}
