//! What C leaves to the implementation and a run has to decide, as an input like any other.
//!
//! The answer 0 is what happens where nobody cares. It is not recorded, so that a list of inputs
//! without choices is one in which all of them are 0.

use std::fmt;

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChoiceKind {
    /// Where the block called `serial` lies. 0: where no block has been. 1 and more: at the address
    /// of the block that it replaces (`realloc` stays), or of one of the dead blocks, the latest
    /// death first.
    Address { serial: u64 },
    /// Which string literals share their bytes. 0 and 1: equal ones, as with all compilers that people
    /// use. 2: those that are the end of another one too. 3: none, which no engine may exclude and no
    /// violation may rest on unless it is asked for.
    Literals,
    /// Whether the allocation of no bytes that comes after `earlier` others gives null.
    Null { earlier: u64 },
    /// Whether `realloc` to no bytes, after `earlier` others, gives what an allocation of no bytes
    /// gives, and not null.
    Block { earlier: u64 },
}

/// The choices that the program asks for by name, and how many came before.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedChoices {
    nulls: u64,
    blocks: u64,
}

impl NamedChoices {
    /// The choice that an input of this name is, if it is one.
    pub fn next(&mut self, name: &str) -> Option<ChoiceKind> {
        let (count, kind): (&mut u64, fn(u64) -> ChoiceKind) = match name {
            "__heapwright_choose_null" => (&mut self.nulls, |earlier| ChoiceKind::Null { earlier }),
            "__heapwright_choose_block" => {
                (&mut self.blocks, |earlier| ChoiceKind::Block { earlier })
            }
            _ => return None,
        };
        *count += 1;
        Some(kind(*count - 1))
    }
}

impl fmt::Display for ChoiceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceKind::Address { serial } => {
                write!(f, "where block {serial} lies: at the address of an earlier one")
            }
            ChoiceKind::Null { .. } => f.write_str("an allocation of no bytes gives null"),
            ChoiceKind::Block { .. } => f.write_str("`realloc` to no bytes gives a block"),
            ChoiceKind::Literals => f.write_str("which string literals share their bytes"),
        }
    }
}
