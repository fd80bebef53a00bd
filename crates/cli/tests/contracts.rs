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
