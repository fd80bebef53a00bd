//! Lowers every file given and counts what is not modelled. (A sketch of `heapwright show`.)
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

use heapwright_frontend::{Settings, Source, load};
use heapwright_program::{DataModel, Operation};
use std::collections::BTreeMap;
fn main() {
    let mut args = std::env::args().skip(1);
    let model =
        if args.next().as_deref() == Some("32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let settings = Settings::new(model);
    let (mut ok, mut bad, mut edges, mut functions) = (0, 0, 0usize, 0usize);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for file in args {
        let result = Source::read(file.as_ref(), Default::default(), &settings)
            .and_then(|s| load(&[s], &settings));
        match result {
            Ok(loaded) => {
                ok += 1;
                for f in &loaded.program.functions {
                    if let Some(body) = &f.body {
                        functions += 1;
                        edges += body.edges.len();
                        for e in &body.edges {
                            if let Operation::Unsupported { construct } = &e.operation {
                                *kinds.entry(construct.clone()).or_default() += 1;
                            }
                        }
                    }
                }
            }
            Err(error) => {
                bad += 1;
                eprintln!(
                    "== {file}\n{}",
                    error.to_string().lines().take(4).collect::<Vec<_>>().join("\n")
                );
            }
        }
    }
    println!("ok {ok} bad {bad} functions {functions} edges {edges}");
    for (k, n) in kinds {
        println!("{n:6} {k}");
    }
}
