//! Reachability in a small graph whose edges add to a number: paths, orders, coverage, budgets.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use heapwright_exploration::{
    Analysis, Budgets, Control, End, Event, Explorer, Limit, NodeId, Order, Statistics, Status,
    Step,
};

/// A place and a number. It counts its copies.
#[derive(Debug)]
struct Point {
    place: usize,
    number: u64,
    copies: Rc<Cell<usize>>,
}

impl Point {
    fn origin() -> Point {
        Point { place: 0, number: 0, copies: Rc::default() }
    }
}

impl Clone for Point {
    fn clone(&self) -> Point {
        self.copies.set(self.copies.get() + 1);
        Point { place: self.place, number: self.number, copies: Rc::clone(&self.copies) }
    }
}

/// The name of an edge, where it leads, what it adds.
type Edge = (char, usize, u64);

struct Sums {
    edges: Vec<Vec<Edge>>,
    /// Whether points meet at their places.
    is_meeting: bool,
    /// A number at which to end.
    goal: Option<u64>,
}

impl Sums {
    fn new(edges: &[&[Edge]]) -> Sums {
        let edges = edges.iter().map(|edges| edges.to_vec()).collect();
        Sums { edges, is_meeting: false, goal: None }
    }

    /// Two ways to place 3, and an edge from there back to place 1.
    fn diamond_in_a_loop() -> Sums {
        Sums::new(&[&[('a', 1, 5), ('b', 2, 1)], &[('c', 3, 1)], &[('d', 3, 1)], &[('e', 1, 0)]])
    }

    /// Place 0 leads to itself, adding one.
    fn counter() -> Sums {
        Sums::new(&[&[('+', 0, 1)]])
    }

    fn explorer(&self, order: Order) -> Explorer<Sums> {
        let mut explorer = Explorer::new(order);
        explorer.start(self, Point::origin(), (), self.is_meeting.then_some(0));
        explorer
    }
}

impl Analysis for Sums {
    type State = Point;
    type Precision = ();
    type Meeting = usize;
    type Label = char;
    type Finding = u64;

    fn transfer(&mut self, point: Point, (): &(), step: &mut Step<'_, Self>) -> Result<(), u64> {
        if self.goal == Some(point.number) {
            return Err(point.number);
        }
        step.count_work(10);
        step.report(point.number);
        for &(name, place, more) in &self.edges[point.place] {
            let number = point.number + more;
            let next = Point { place, number, copies: Rc::clone(&point.copies) };
            if self.is_meeting {
                step.arrive(place, name, next);
            } else {
                step.go_on(name, next);
            }
        }
        Ok(())
    }

    fn stop(&mut self, known: &Point, new: &Point) -> bool {
        known.number == new.number
    }

    fn priority(&self, point: &Point) -> u64 {
        point.number
    }
}

fn run(explorer: &mut Explorer<Sums>, sums: &mut Sums, budgets: Budgets) -> End {
    explorer.run(sums, &mut Control::new(budgets, &|| false))
}

fn labels(explorer: &Explorer<Sums>, node: NodeId) -> String {
    let graph = explorer.graph();
    graph.path(node).into_iter().filter_map(|node| graph.label(node)).collect()
}

/// The paths of the nodes in the order in which they are expanded.
fn expanded(sums: &mut Sums, order: Order, transfers: u64) -> Vec<String> {
    let mut explorer = sums.explorer(order);
    let mut nodes = Vec::new();
    let mut observer = |event: Event, _: &Statistics| {
        if let Event::Expands(node) = event {
            nodes.push(node);
        }
    };
    let budgets = Budgets { work: 10 * transfers, ..Budgets::UNLIMITED };
    explorer.run(sums, &mut Control::new(budgets, &|| false).observed_by(&mut observer));
    nodes.into_iter().map(|node| labels(&explorer, node)).collect()
}

#[test]
fn the_newest_goes_first_in_depth() {
    let order = expanded(&mut Sums::diamond_in_a_loop(), Order::DepthFirst, 5);
    assert_eq!(order, ["", "b", "bd", "bde", "bdec"]);
}

#[test]
fn the_oldest_goes_first_in_breadth() {
    let order = expanded(&mut Sums::diamond_in_a_loop(), Order::BreadthFirst, 6);
    assert_eq!(order, ["", "a", "b", "ac", "bd", "ace"]);
}

#[test]
fn the_lowest_goes_first_by_priority_and_of_equals_the_oldest() {
    let order = expanded(&mut Sums::diamond_in_a_loop(), Order::LowestFirst, 8);
    assert_eq!(order, ["", "b", "bd", "bde", "bdec", "bdece", "bdecec", "bdecece"]);
    let mut twins = Sums::new(&[&[('x', 1, 3), ('y', 1, 3), ('z', 1, 2)], &[]]);
    assert_eq!(expanded(&mut twins, Order::LowestFirst, 9), ["", "z", "x", "y"]);
}

#[test]
fn a_path_goes_from_the_root_along_the_parents() {
    let mut sums = Sums::diamond_in_a_loop();
    sums.goal = Some(6);
    let mut explorer = sums.explorer(Order::BreadthFirst);
    assert_eq!(run(&mut explorer, &mut sums, Budgets::UNLIMITED), End::Decided);
    let last = explorer.findings().last().unwrap();
    assert_eq!(last.finding, 6);
    assert_eq!(labels(&explorer, last.node), "ac");
    let path = explorer.graph().path(last.node);
    assert_eq!(explorer.graph().parent(path[0]), None);
    assert!(path.windows(2).all(|pair| explorer.graph().parent(pair[1]) == Some(pair[0])));
}

#[test]
fn what_is_decided_stays_decided() {
    let mut sums = Sums::diamond_in_a_loop();
    sums.goal = Some(6);
    let mut explorer = sums.explorer(Order::BreadthFirst);
    run(&mut explorer, &mut sums, Budgets::UNLIMITED);
    let before = *explorer.statistics();
    assert_eq!(run(&mut explorer, &mut sums, Budgets::UNLIMITED), End::Decided);
    assert_eq!(*explorer.statistics(), before);
}

#[test]
fn a_state_that_comes_back_is_covered() {
    let mut sums = Sums::new(&[&[('a', 1, 5), ('b', 2, 5)], &[('c', 2, 0)], &[('d', 1, 0)]]);
    sums.is_meeting = true;
    let mut explorer = sums.explorer(Order::BreadthFirst);
    assert_eq!(run(&mut explorer, &mut sums, Budgets::UNLIMITED), End::Complete);
    let graph = explorer.graph();
    let covered: Vec<(String, String)> = graph
        .nodes()
        .filter_map(|node| match graph.status(node) {
            Status::CoveredBy(by) => Some((labels(&explorer, node), labels(&explorer, by))),
            Status::Waiting | Status::Expanded => None,
        })
        .collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(covered, [pair("ac", "b"), pair("bd", "a")]);
    assert_eq!(explorer.statistics().covered, 2);
    let numbers: Vec<(usize, Vec<u64>)> = explorer
        .into_graph()
        .into_reached()
        .into_iter()
        .map(|(place, points)| (place, points.iter().map(|point| point.number).collect()))
        .collect();
    assert_eq!(numbers, [(0, vec![0]), (1, vec![5]), (2, vec![5])]);
}

#[test]
fn states_that_meet_nothing_are_moved_and_forgotten() {
    let mut sums = Sums::counter();
    let origin = Point::origin();
    let copies = Rc::clone(&origin.copies);
    let mut explorer = Explorer::new(Order::DepthFirst);
    explorer.start(&sums, origin, (), None);
    run(&mut explorer, &mut sums, Budgets { nodes: 1000, ..Budgets::UNLIMITED });
    assert_eq!(copies.get(), 0);
    let alive = explorer.graph().nodes().filter(|&node| explorer.graph().state(node).is_some());
    assert_eq!(alive.count(), 1);
    // Each state that is alive holds the counter, besides ours.
    assert_eq!(Rc::strong_count(&copies), 2);
}

#[test]
fn states_at_meeting_places_are_kept() {
    let mut sums = Sums::counter();
    sums.is_meeting = true;
    let mut explorer = sums.explorer(Order::DepthFirst);
    run(&mut explorer, &mut sums, Budgets { nodes: 100, ..Budgets::UNLIMITED });
    let graph = explorer.graph();
    assert!(graph.nodes().all(|node| graph.state(node).is_some()));
    assert_eq!(graph.met_at(&0).len(), 100);
}

#[test]
fn every_budget_ends_the_exploration_and_keeps_what_was_found() {
    let limits = [
        (Budgets { work: 40, ..Budgets::UNLIMITED }, Limit::Work, 4),
        (Budgets { nodes: 8, ..Budgets::UNLIMITED }, Limit::Nodes, 7),
        (Budgets { at_one_place: 6, ..Budgets::UNLIMITED }, Limit::AtOnePlace, 6),
    ];
    for (budgets, limit, transfers) in limits {
        let mut sums = Sums::counter();
        sums.is_meeting = true;
        let mut explorer = sums.explorer(Order::DepthFirst);
        assert_eq!(run(&mut explorer, &mut sums, budgets), End::Limited(limit));
        let found: Vec<u64> = explorer.findings().iter().map(|found| found.finding).collect();
        assert_eq!(found, (0..transfers).collect::<Vec<u64>>(), "{limit:?}");
    }
    let mut forks = Sums::new(&[&[('x', 0, 1), ('y', 0, 1)]]);
    let mut explorer = forks.explorer(Order::BreadthFirst);
    let budgets = Budgets { waiting: 10, ..Budgets::UNLIMITED };
    assert_eq!(run(&mut explorer, &mut forks, budgets), End::Limited(Limit::Waiting));
    assert_eq!(explorer.statistics().waiting, 11);
    assert_eq!(explorer.findings().len(), 10);
}

#[test]
fn an_exploration_goes_on_after_a_limit_as_if_there_had_been_none() {
    let goal = |sums: &mut Sums| sums.goal = Some(40);
    let mut once = Sums::diamond_in_a_loop();
    goal(&mut once);
    let mut whole = once.explorer(Order::BreadthFirst);
    assert_eq!(run(&mut whole, &mut once, Budgets::UNLIMITED), End::Decided);

    let mut again = Sums::diamond_in_a_loop();
    goal(&mut again);
    let mut parts = again.explorer(Order::BreadthFirst);
    let mut budgets = Budgets { work: 30, ..Budgets::UNLIMITED };
    while run(&mut parts, &mut again, budgets) != End::Decided {
        budgets.work += 30;
    }
    assert_eq!(parts.statistics(), whole.statistics());
    let text = |explorer: &Explorer<Sums>| format!("{:?}", explorer.findings());
    assert_eq!(text(&parts), text(&whole));
}

#[test]
fn cancellation_ends_the_exploration() {
    let mut sums = Sums::counter();
    let mut explorer = sums.explorer(Order::DepthFirst);
    let asked = Cell::new(0);
    let is_over = || {
        asked.set(asked.get() + 1);
        asked.get() > 5
    };
    let end = explorer.run(&mut sums, &mut Control::new(Budgets::UNLIMITED, &is_over));
    assert_eq!(end, End::Limited(Limit::Interrupted));
    // It is asked before a node is expanded, and before its successor is filed.
    assert_eq!(explorer.statistics().transfers, 3);
}

#[test]
fn an_observer_hears_of_every_event_in_order() {
    let mut sums = Sums::new(&[&[('a', 1, 0), ('b', 1, 0)], &[]]);
    sums.is_meeting = true;
    let mut explorer = sums.explorer(Order::DepthFirst);
    let events = RefCell::new(Vec::new());
    let mut observer =
        |event: Event, _: &Statistics| events.borrow_mut().push(format!("{event:?}"));
    let never = || false;
    let control = Control::new(Budgets::UNLIMITED, &never);
    explorer.run(&mut sums, &mut control.observed_by(&mut observer));
    assert_eq!(
        *events.borrow(),
        ["Expands(n0)", "Added(n1)", "Covered { node: n2, by: n1 }", "Expands(n1)"]
    );
}

#[test]
fn two_explorations_of_the_same_are_the_same() {
    let graph = || {
        let mut sums = Sums::new(&[&[('x', 1, 3), ('y', 0, 2), ('z', 0, 7)], &[('w', 0, 1)]]);
        sums.is_meeting = true;
        let mut explorer = sums.explorer(Order::LowestFirst);
        run(&mut explorer, &mut sums, Budgets { nodes: 500, ..Budgets::UNLIMITED });
        let graph = explorer.graph();
        let nodes = graph.nodes().map(|node| {
            format!("{:?} {:?} {:?}", graph.parent(node), graph.label(node), graph.status(node))
        });
        nodes.collect::<Vec<String>>()
    };
    assert_eq!(graph(), graph());
}

/// A long way, which is followed step by step.
#[derive(Default)]
struct LongWay {
    /// Steps that are left of a transfer that was interrupted.
    left: Option<u64>,
}

impl LongWay {
    fn follow(&mut self, mut left: u64, step: &mut Step<'_, Self>) {
        while left > 0 {
            if step.is_over() {
                self.left = Some(left);
                return step.interrupt();
            }
            left -= 1;
        }
        step.report("at the end");
    }
}

impl Analysis for LongWay {
    type State = u64;
    type Precision = ();
    type Meeting = ();
    type Label = ();
    type Finding = &'static str;

    fn transfer(
        &mut self,
        length: u64,
        (): &(),
        step: &mut Step<'_, Self>,
    ) -> Result<(), &'static str> {
        self.follow(length, step);
        Ok(())
    }

    fn resume(&mut self, (): &(), step: &mut Step<'_, Self>) -> Result<(), &'static str> {
        let left = self.left.take().expect("it was interrupted");
        self.follow(left, step);
        Ok(())
    }
}

#[test]
fn a_transfer_that_was_interrupted_is_gone_on_with() {
    let mut way = LongWay::default();
    let mut explorer = Explorer::new(Order::DepthFirst);
    explorer.start(&way, 10, (), None);
    let mut interruptions = 0;
    loop {
        let looks = Cell::new(0);
        let is_over = || {
            looks.set(looks.get() + 1);
            looks.get() > 4
        };
        match explorer.run(&mut way, &mut Control::new(Budgets::UNLIMITED, &is_over)) {
            End::Limited(Limit::Interrupted) => interruptions += 1,
            end => {
                assert_eq!(end, End::Complete);
                break;
            }
        }
    }
    // Each time three looks let it make a step, and one is the explorer's.
    assert_eq!((interruptions, explorer.statistics().transfers), (3, 1));
    assert_eq!(explorer.findings().len(), 1);
}
