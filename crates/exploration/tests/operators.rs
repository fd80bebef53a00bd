//! Each answer that an operator may give: what the driver does with it.

use heapwright_exploration::{
    Analysis, Budgets, Control, End, Explorer, Merge, Order, Status, Step,
};

/// From 0, the numbers 1, 2, 3 arrive at one place, in this order.
struct Numbers {
    merge: fn(u32, u32) -> Merge<Numbers>,
    stop: fn(u32, u32) -> bool,
    adjust: fn(u32) -> Result<u32, String>,
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers { merge: |_, _| Merge::Apart, stop: |_, _| false, adjust: Ok }
    }
}

impl Analysis for Numbers {
    type State = u32;
    type Precision = ();
    type Meeting = ();
    type Label = u32;
    type Finding = String;

    fn transfer(&mut self, state: u32, (): &(), step: &mut Step<'_, Self>) -> Result<(), String> {
        if state == 0 {
            for number in 1..=3 {
                step.arrive((), number, number);
            }
        }
        Ok(())
    }

    fn adjust(&mut self, state: u32, (): &()) -> Result<(u32, ()), String> {
        Ok(((self.adjust)(state)?, ()))
    }

    fn stop(&mut self, known: &u32, new: &u32) -> bool {
        (self.stop)(*known, *new)
    }

    fn merge(&mut self, known: &u32, (): &(), new: &u32) -> Merge<Self> {
        (self.merge)(*known, *new)
    }
}

fn explore(mut numbers: Numbers) -> (End, Explorer<Numbers>) {
    let mut explorer = Explorer::new(Order::BreadthFirst);
    explorer.start(&numbers, 0, (), None);
    let end = explorer.run(&mut numbers, &mut Control::new(Budgets::UNLIMITED, &|| false));
    (end, explorer)
}

fn reached(explorer: Explorer<Numbers>) -> Vec<u32> {
    explorer.into_graph().into_reached().into_values().flatten().collect()
}

#[test]
fn states_that_stay_apart_are_all_reached() {
    let (end, explorer) = explore(Numbers::default());
    assert_eq!(end, End::Complete);
    assert_eq!(explorer.statistics().transfers, 4);
    assert_eq!(reached(explorer), [1, 2, 3]);
}

#[test]
fn a_merge_may_find_that_a_state_is_covered() {
    let merge = |known, new| if known == 1 && new == 3 { Merge::Covered } else { Merge::Apart };
    let (end, explorer) = explore(Numbers { merge, ..Numbers::default() });
    assert_eq!(end, End::Complete);
    let graph = explorer.graph();
    let [_, one, _, three] = graph.nodes().collect::<Vec<_>>()[..] else { panic!("four nodes") };
    assert_eq!(graph.label(three), Some(&3));
    assert_eq!(graph.status(three), Status::CoveredBy(one));
    assert_eq!(reached(explorer), [1, 2]);
}

#[test]
fn a_state_is_joined_with_the_first_that_takes_it_and_has_its_place() {
    let merge = |known, new| if new == 3 { Merge::Joined(known + new, ()) } else { Merge::Apart };
    let (_, explorer) = explore(Numbers { merge, ..Numbers::default() });
    assert_eq!(reached(explorer), [4, 2]);
}

#[test]
fn a_joined_state_takes_the_place_of_all_that_it_covers() {
    let merge = |known, new| {
        if known == 2 && new == 3 { Merge::Joined(known + new, ()) } else { Merge::Apart }
    };
    let stop = |known, new| known == 5 && new == 1;
    let (end, explorer) = explore(Numbers { merge, stop, ..Numbers::default() });
    assert_eq!(end, End::Complete);
    let graph = explorer.graph();
    let nodes: Vec<_> = graph.nodes().collect();
    let [_, one, two, five] = nodes[..] else { panic!("four nodes") };
    assert_eq!(graph.status(one), Status::CoveredBy(five));
    assert_eq!(graph.status(two), Status::CoveredBy(five));
    // Neither was explored for itself.
    assert_eq!(explorer.statistics().transfers, 2);
    assert_eq!((explorer.statistics().pruned, explorer.statistics().spared), (1, 2));
    assert_eq!(explorer.statistics().waiting, 0);
    assert_eq!(reached(explorer), [5]);
}

#[test]
fn a_state_that_cannot_be_adjusted_ends_the_exploration() {
    let adjust = |state| if state == 2 { Err(format!("{state} is odd here")) } else { Ok(state) };
    let (end, explorer) = explore(Numbers { adjust, ..Numbers::default() });
    assert_eq!(end, End::Decided);
    let [found] = explorer.findings() else { panic!("one finding") };
    assert_eq!(found.finding, "2 is odd here");
    assert_eq!(explorer.graph().parent(found.node), None);
    assert_eq!(reached(explorer), [1]);
}
