//! Programs around linked structures, composed of scenes; well-defined, or with one planted fault.

mod blocks;
mod calls;
mod compose;
mod doubly;
mod numbers;
mod payload;
mod records;
mod scene;
mod singly;
mod strings;
mod tables;
mod trees;

pub use compose::{clean_program, faulty_program};

use scene::Author;

/// Every kind of scene.
const AUTHORS: &[Author] = &[
    singly::list,
    singly::circular,
    doubly::two_ended,
    doubly::intrusive,
    trees::search_tree,
    trees::parent_tree,
    tables::hash_table,
    tables::list_of_lists,
    records::growing_array,
    records::variants,
    strings::strings,
    calls::callbacks,
    calls::control,
];
