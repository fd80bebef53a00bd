//! Every rule of well-formedness has programs that break it, and only it.

use heapwright_program::Rule::{
    AccessPaths, Branching, Calls, Exit, ExitEdges, ExpressionTypes, InitialValues, KnownIds,
    Lifetimes, Objects, OperandTypes, OwnThings, RecordLayout, ScalarTypes, Signatures,
    UniqueNames, Variables,
};
use heapwright_program::{Rule, debug_assert_well_formed, parse, well_formed};

const SOUND: &str = r#"program LP64
file "a.c"

struct node, size 16, align 8 {
    0: value: i32
    4: flag: u32 bits 1..4
    8: next: struct node*
}

union either, size 8, align 8 {
    0: number: i64
    0: text: i8*
}

struct later incomplete, size 0, align 1

global counter: i32 = 0  @ 1:1
static table: i64[2], align 8
    = 01
    at 8: &table

function callee(first) -> i32 {
    parameter first: i32
    local mine: i32
    object inner: i32, align 4

    entry L0, exit L2
    L0 -> L1: mine = first
    L1 -> L2: return mine
}

function rest(first, ...) -> void, varargs more {
    parameter first: i32
    object more: u8[], size dynamic, align 16

    entry L0, exit L1
    L0 -> L1: return
}

function old() -> i32, type i32()

function main() -> i32 {
    local x: i32
    local p: struct node*
    local size: u64
    local real: f64
    object box: i32[2], align 4
    object vla: i8[], size dynamic, align 1

    entry L0, exit L20
    L0 -> L1: x = any uninitialised
    L1 -> L2: [x < 3]
    L1 -> L3: [!(x < 3)]
    L2 -> L3: p = allocate heap(16)
    L3 -> L4: x = load i32 [p] (node.value)
    L4 -> L5: store u32 [p + 4] bits 1..4 (node.flag) = 5
    L5 -> L6: enter box
    L6 -> L7: enter vla, size
    L7 -> L8: copy(&box, p, 8)
    L8 -> L9: fill(&box, 0, 8)
    L9 -> L10: size = block_size(p)
    L10 -> L11: x = call callee(x)
    L11 -> L12: call rest(1, 2.5, p)
    L12 -> L13: x = call old(x)
    L13 -> L14: x = call *(&callee)(x)
    L14 -> L15: leave vla
    L15 -> L16: leave box
    L16 -> L17: [x == 0]
    L16 -> L18: [!(x == 0)]
    L17 -> L20: halt exit(x)
    L18 -> L19: free(p)
    L19 -> L20: return x
}
"#;

/// `broken` takes the place of `sound`; the result breaks exactly this rule.
fn breaks(rule: Rule, sound: &str, broken: &str) {
    assert!(SOUND.contains(sound), "no `{sound}`");
    let text = SOUND.replacen(sound, broken, 1);
    let program = parse(&text).unwrap_or_else(|error| panic!("`{broken}`: {error}"));
    let defects = well_formed(&program).expect_err(broken);
    let rules: Vec<Rule> = defects.iter().map(|defect| defect.rule).collect();
    assert!(rules.iter().all(|it| *it == rule), "`{broken}`: {defects:?}");
}

#[test]
fn the_sound_program_is_well_formed() {
    let program = parse(SOUND).unwrap();
    assert_eq!(well_formed(&program), Ok(()));
    debug_assert_well_formed(&program, "nothing");
}

#[test]
fn ids_name_things() {
    breaks(KnownIds, "@ 1:1", "@ file7:1:1");
}

#[test]
fn names_are_unique_and_not_empty() {
    let twins = "function twin() -> i32\nfunction twin() -> i32\nfunction old()";
    breaks(UniqueNames, "function old()", twins);
    breaks(UniqueNames, "struct later", "struct either");
    breaks(UniqueNames, "struct later", "struct ``");
    let mine = "    local mine: i32";
    breaks(UniqueNames, mine, "    local mine: i32\n    local twin: i32\n    local twin: i32");
    let inner = "    object inner: i32, align 4";
    breaks(UniqueNames, inner, &format!("{inner}\n{inner}"));
}

#[test]
fn scalar_types_are_those_of_machines() {
    breaks(ScalarTypes, "    local mine: i32", "    local mine: i32\n    local untyped: ptr");
}

#[test]
fn records_have_room_for_their_fields() {
    breaks(RecordLayout, "size 16, align 8 {", "size 8, align 8 {");
    breaks(RecordLayout, "size 16, align 8 {", "size 18, align 8 {");
    breaks(RecordLayout, "size 16, align 8 {", "size 18, align 6 {");
    breaks(RecordLayout, "    8: next: struct node*", "    8: next: struct node*\n    6: back: i8");
    breaks(RecordLayout, "    0: number: i64", "    4: number: i32");
    breaks(RecordLayout, "later incomplete, size 0", "later incomplete, size 4");
    let wide = "    0: value: i32\n    0: wide: u8 bits 0..9";
    breaks(RecordLayout, "    0: value: i32", wide);
    breaks(RecordLayout, "    0: value: i32", "    0: value: i32\n    0: far: u16 bits 9..12");
}

#[test]
fn operands_fit_their_operators() {
    breaks(ExpressionTypes, "mine = first", "mine = first + 1i64");
    breaks(ExpressionTypes, "halt exit(x)", "halt exit((i32) (p * p))");
    breaks(ExpressionTypes, "halt exit(x)", "halt exit((i32) (real % real))");
    breaks(ExpressionTypes, "halt exit(x)", "halt exit((i32) ~real)");
    breaks(ExpressionTypes, "halt exit(x)", "halt exit((i32) (f64) p)");
    breaks(ExpressionTypes, "free(p)", "free(p + 1i32)");
    breaks(
        ExpressionTypes,
        "[x == 0]\n    L16 -> L18: [!(x == 0)]",
        "[x == p]\n    L16 -> L18: [!(x == p)]",
    );
}

#[test]
fn variables_have_an_owner_and_a_type() {
    breaks(Variables, "global counter: i32 = 0", "temporary counter: i32");
    breaks(Variables, "    local mine: i32", "    local mine: i32\n    global own: i32 = 0");
    breaks(Variables, "    local mine: i32", "    local mine: i32\n    local odd: u64 as i64");
    breaks(
        Variables,
        "    local mine: i32",
        "    local mine: i32\n    local odd: struct node as i64",
    );
}

#[test]
fn initial_values_are_constants_of_the_type() {
    breaks(InitialValues, "global counter: i32 = 0", "global counter: i32 = 0u8");
    breaks(InitialValues, "global counter: i32 = 0", "global counter: i32 = counter");
}

#[test]
fn objects_hold_what_they_start_with() {
    breaks(Objects, "static table: i64[2], align 8", "static table: i64[2], align 3");
    breaks(
        Objects,
        "static table: i64[2], align 8\n    = 01\n    at 8: &table",
        "object table: i64[2], align 8",
    );
    breaks(Objects, "static table: i64[2], align 8", "static table: i64[2], size 15, align 8");
    breaks(Objects, "static table: i64[2], align 8", "static table: i64[2], size dynamic, align 8");
    breaks(Objects, "    at 8: &table", "    at 9: &table");
    breaks(Objects, "    at 8: &table", "    at 8: &#o1");
    breaks(Objects, "    = 01", "    = \"01234567890123456\"");
}

#[test]
fn signatures_agree_with_parameters_and_types() {
    breaks(Signatures, "function main()", "function main(x)");
    breaks(Signatures, "function main()", "function main(#v1)");
    breaks(Signatures, "function rest(first, ...) -> void", "function rest(...) -> void");
    breaks(Signatures, "function old() -> i32, type i32()", "function old() -> i32, type i32*");
    breaks(Signatures, "-> i32, type i32()", "-> i64, type i64(), result i32");
    breaks(
        Signatures,
        "function callee(first) -> i32",
        "function callee(first) -> i32, varargs inner",
    );
}

#[test]
fn locations_other_than_the_exit_lead_on() {
    breaks(Exit, "    entry L0, exit L20", "    entry L0, exit L20, 22 locations");
    breaks(Exit, "    L19 -> L20: return x\n", "    L19 -> L20: return x\n    L20 -> L0: skip\n");
    breaks(Exit, "    entry L0, exit L20", "    entry L20, exit L20");
}

#[test]
fn branches_have_two_sides_of_one_condition() {
    breaks(Branching, "[!(x < 3)]", "[x < 3]");
    breaks(Branching, "[!(x < 3)]", "[!(x < 4)]");
    breaks(Branching, "    L1 -> L3: [!(x < 3)]\n", "");
    breaks(
        Branching,
        "    L18 -> L19: free(p)\n",
        "    L18 -> L19: free(p)\n    L18 -> L0: skip\n",
    );
}

#[test]
fn only_ends_lead_to_the_exit() {
    breaks(ExitEdges, "L2 -> L3: p =", "L2 -> L20: p =");
    breaks(ExitEdges, "L17 -> L20: halt", "L17 -> L0: halt");
    breaks(ExitEdges, "L17 -> L20: halt exit(x)", "L17 -> L0: fail assertion \"x\"");
}

#[test]
fn functions_keep_to_their_own_things() {
    breaks(OwnThings, "mine = first", "mine = #v4");
    breaks(OwnThings, "L8 -> L9: fill(&box", "L8 -> L9: fill(&#o1");
}

#[test]
fn only_own_objects_come_and_go() {
    breaks(Lifetimes, "enter box", "enter table");
    breaks(Lifetimes, "enter box", "enter #o1");
    breaks(Lifetimes, "enter box", "enter box, size");
    breaks(Lifetimes, "enter vla, size", "enter vla");
    breaks(Lifetimes, "leave vla", "leave table");
    breaks(
        Lifetimes,
        "    entry L0, exit L1\n    L0",
        "    entry L2, exit L1\n    L2 -> L0: leave more\n    L0",
    );
}

#[test]
fn operations_get_values_of_their_types() {
    breaks(OperandTypes, "[x < 3]\n    L1 -> L3: [!(x < 3)]", "[x]\n    L1 -> L3: [!x]");
    breaks(OperandTypes, "mine = first", "mine = (u32) first");
    breaks(OperandTypes, "x = load i32 [p]", "x = load u32 [p]");
    breaks(
        OperandTypes,
        "store u32 [p + 4] bits 1..4 (node.flag) = 5",
        "store u32 [p + 4] bits 1..4 (node.flag) = x",
    );
    breaks(OperandTypes, "load i32 [p] (node.value)", "load i32 [x] (i32)");
    breaks(OperandTypes, "copy(&box, p, 8)", "copy(&box, p, 8i32)");
    breaks(OperandTypes, "fill(&box, 0, 8)", "fill(&box, real, 8)");
    breaks(OperandTypes, "p = allocate heap(16)", "x = allocate heap(16)");
    breaks(OperandTypes, "size = block_size(p)", "x = block_size(p)");
    breaks(OperandTypes, "enter vla, size", "enter vla, x");
    breaks(OperandTypes, "free(p)", "free(x)");
    breaks(OperandTypes, "return x", "return size");
    breaks(OperandTypes, "L0 -> L1: return\n", "L0 -> L1: return first\n");
    breaks(OperandTypes, "halt exit(x)", "halt exit(size)");
    breaks(OperandTypes, "call *(&callee)(x)", "call *(x)(x)");
}

#[test]
fn paths_lead_to_the_address() {
    breaks(AccessPaths, "load i32 [p] (node.value)", "load i32 [p + 8] (node.value from p)");
    breaks(AccessPaths, "load i32 [p] (node.value)", "load i32 [p + 8] (node.value at 8)");
    breaks(AccessPaths, "load i32 [p] (node.value)", "load i32 [p] (node.#7 at 0)");
    breaks(AccessPaths, "load i32 [p] (node.value)", "load i32 [p] (node.#record1#0 at 0)");
    breaks(AccessPaths, "load i32 [p] (node.value)", "load i32 [p] bits 0..3 (node.value)");
    breaks(AccessPaths, "[p + 4] bits 1..4 (node.flag)", "[p + 4] (node.flag)");
}

#[test]
fn calls_pass_what_the_callee_takes() {
    breaks(Calls, "call callee(x)", "call callee()");
    breaks(Calls, "call callee(x)", "call callee(x, x)");
    breaks(Calls, "call callee(x)", "call callee(size)");
    breaks(Calls, "call rest(1, 2.5, p)", "call rest()");
    breaks(Calls, "call rest(1, 2.5, p)", "x = call rest(1)");
    breaks(Calls, "x = call old(x)", "size = call old(x)");
}

#[test]
fn defects_say_where_they_are() {
    let program = parse(&SOUND.replace("mine = first", "mine = (u32) first")).unwrap();
    let defects = well_formed(&program).unwrap_err();
    assert_eq!(
        heapwright_program::check::explain(&program, &defects[0]),
        "OperandTypes in callee at E0 (L0 -> L1: mine = (u32) first): `mine` is of type i32, not u32"
    );
    assert_eq!(defects[0].to_string(), "OperandTypes in f0 at E0: `mine` is of type i32, not u32");
}

#[test]
#[should_panic(expected = "not well formed after lowering")]
fn a_pass_that_breaks_a_program_is_named() {
    let program = parse(&SOUND.replace("mine = first", "mine = (u32) first")).unwrap();
    debug_assert_well_formed(&program, "lowering");
}
