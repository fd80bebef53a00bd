//! The analyses and the passes on small automata given as text.

use heapwright_base::DenseId;
use heapwright_program::analysis::{
    CallGraph, Dominators, Liveness, Loops, Order, References, display_weak_order, global_effects,
    weak_order,
};
use heapwright_program::passes::{
    dead_inputs, merge_skips, remove_dead_inputs, remove_unreachable,
};
use heapwright_program::{
    Body, FunctionId, LocationId, ObjectId, Program, debug_assert_well_formed, parse,
    print_function,
};

/// A function with these edges; `c` is a condition, `x` and `y` are numbers.
fn function(exit: usize, edges: &str) -> Program {
    let edges: Vec<&str> = edges.split(';').map(str::trim).collect();
    let edges = edges.join("\n    ");
    let text = format!(
        "program LP64\nglobal g: i32 = 0\n\nfunction main() -> i32 {{\n    local c: bool\n    \
         local x: i32\n    local y: i32\n\n    entry L0, exit L{exit}\n    {edges}\n}}\n"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    debug_assert_well_formed(&program, "writing the test");
    program
}

fn body(program: &Program) -> &Body {
    program.functions.iter().next().unwrap().body.as_ref().unwrap()
}

fn at(index: usize) -> LocationId {
    LocationId::from_index(index)
}

fn list(locations: &[LocationId]) -> String {
    let names: Vec<String> = locations.iter().map(ToString::to_string).collect();
    names.join(" ")
}

/// Two loops, one in the other: L1 is the outer head, L2 the inner one.
const NESTED: &str = "L0 -> L1: x = 0; L1 -> L2: [c]; L1 -> L5: [!c]; L2 -> L3: [x < 1]; \
    L2 -> L4: [!(x < 1)]; L3 -> L2: x = x + 1; L4 -> L1: skip; L5 -> L6: return x";

/// A jump into the middle of a cycle.
const TANGLED: &str = "L0 -> L1: [c]; L0 -> L2: [!c]; L1 -> L2: skip; L2 -> L3: [x < 1]; \
    L2 -> L4: [!(x < 1)]; L3 -> L1: skip; L4 -> L5: return x";

#[test]
fn order_puts_locations_before_their_successors() {
    let program = function(6, NESTED);
    assert_eq!(list(&Order::of(body(&program)).locations), "L0 L1 L2 L3 L4 L5 L6");
    let program = function(2, "L0 -> L2: return 1; L1 -> L1: skip");
    let order = Order::of(body(&program));
    assert_eq!(list(&order.locations), "L0 L2");
    assert!(!order.is_reachable(at(1)));
}

#[test]
fn dominators_are_on_every_way() {
    let program = function(6, NESTED);
    let dominators = Dominators::of(body(&program));
    let immediate: Vec<Option<LocationId>> =
        (0..7).map(|it| dominators.immediate(at(it))).collect();
    let expected = [None, Some(0), Some(1), Some(2), Some(2), Some(1), Some(5)];
    assert_eq!(immediate, expected.map(|it| it.map(at)));
    assert!(dominators.dominates(at(1), at(3)) && dominators.dominates(at(3), at(3)));
    assert!(!dominators.dominates(at(3), at(4)));
}

#[test]
fn post_dominators_are_on_every_way_out() {
    let program = function(6, NESTED);
    let dominators = Dominators::post(body(&program));
    assert_eq!(dominators.immediate(at(2)), Some(at(4)));
    assert_eq!(dominators.immediate(at(1)), Some(at(5)));
    let program = function(2, "L0 -> L1: [c]; L0 -> L3: [!c]; L1 -> L2: return 0; L3 -> L3: skip");
    let dominators = Dominators::post(body(&program));
    assert_eq!(dominators.immediate(at(0)), Some(at(1)));
    assert_eq!(dominators.immediate(at(3)), None);
}

#[test]
fn loops_nest() {
    let program = function(6, NESTED);
    let loops = Loops::of(body(&program));
    let found: Vec<(LocationId, String)> =
        loops.loops.iter().map(|it| (it.head, list(&it.locations))).collect();
    assert_eq!(found, [(at(1), "L1 L2 L3 L4".to_owned()), (at(2), "L2 L3".to_owned())]);
    let ids: Vec<_> = loops.loops.ids().collect();
    assert_eq!(loops.loops[ids[1]].parent, Some(ids[0]));
    assert_eq!([0, 1, 3, 5].map(|it| loops.depth(at(it))), [0, 1, 2, 0]);
    assert!(loops.is_head(at(2)) && !loops.is_head(at(3)));
    assert!(loops.irreducible_regions.is_empty());
}

#[test]
fn a_cycle_with_two_entries_is_no_loop() {
    let program = function(5, TANGLED);
    let loops = Loops::of(body(&program));
    assert!(loops.loops.is_empty());
    let regions: Vec<String> = loops.irreducible_regions.iter().map(|it| list(it)).collect();
    assert_eq!(regions, ["L1 L2 L3"]);
}

#[test]
fn weak_orders_put_every_cycle_under_a_head() {
    let order = |program: &Program| display_weak_order(&weak_order(body(program)));
    assert_eq!(order(&function(6, NESTED)), "L0 (L1 (L2 L3) L4) L5 L6");
    assert_eq!(order(&function(5, TANGLED)), "L0 (L2 L3 L1) L4 L5");
    assert_eq!(order(&function(1, "L0 -> L0: skip")), "(L0)");
}

#[test]
fn a_long_function_needs_no_long_stack() {
    let count = 200_000;
    let mut edges: Vec<String> =
        (1..count).map(|it| format!("L{} -> L{it}: skip", it - 1)).collect();
    edges.push(format!("L{} -> L{count}: return 0", count - 1));
    let program = function(count, &edges.join("; "));
    assert_eq!(Order::of(body(&program)).locations.len(), count + 1);
    assert_eq!(weak_order(body(&program)).len(), count + 1);
    assert_eq!(body(&merge_skips(program.clone())).edges.len(), 1);
    assert!(Loops::of(body(&program)).loops.is_empty());
}

#[test]
fn variables_live_from_their_last_value_to_their_last_use() {
    let program = function(
        4,
        "L0 -> L1: x = 1; L1 -> L2: y = x + g; L2 -> L3: x = any uninitialised; L3 -> L4: return y",
    );
    let liveness = Liveness::of(&program, FunctionId::from_index(0));
    let live = |location| {
        let names = liveness.live_at(at(location));
        names.map(|id| program.variables[id].name.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!([0, 1, 2, 3, 4].map(live), ["", "x", "y", "y", ""]);
    assert!(liveness.is_live(at(0), program.variables.ids().next().unwrap()), "globals are live");
}

const CALLS: &str = "program LP64\n\
global counter: i32 = 0\n\
global hook: i32(i32)* = &hooked\n\
static shared: i32, align 4\n\
static private: i32, align 4\n\
function even(n) -> i32 {\n    parameter n: i32\n    local r: i32\n    entry L0, exit L2\n    L0 -> L1: r = call odd(n - 1)\n    L1 -> L2: return r\n}\n\
function odd(n) -> i32 {\n    parameter n: i32\n    local r: i32\n    entry L0, exit L3\n    L0 -> L1: counter = n\n    L1 -> L2: r = call even(n - 1)\n    L2 -> L3: return r\n}\n\
function hooked(n) -> i32 {\n    parameter n: i32\n    entry L0, exit L1\n    L0 -> L1: return n + counter\n}\n\
function unused() -> void {\n    local p: i32*\n    entry L0, exit L2\n    L0 -> L1: p = &shared\n    L1 -> L2: return\n}\n\
function main() -> i32 {\n    local r: i32\n    entry L0, exit L4\n    L0 -> L1: r = call *(hook)(1)\n    L1 -> L2: r = call even(r)\n    L2 -> L3: store i32 [&private] (i32) = r\n    L3 -> L4: return r\n}\n";

#[test]
fn the_call_graph_follows_pointers_by_type() {
    let program = parse(CALLS).unwrap();
    debug_assert_well_formed(&program, "writing the test");
    let calls = CallGraph::of(&program);
    let id = |name| program.function_named(name).unwrap();
    let names = |ids: &[FunctionId]| {
        ids.iter().map(|id| program.functions[*id].name.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(calls.callees(id("main"))), "even hooked");
    assert_eq!(names(calls.callers(id("even"))), "odd main");
    assert_eq!(names(&calls.reachable_from(id("main"))), "even odd hooked main");
    assert!(calls.is_recursive(id("even")) && !calls.is_recursive(id("main")));
    let groups: Vec<String> = calls.bottom_up().iter().map(|group| names(group)).collect();
    assert_eq!(groups, ["even odd", "hooked", "unused", "main"]);
}

#[test]
fn references_and_effects_follow_values_and_calls() {
    let program = parse(CALLS).unwrap();
    let references = References::of(&program);
    let id = |name| program.function_named(name).unwrap();
    assert!(references.is_address_taken(id("hooked")) && !references.is_address_taken(id("even")));
    assert!(references.escapes(ObjectId::from_index(0)));
    assert!(!references.escapes(ObjectId::from_index(1)), "an access is no escape");
    let effects = global_effects(&program, &CallGraph::of(&program));
    let counter = program.variables.ids().next().unwrap();
    assert!(effects[id("even")].writes(counter) && !effects[id("even")].reads(counter));
    assert!(effects[id("main")].writes(counter) && effects[id("main")].reads(counter));
    assert!(!effects[id("hooked")].writes(counter) && effects[id("hooked")].reads(counter));
}

fn check_pass(pass: fn(Program) -> Program, exit: usize, edges: &str, expected: &str) {
    let program = pass(function(exit, edges));
    debug_assert_well_formed(&program, "the pass");
    let text = print_function(&program, FunctionId::from_index(0));
    let lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with("entry"));
    let lines: Vec<&str> = lines.take_while(|line| *line != "}").collect();
    assert_eq!(lines.join("; "), expected);
}

#[test]
fn inputs_that_nobody_reads_go() {
    let edges = "L0 -> L1: x = any uninitialised; L1 -> L2: y = any uninitialised; \
        L2 -> L3: x = y; L3 -> L4: return x";
    let program = function(4, edges);
    assert_eq!(dead_inputs(&program, FunctionId::from_index(0)).len(), 1);
    check_pass(
        remove_dead_inputs,
        4,
        edges,
        "entry L0, exit L3; L0 -> L1: y = any uninitialised; L1 -> L2: x = y; L2 -> L3: return x",
    );
}

#[test]
fn inputs_by_call_stay() {
    let edges = "L0 -> L1: x = any __VERIFIER_nondet_int; L1 -> L2: return 0";
    check_pass(
        remove_dead_inputs,
        2,
        edges,
        "entry L0, exit L2; L0 -> L1: x = any __VERIFIER_nondet_int; L1 -> L2: return 0",
    );
}

#[test]
fn skips_go_but_for_an_empty_loop() {
    check_pass(
        merge_skips,
        3,
        "L0 -> L1: skip; L1 -> L2: skip; L2 -> L3: return 0",
        "entry L0, exit L1; L0 -> L1: return 0",
    );
    check_pass(
        merge_skips,
        3,
        "L0 -> L1: skip; L1 -> L2: skip; L2 -> L1: skip",
        "entry L0, exit L1; L0 -> L0: skip",
    );
    check_pass(
        merge_skips,
        4,
        "L0 -> L1: [c]; L0 -> L2: [!c]; L1 -> L2: skip; L2 -> L3: skip; L3 -> L4: return 0",
        "entry L0, exit L2; L0 -> L1: [c]; L0 -> L1: [!c]; L1 -> L2: return 0",
    );
}

#[test]
fn what_the_entry_does_not_lead_to_goes() {
    check_pass(
        remove_unreachable,
        3,
        "L0 -> L2: skip; L1 -> L2: skip; L2 -> L3: return 0",
        "entry L0, exit L2; L0 -> L1: skip; L1 -> L2: return 0",
    );
    check_pass(remove_unreachable, 1, "L0 -> L0: skip", "entry L0, exit L1; L0 -> L0: skip");
}
