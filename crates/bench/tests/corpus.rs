//! The task definitions of the shared corpus, where it is at hand.

use heapwright_bench::{DataModel, Property, TaskFile, TaskFilter, plan, read_task};
use std::path::{Path, PathBuf};

/// The corpus lies beside the repository; it is not part of it.
#[expect(clippy::print_stdout, reason = "a skipped test has to say so")]
fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !path.is_dir() {
        println!("skipped: there is no {}", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn every_task_definition_can_be_read() {
    let Some(corpus) = corpus() else { return };
    let mut tasks = 0;
    for folder in std::fs::read_dir(corpus).unwrap().flatten().filter(|entry| entry.path().is_dir())
    {
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            let path = file.path();
            if path.extension().is_some_and(|extension| extension == "yml") {
                let task = read_task(&path).unwrap();
                assert!(matches!(task, TaskFile::Task(_)), "{}", path.display());
                tasks += 1;
            }
        }
    }
    assert!(tasks > 0);
}

#[test]
fn every_property_of_the_corpus_is_known() {
    let Some(corpus) = corpus() else { return };
    let plan = plan(&[corpus], &TaskFilter::default(), DataModel::Ilp32).unwrap();
    assert_eq!(plan.left_out.len(), 0, "{:?}", plan.left_out);
    for property in [Property::ValidMemsafety, Property::UnreachCall, Property::Termination] {
        assert!(plan.runs.iter().any(|run| run.property == property), "{property}");
    }
}
