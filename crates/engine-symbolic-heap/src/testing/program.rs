//! A program whose global variables can hold any heap: for tests of operations on states. It names
//! the numbers 3 and 9, so they are payload constants.

use heapwright_engine::Task;
use heapwright_frontend::{Settings, Source, load};
use heapwright_program::DataModel;
use heapwright_property::Specification;
use heapwright_solver::Deadline;

use crate::analysis::search::Search;
use crate::precision::{Payload, Precision};

const PROGRAM: &str = "
    void *head, *tail, *other; int count;
    int main(void) { while (1) { count = count + 1; } return head != tail || tail != other || count + 3 + 9; }";

/// A task to check a program for everything that is checked by default.
pub(crate) fn task_of(program: &str) -> Task {
    let source = Source::new("heaps.c", program.to_owned());
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
    Task { program, specification: Specification::everyday(), malloc_may_fail: false }
}

/// The same for a file, unless it has no `main` or is no C that is known.
pub(crate) fn task_of_file(name: &str, text: String) -> Option<Task> {
    let model = match name.ends_with(".i") {
        true => DataModel::Ilp32,
        false => DataModel::Lp64,
    };
    let program = load(&[Source::new(name, text)], &Settings::new(model)).ok()?.program;
    Some(Task { program, specification: Specification::everyday(), malloc_may_fail: false })
}

/// Does something with a search of its own.
pub(crate) fn with_search<R>(act: impl FnOnce(&mut Search<'_>) -> R) -> R {
    let task = task_of(PROGRAM);
    let settings = crate::Settings::default();
    let precision = Precision::for_lists(Payload::Numbers);
    act(&mut Search::new(&task, &settings, precision, Deadline::never()))
}
