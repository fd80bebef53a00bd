//! Golden tests of the operations on states: `tests/heaps/*.heap`, text in and text out.
//!
//! A file has parts, each below a line `== OPERATION`. `== state NAME` gives a state its name; below
//! every other operation stands what it gives. `HEAPWRIGHT_ACCEPT=1` writes what is seen into the
//! files; look at the difference before you commit it.
//!
//! - `fold A`, `normalise A`, `project A`: the state after it. `normalise` says what was lost.
//! - `unfold A bN`: the node that block `bN` stands for is taken out; one state for each case.
//! - `join A B`, `join A B widening`: the known state A and the new state B become one, or not.
//! - `entails A B`: whether A describes all that B does.
//! - `payload A bN +O`: the blocks that only node `bN` reaches; its links are at `+O`.
//! - `learn A`: from here on, trees like those in A are folded.
//! - `cursors apart`, `cursors folded`, `cursors single`: how nodes of trees are taken that variables hold.
//! - `sorting seen`: from here on, lists and trees are seen to be sorted.
//! - `sorting downwards`: the same of lists, but of trees how nodes are related to those below them.
//! - `relations seen`: from here on, lists have a length, and linear laws between numbers are kept.
//! - `copies seen`: from here on, lists tell which numbers they have that others have too.
//! - `measures seen`: from here on, trees tell how many nodes they have and how high they are.
//! - `variants apart`: from here on, nodes of trees are told apart by which of their links lead on.
//! - `marks apart`, `marks kinds`, `marks numbers`, `marks elements`, `marks sequences`: how constants
//!   in nodes are taken from here on.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use heapwright_base::DenseId;

use crate::abstraction::entail::{Join, entails, join};
use crate::abstraction::normalise::{Lost, normalise, project};
use crate::analysis::search::Search;
use crate::heap::block::BlockId;
use crate::heap::state::State;
use crate::precision::{Copies, Cursors, Keys, Measuring, Payload, Relations, Sorting, Variants};
use crate::summary::fold::{fold, unfold};
use crate::summary::tree::learn::{expect_trees, learn_trees, learnt_trees};
use crate::testing::program::with_search;

#[test]
fn every_operation_gives_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/heaps");
    let entries = fs::read_dir(&folder).expect("the folder of heaps");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "heap"));
    files.sort();
    assert!(files.len() >= 10, "only {} files in {}", files.len(), folder.display());
    let is_accepting = std::env::var_os("HEAPWRIGHT_ACCEPT").is_some();
    let mut problems = String::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a text");
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let seen = with_search(|search| replay(search, &name, &text));
        if is_accepting {
            fs::write(&file, seen).expect("a file that can be written");
        } else if seen != text {
            problems += &format!("{name} should be, as it is seen now:\n{seen}\n");
        }
    }
    assert!(problems.is_empty(), "{problems}\nHEAPWRIGHT_ACCEPT=1 accepts the new output");
}

/// The file with what is seen today.
fn replay(search: &mut Search<'_>, file: &str, text: &str) -> String {
    let mut seen = String::new();
    let mut states: BTreeMap<String, State> = BTreeMap::new();
    let (remarks, parts) = text.split_once("== ").expect("operations");
    seen.push_str(remarks);
    for part in parts.split("\n== ") {
        let (operation, body) = part.split_once('\n').unwrap_or((part, ""));
        let words: Vec<&str> = operation.split_whitespace().collect();
        seen.push_str(&format!("== {operation}\n"));
        if let ["state", name] = words.as_slice() {
            let state = search.reasoner.names.parse_state(body);
            let state = state.unwrap_or_else(|error| panic!("{file}, state {name}: {error}"));
            seen.push_str(&search.reasoner.names.describe(&state));
            states.insert((*name).to_owned(), state);
        } else {
            let of = |name: &str| {
                let state = states.get(name);
                state.unwrap_or_else(|| panic!("{file}: there is no state {name}")).clone()
            };
            seen.push_str(&perform(search, &words, &of));
        }
        seen.push('\n');
        // Remarks between the parts stay.
        let rest = if body.starts_with('\n') { Some(("", body)) } else { body.split_once("\n\n") };
        for paragraph in rest.map_or("", |(_, rest)| rest).split("\n\n") {
            let remark = paragraph.trim();
            if !remark.is_empty() && remark.lines().all(|line| line.starts_with("//")) {
                seen.push_str(&format!("{remark}\n"));
            }
        }
    }
    format!("{}\n", seen.trim_end())
}

/// What an operation gives, as text.
fn perform(search: &mut Search<'_>, words: &[&str], of: &dyn Fn(&str) -> State) -> String {
    match words {
        [
            "marks" | "cursors" | "sorting" | "relations" | "copies" | "variants" | "measures",
            ..,
        ] => set_precision(search, words),
        ["learn", name] => {
            learn_trees(&mut search.reasoner.names, &mut search.learnt, &of(name));
            let learnt = learnt_trees(&search.reasoner.names, &search.learnt);
            expect_trees(&mut search.reasoner.names, &mut search.learnt, &learnt);
            learnt.iter().map(|tree| format!("// {tree}\n")).collect()
        }
        ["fold", name] => {
            let mut state = of(name);
            fold(&mut search.domain(), &mut state);
            search.reasoner.names.describe(&state)
        }
        ["normalise", name] => {
            let mut state = of(name);
            let lost = match normalise(&mut search.domain(), &mut state) {
                Lost::Nothing => "// nothing is lost",
                Lost::Block => "// a block is lost",
            };
            format!("{lost}\n{}", search.reasoner.names.describe(&state))
        }
        ["project", name] => {
            let mut state = of(name);
            project(&mut search.reasoner, &search.precision, &mut state);
            search.reasoner.names.describe(&state)
        }
        ["unfold", name, block] => {
            let cases = unfold(&mut search.reasoner, of(name), block_id(block));
            let describe = |(index, state): (usize, &State)| {
                format!("// case {}\n{}", index + 1, search.reasoner.names.describe(state))
            };
            cases.iter().enumerate().map(describe).collect()
        }
        ["join", known, new, widening @ ..] => {
            match join(&mut search.domain(), &of(known), &of(new), !widening.is_empty()) {
                Join::Covers => "// the known one covers the new one\n".to_owned(),
                Join::Apart => "// they stay apart\n".to_owned(),
                Join::General(general) => {
                    format!("// both are\n{}", search.reasoner.names.describe(&general))
                }
            }
        }
        ["entails", known, new] => match entails(&mut search.domain(), &of(known), &of(new)) {
            Ok(()) => "// yes\n".to_owned(),
            Err(mismatch) => format!("// no: {mismatch}\n"),
        },
        ["payload", name, node, links @ ..] => payload(search, &of(name), node, links),
        _ => panic!("no operation: {words:?}"),
    }
}

/// Changes what is told apart.
fn set_precision(search: &mut Search<'_>, words: &[&str]) -> String {
    match words {
        ["marks", how] => {
            search.precision.payload = match *how {
                "apart" => Payload::Apart,
                "kinds" => Payload::Prototypes,
                "numbers" => Payload::Numbers,
                "elements" => Payload::Elements,
                "sequences" => Payload::Sequences,
                _ => panic!("marks are not {how}"),
            };
        }
        ["cursors", how] => {
            search.precision.cursors = match *how {
                "apart" => Cursors::Apart,
                "folded" => Cursors::Folded,
                "single" => Cursors::Single,
                _ => panic!("cursors are apart, folded or single, not {how}"),
            };
        }
        ["sorting", "seen"] => {
            search.precision.sorting = Sorting::Seen;
        }
        ["sorting", "downwards"] => {
            search.precision.sorting = Sorting::Downwards;
        }
        ["relations", "seen"] => {
            search.precision.relations = Relations::Seen;
        }
        ["copies", "seen"] => {
            search.precision.copies = Copies::Seen;
        }
        ["keys", "apart"] => {
            search.precision.keys = Keys::Apart;
        }
        ["measures", "seen"] => {
            search.precision.measuring = Measuring::Seen;
        }
        ["variants", "apart"] => {
            search.precision.variants = Variants::Apart;
        }
        _ => panic!("no precision: {words:?}"),
    }
    String::new()
}

/// What a node owns.
fn payload(search: &mut Search<'_>, state: &State, node: &str, links: &[&str]) -> String {
    let links: Vec<u64> =
        links.iter().map(|link| link.trim_start_matches('+').parse().expect("an offset")).collect();
    let referrers = search.reasoner.names.referrers(state);
    let is_link = |offset: u64| links.contains(&offset);
    let owned = search.reasoner.names.payload(state, &referrers, block_id(node), &is_link);
    let names: Vec<String> = owned.iter().map(ToString::to_string).collect();
    format!("// {}\n", if names.is_empty() { "none".to_owned() } else { names.join(" ") })
}

fn block_id(name: &str) -> BlockId {
    let number = name.strip_prefix('b').and_then(|number| number.parse().ok());
    BlockId::from_index(number.expect("a block"))
}
