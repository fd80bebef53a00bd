//! Intervals of one variable in a hand-made loop: joining, widening by precision, replacement in
//! the reached set and in the waitlist.
//!
//! ```text
//! 0: x = 0;  1: while (x < 100) 2: x = x + 1;  3: end
//! ```

use heapwright_exploration::{
    Analysis, Budgets, Control, End, Event, Explorer, Merge, Order, Statistics, Status, Step,
};

const TOP: i64 = i64::MAX;

/// A location, and the numbers that the variable may have there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Interval {
    location: usize,
    low: i64,
    high: i64,
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Set(i64),
    Add(i64),
    AtMost(i64),
    AtLeast(i64),
}

struct Intervals {
    edges: Vec<Vec<(Operation, usize)>>,
    /// Joins before a bound that moves is given up.
    patience: u32,
    /// Numbers above this are not told apart on arrival.
    ceiling: i64,
}

impl Intervals {
    fn counting_loop(patience: u32) -> Intervals {
        let edges = vec![
            vec![(Operation::Set(0), 1)],
            vec![(Operation::AtMost(99), 2), (Operation::AtLeast(100), 3)],
            vec![(Operation::Add(1), 1)],
            vec![],
        ];
        Intervals { edges, patience, ceiling: TOP }
    }

    fn successors(&self, from: &Interval) -> Vec<Interval> {
        let mut successors = Vec::new();
        for &(operation, location) in &self.edges[from.location] {
            let (low, high) = match operation {
                Operation::Set(number) => (number, number),
                Operation::Add(number) => {
                    (from.low + number, if from.high == TOP { TOP } else { from.high + number })
                }
                Operation::AtMost(bound) => (from.low, from.high.min(bound)),
                Operation::AtLeast(bound) => (from.low.max(bound), from.high),
            };
            if low <= high {
                successors.push(Interval { location, low, high });
            }
        }
        successors
    }

    fn explore(&mut self, order: Order) -> Explorer<Intervals> {
        let mut explorer = Explorer::new(order);
        let everything = Interval { location: 0, low: -TOP, high: TOP };
        explorer.start(self, everything, 0, Some(0));
        let end = explorer.run(self, &mut Control::new(Budgets::UNLIMITED, &|| false));
        assert_eq!(end, End::Complete);
        explorer
    }
}

impl Analysis for Intervals {
    type State = Interval;
    /// Joins so far.
    type Precision = u32;
    type Meeting = usize;
    type Label = ();
    type Finding = ();

    fn transfer(&mut self, from: Interval, _: &u32, step: &mut Step<'_, Self>) -> Result<(), ()> {
        for next in self.successors(&from) {
            step.arrive(next.location, (), next);
        }
        Ok(())
    }

    fn adjust(&mut self, state: Interval, _: &u32) -> Result<(Interval, u32), ()> {
        let high = if state.high > self.ceiling { TOP } else { state.high };
        Ok((Interval { high, ..state }, 0))
    }

    fn stop(&mut self, known: &Interval, new: &Interval) -> bool {
        known.low <= new.low && new.high <= known.high
    }

    fn merge(&mut self, known: &Interval, joins: &u32, new: &Interval) -> Merge<Self> {
        let high = known.high.max(new.high);
        let is_patient = *joins < self.patience || high == known.high;
        let joined = Interval {
            location: known.location,
            low: known.low.min(new.low),
            high: if is_patient { high } else { TOP },
        };
        Merge::Joined(joined, joins + 1)
    }
}

/// The one interval at a location.
fn at(explorer: &Explorer<Intervals>, location: usize) -> (i64, i64) {
    let [node] = explorer.graph().met_at(&location) else { panic!("one state at {location}") };
    let state = explorer.graph().state(*node).unwrap();
    (state.low, state.high)
}

#[test]
fn a_loop_is_closed_by_joining() {
    let explorer = Intervals::counting_loop(1000).explore(Order::BreadthFirst);
    assert_eq!(at(&explorer, 1), (0, 100));
    assert_eq!(at(&explorer, 2), (0, 99));
    assert_eq!(at(&explorer, 3), (100, 100));
    assert!(explorer.statistics().transfers > 200);
}

#[test]
fn widening_after_some_joins_is_faster_and_coarser() {
    let explorer = Intervals::counting_loop(2).explore(Order::BreadthFirst);
    assert_eq!(at(&explorer, 1), (0, TOP));
    assert_eq!(at(&explorer, 2), (0, TOP));
    assert_eq!(at(&explorer, 3), (100, TOP));
    assert!(explorer.statistics().transfers < 20, "{:?}", explorer.statistics());
}

#[test]
fn precision_is_kept_with_the_joined_state() {
    let explorer = Intervals::counting_loop(2).explore(Order::BreadthFirst);
    let [head] = explorer.graph().met_at(&1) else { panic!() };
    assert_eq!(explorer.graph().precision(*head), Some(&3));
    let [end] = explorer.graph().met_at(&3) else { panic!() };
    assert_eq!(explorer.graph().precision(*end), Some(&0));
}

#[test]
fn what_arrives_is_adjusted_first() {
    let mut intervals = Intervals::counting_loop(1000);
    intervals.ceiling = 10;
    let explorer = intervals.explore(Order::BreadthFirst);
    assert_eq!(at(&explorer, 1), (0, TOP));
}

#[test]
fn every_order_reaches_the_same_states() {
    for order in [Order::DepthFirst, Order::BreadthFirst, Order::LowestFirst] {
        let explorer = Intervals::counting_loop(1000).explore(order);
        assert_eq!(at(&explorer, 1), (0, 100), "{order:?}");
        assert_eq!(at(&explorer, 3), (100, 100), "{order:?}");
    }
}

#[test]
fn the_reached_states_are_closed_under_the_transfer() {
    for patience in [0, 1, 5, 1000] {
        let mut intervals = Intervals::counting_loop(patience);
        let explorer = intervals.explore(Order::DepthFirst);
        let graph = explorer.graph();
        for (_, nodes) in graph.meetings() {
            for &node in nodes {
                for next in intervals.successors(graph.state(node).unwrap()) {
                    let (low, high) = at(&explorer, next.location);
                    assert!(low <= next.low && next.high <= high, "{next:?}");
                }
            }
        }
        // Whatever was left is described by something that was not.
        for node in graph.nodes() {
            let mut node = node;
            while let Status::CoveredBy(by) = graph.status(node) {
                node = by;
            }
            assert_eq!(graph.status(node), Status::Expanded);
        }
    }
}

#[test]
fn a_joined_state_takes_the_place_of_one_that_still_waits() {
    // Two edges to the same location: the second arrival finds the first one waiting.
    let edges = vec![
        vec![(Operation::Set(1), 1), (Operation::Set(5), 1)],
        vec![(Operation::Add(1), 2)],
        vec![],
    ];
    let mut intervals = Intervals { edges, patience: 9, ceiling: TOP };
    let mut explorer = Explorer::new(Order::BreadthFirst);
    explorer.start(&intervals, Interval { location: 0, low: 0, high: 0 }, 0, Some(0));
    let mut events = Vec::new();
    let mut observer = |event: Event, _: &Statistics| events.push(format!("{event:?}"));
    let never = || false;
    let control = Control::new(Budgets::UNLIMITED, &never);
    explorer.run(&mut intervals, &mut control.observed_by(&mut observer));
    assert_eq!(
        events,
        [
            "Expands(n0)",
            "Added(n1)",
            "Joined { known: n1, into: n2 }",
            "Expands(n2)",
            "Added(n3)",
            "Expands(n3)"
        ]
    );
    assert_eq!(at(&explorer, 1), (1, 5));
    assert_eq!(at(&explorer, 2), (2, 6));
    assert_eq!(explorer.statistics().spared, 1);
    assert_eq!(explorer.statistics().most_waiting, 1);
}
