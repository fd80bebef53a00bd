//! Inferred contracts: what `check --entry all` finds that callers have to promise, and what it must not find.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/contracts").join(name)
}

fn check(file: &Path, options: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
    let output =
        command.args(["check", "--json", "--timeout", "60s"]).args(options).arg(file).output();
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{errors}"))
}

fn row<'r>(rows: &'r Value, function: &str) -> &'r Value {
    let mut rows = rows.as_array().unwrap().iter();
    rows.find(|row| row["function"] == function).unwrap_or_else(|| panic!("no {function}"))
}

#[test]
fn a_library_gets_the_contracts_that_it_needs() {
    let rows = check(&example("queue.c"), &["--entry", "all"]);
    let wanted = [
        ("queue_push", "type queue { last(head) == tail; }"),
        ("queue_pop", "type queue { (head == 0) == (size == 0); }"),
        ("queue_front", "fn queue_front { queue->head != 0; }"),
        ("queue_push_node", "fn queue_push_node { node->next == 0; }"),
    ];
    for (function, contract) in wanted {
        let row = row(&rows, function);
        assert_eq!(row["report"]["verdict"], "holds", "{function}");
        assert_eq!(row["depends_on_callers"], true, "{function}");
        let inferred = row["inferred"].as_array().unwrap();
        assert!(inferred.iter().any(|text| text == contract), "{function}: {inferred:?}");
        assert!(row["runs"]["returned"].as_u64().unwrap() >= 20, "{function}: {}", row["runs"]);
    }
    assert_eq!(row(&rows, "queue_new")["report"]["verdict"], "holds");
    let wrong = row(&rows, "queue_free");
    assert_eq!(wrong["report"]["verdict"], "violated");
    assert_eq!(wrong["report"]["kind"], "dangling-dereference");
}

/// A function may hold and still leave its objects so that the next one fails.
#[test]
fn what_is_said_of_types_is_asked_of_functions_too() {
    let rows = check(&example("queue.c"), &["--entry", "all"]);
    assert_eq!(row(&rows, "queue_skip")["report"]["verdict"], "holds");
    assert_eq!(row(&rows, "queue_skip")["clauses_of_types"], "broken");
    assert_eq!(row(&rows, "queue_new")["clauses_of_types"], "kept");
    let kept = "type queue { last(head) == tail; kept; }";
    for (function, verdict) in [("queue_push", "holds"), ("queue_skip", "violated")] {
        let report = check(&example("queue.c"), &["--entry", function, "--promise", kept]);
        assert_eq!(report["verdict"], verdict, "{function}");
    }
}

/// What is printed can be given back, and then every function has the answer that it had.
#[test]
fn inferred_contracts_are_read_back() {
    let rows = check(&example("queue.c"), &["--entry", "all"]);
    for row in rows.as_array().unwrap() {
        let inferred = row["inferred"].as_array().unwrap();
        let function = row["function"].as_str().unwrap();
        let mut options = vec!["--entry", function];
        options.extend(inferred.iter().flat_map(|text| ["--promise", text.as_str().unwrap()]));
        let again = check(&example("queue.c"), &options);
        assert_eq!(again["verdict"], row["report"]["verdict"], "{function}");
    }
}

#[test]
fn no_contract_hides_what_a_function_does_wrong() {
    let rows = check(&example("mistakes.c"), &["--entry", "all"]);
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let function = &row["function"];
        assert_eq!(row["report"]["verdict"], "violated", "{function}: {}", row["inferred"]);
        assert_eq!(row["depends_on_callers"], false, "{function}");
        assert_eq!(row["inferred"], serde_json::json!([]), "{function}");
    }
}

#[test]
fn nothing_is_inferred_where_nobody_wants_it() {
    let rows = check(&example("queue.c"), &["--entry", "all", "--infer-contracts", "no"]);
    assert_eq!(row(&rows, "queue_front")["report"]["verdict"], "violated");
    let rows = check(&example("queue.c"), &["--entry", "queue_front", "--infer-contracts", "yes"]);
    assert_eq!(row(&rows, "queue_front")["report"]["verdict"], "holds");
}

/// What a function needs is guessed of those that hand their arguments on to it, and those that hold are asked whether
/// they keep it.
#[test]
fn contracts_of_callees_tell_of_their_callers() {
    let rows = check(&example("calls.c"), &["--entry", "all"]);
    for (function, contract) in [
        ("mean", "fn mean { count > 0; }"),
        ("rounded_mean", "fn rounded_mean { n > 0; }"),
        ("first", "fn first { list->head != 0; }"),
    ] {
        let row = row(&rows, function);
        assert_eq!(row["report"]["verdict"], "holds", "{function}");
        assert_eq!(row["inferred"], serde_json::json!([contract]), "{function}");
    }
    for function in ["rounded_mean", "mean_of_four", "first_or_zero", "push_and_read"] {
        assert_eq!(row(&rows, function)["clauses_of_callees"]["answer"], "kept", "{function}");
    }
    assert_eq!(row(&rows, "mean_of_some")["report"]["verdict"], "violated");
    assert!(row(&rows, "mean_of_some")["runs_by_default"]["failed"].as_u64().unwrap() > 0);
}

#[test]
fn a_call_that_breaks_a_contract_is_told_where_it_is_made() {
    let contract = "fn mean { len(values) == count; count > 0; }";
    for (function, verdict) in
        [("mean_of_four", "holds"), ("mean_of_some", "violated"), ("rounded_mean", "violated")]
    {
        let report = check(&example("calls.c"), &["--entry", function, "--promise", contract]);
        assert_eq!(report["verdict"], verdict, "{function}");
        if verdict == "violated" {
            assert_eq!(report["kind"], "assertion-failed", "{function}");
            let clause = "`contract of mean: count > 0` is false";
            assert_eq!(report["labels"][0]["text"], clause, "{function}");
            assert_eq!(report["stack"][0]["function"], function);
        }
    }
}

fn report_on(text: &str, options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("unit.c");
    std::fs::write(&file, text).unwrap();
    check(&file, options)
}

/// Broken clauses that a careless check would not see.
#[test]
fn no_call_that_breaks_a_contract_is_proved() {
    let g = "int g(int n) { return n; }\n";
    let pair = "struct pair { int a; int b; };\n";
    let wrong: [(&str, String); 8] = [
        ("the last of many calls", format!("{g}int f(unsigned n) {{ int s = 0; for (unsigned i = 0; i <= n % 50; i++) s += g(49 - (int)i); return s; }}")),
        ("behind another function", format!("{g}static int h(int n) {{ return g(n - 1); }}\nint f(int n) {{ return n > 0 ? h(n) : 0; }}")),
        ("after wrapping", format!("{g}int f(unsigned char n) {{ return g((unsigned char)(n + 1)); }}")),
        ("as an argument", format!("{g}int f(int n) {{ return g(n > 3 ? g(n - 3) - 1 : 1); }}")),
        ("with a changed parameter", format!("{g}int f(int n) {{ if (n <= 0) return 0; n = n / 2; return g(n); }}")),
        ("a struct is given back", format!("{pair}struct pair g(int n) {{ struct pair p = {{ n, n }}; return p; }}\nint f(int n) {{ struct pair p = g(n); return p.a; }}")),
        ("a struct is passed", format!("{pair}int g(struct pair p, int n) {{ return p.a + n; }}\nint f(int n) {{ struct pair p = {{ 1, 2 }}; return g(p, n); }}")),
        ("functions that call each other", "int g(int n);\nint h(int n) { return n > 5 ? g(n - 6) : 0; }\nint g(int n) { return h(n); }\nint f(int n) { return n > 0 && n < 50 ? g(n) : 0; }".to_owned()),
    ];
    for (name, text) in wrong {
        let report = report_on(&text, &["--entry", "f", "--promise", "fn g { n > 0; }"]);
        assert_eq!(report["verdict"], "violated", "{name}: {report}");
        assert_eq!(report["labels"][0]["text"], "`contract of g: n > 0` is false", "{name}");
    }
}

/// The same with clauses that are kept.
#[test]
fn calls_that_keep_a_contract_are_proved() {
    let g = "int g(int n) { return n > 100 ? g(n - 101) : n; }\n";
    let right = [
        format!(
            "{g}int f(unsigned n) {{ int s = 0; for (unsigned i = 0; i < n % 50; i++) s += g(50 - (int)i); return s; }}"
        ),
        format!("{g}int f(int n) {{ return n > 0 && n < 90 ? g(n) : 0; }}"),
        "struct pair { int a; int b; };\nint g(struct pair p, int n) { return p.a + n; }\n\
         int f(int n) { struct pair p = { 1, 2 }; return n > 0 ? g(p, n) : 0; }"
            .to_owned(),
    ];
    for text in right {
        let report = report_on(&text, &["--entry", "f", "--promise", "fn g { n > 0; }"]);
        assert_eq!(report["verdict"], "holds", "{text}: {report}");
    }
}

/// Who does not ask about assertions is not told of broken clauses, and what comes of them is not hidden.
#[test]
fn a_broken_contract_hides_no_fault() {
    let text = "int g(int *p, int n) { return p[n]; }\n\
                int f(unsigned n) { int a[4] = { 0 }; return g(a, n % 5); }";
    let options = ["--entry", "f", "--promise", "fn g { n < 4; }"];
    assert_eq!(report_on(text, &options)["kind"], "assertion-failed");
    let options = [&options[..], &["--property", "valid-memsafety"]].concat();
    assert_eq!(report_on(text, &options)["kind"], "out-of-bounds");
}
