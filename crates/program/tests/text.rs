//! The text form: golden programs read and print as they are, errors say where and why.

use heapwright_program::{display_operation, parse, print, print_function, well_formed};

const LIST: &str = include_str!("programs/list.program");
const EVERYTHING: &str = include_str!("programs/everything.program");

#[test]
fn golden_programs_print_as_they_were_written() {
    for text in [LIST, EVERYTHING] {
        let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
        assert_same_text(&print(&program), text);
    }
}

/// Fails at the first line that differs, not with two whole programs.
fn assert_same_text(actual: &str, expected: &str) {
    for (actual, expected) in actual.lines().zip(expected.lines()) {
        assert_eq!(actual, expected);
    }
    assert_eq!(actual.lines().count(), expected.lines().count());
}

#[test]
fn golden_programs_are_canonical_and_well_formed() {
    for text in [LIST, EVERYTHING] {
        let program = parse(text).unwrap();
        let renumbered = program.renumbered();
        assert_eq!(renumbered.types, program.types);
        assert_eq!(renumbered.paths, program.paths);
        assert!(renumbered == program);
        if let Err(defects) = well_formed(&program) {
            let lines: Vec<String> = defects.iter().map(ToString::to_string).collect();
            panic!("{}", lines.join("\n"));
        }
    }
}

#[test]
fn one_function_prints_as_in_the_whole() {
    let program = parse(LIST).unwrap();
    let push = program.function_named("push").unwrap();
    assert!(LIST.contains(&print_function(&program, push)));
}

#[test]
fn comments_and_blank_lines_do_not_count() {
    let spaced = LIST.replace("    L0", "\n    // here\n    L0").replace(" -> L2", "->  L2");
    assert_eq!(parse(&spaced), parse(LIST));
}

#[test]
fn operations_read_like_c_in_traces() {
    let program = parse(EVERYTHING).unwrap();
    let take = program.function_named("take").unwrap();
    let edges = &program.functions[take].body.as_ref().unwrap().edges;
    let lines: Vec<String> =
        edges.iter().map(|edge| display_operation(&program, &edge.operation)).collect();
    for expected in [
        "n = p->high",
        "p->f = s",
        "n = value->b[1]",
        "n = value->b[…]",
        "memmove(&local.pair, value, 12)",
        "p = calloc(1, n + 1)",
        "x = (*handler)(null, 1, p - value)",
        "n is uninitialised",
        "!b",
        "n = *0x1000",
        "exit(3)",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} in\n{}", lines.join("\n"));
    }
}

fn check_error(text: &str, expected: &str) {
    let error = parse(text).expect_err("the text is no program");
    assert_eq!(error.to_string(), expected);
}

fn in_main(line: &str) -> String {
    format!(
        "program LP64\nfunction main() -> i32 {{\n    local x: i32\n    entry L0, exit L1\n    {line}\n}}\n"
    )
}

#[test]
fn errors_say_where_and_what_was_expected() {
    check_error("", "1:1: expected `program`, found the end of the text");
    check_error("program LP46", "1:9: expected `ILP32` or `LP64`, found `LP46`");
    check_error(
        "program LP64\nhello",
        "2:1: expected a file, record, variable, object or function, found `hello`",
    );
    check_error(
        "program LP64\nglobal x: i32 = y\n",
        "2:17: expected a variable that is declared, found `y`",
    );
    check_error(
        "program LP64\nglobal x #3: i32 = 0\n",
        "2:8: expected a declaration of v0 in place of v3, found `x`",
    );
    check_error(
        "program LP64\nexternal s: struct t, align 1\n",
        "2:20: expected a record that is declared, found `t`",
    );
    check_error(
        &in_main("L0 -> L1: return 1 +"),
        "5:25: expected an expression, found the end of the line",
    );
    check_error(&in_main("L0 -> L1: return x x"), "5:24: expected the end of the line, found `x`");
    check_error(
        &in_main("L0 -> L1: x = 99999999999"),
        "5:19: expected a number of type i32, found `99999999999`",
    );
    check_error(&in_main("L0 -> L1: jump"), "5:15: expected an operation, found `jump`");
    check_error(
        &in_main("L0 -> L1: fail assertion \"x"),
        "5:30: expected a closing \" on this line, found `\"`",
    );
    check_error(&in_main("L0: skip"), "5:7: expected `->`, found `:`");
    check_error(
        &in_main("L0 -> L1: x = load i32 [null + 4] (i32[2])"),
        "5:46: expected `from` and the base of the path, found `)`",
    );
}

#[test]
fn absurd_nesting_is_an_error() {
    let deep = "(".repeat(100_000);
    let error = parse(&in_main(&format!("L0 -> L1: return {deep}"))).unwrap_err();
    assert_eq!(error.expected, "less nesting");
}
