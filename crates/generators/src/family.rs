//! The families of generated programs by name.

use std::fmt;

use crate::program::DataModel;
use crate::{arithmetic, arrays, heap, linked, tables, traps};

/// A generator that needs nothing but a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Heap structures, no inputs, no fault.
    Heap,
    /// Heap structures, no inputs, one planted fault.
    Fault,
    /// Expressions and conversions, no inputs.
    Arithmetic,
    /// Singly and doubly linked lists of any length.
    Lists,
    /// Lists whose nodes own, share or carry something.
    Owners,
    /// Lists with marks in some order.
    Marks,
    /// Lists changed by recursive functions.
    Recursion,
    Trees,
    /// Arrays of any length.
    Arrays,
    /// Arrays of pointers of any length.
    Tables,
    /// Small programs about what verifiers get wrong.
    Traps,
}

impl Family {
    pub const ALL: [Family; 11] = [
        Family::Heap,
        Family::Fault,
        Family::Arithmetic,
        Family::Lists,
        Family::Owners,
        Family::Marks,
        Family::Recursion,
        Family::Trees,
        Family::Arrays,
        Family::Tables,
        Family::Traps,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Family::Heap => "heap",
            Family::Fault => "fault",
            Family::Arithmetic => "arithmetic",
            Family::Lists => "lists",
            Family::Owners => "owners",
            Family::Marks => "marks",
            Family::Recursion => "recursion",
            Family::Trees => "trees",
            Family::Arrays => "arrays",
            Family::Tables => "tables",
            Family::Traps => "traps",
        }
    }

    /// The family called `name`.
    pub fn parse(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }

    /// The text of the program of `seed`.
    pub fn source(self, seed: u64, model: DataModel) -> String {
        match self {
            Family::Heap => heap::clean_program(seed, model).source,
            Family::Fault => heap::faulty_program(seed, model).source,
            Family::Arithmetic => arithmetic::program(seed, model).source,
            Family::Lists => linked::list_program(seed),
            Family::Owners => linked::owner_program(seed),
            Family::Marks => linked::marked_program(seed),
            Family::Recursion => linked::recursive_program(seed),
            Family::Trees => linked::tree_program(seed),
            Family::Arrays => arrays::array_program(seed),
            Family::Tables => tables::table_program(seed),
            Family::Traps => traps::trap_program(seed),
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
