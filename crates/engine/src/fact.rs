//! Facts: what engines tell each other through the portfolio.
//!
//! A fact steers who reads it: what is tried first, which words are links, whether it is worth while to begin. No proof
//! rests on one. What was proved is published when the gate has let the proof through, with who proved it.

use std::fmt;

use heapwright_program::Place;
use heapwright_property::Part;

/// Something that one engine found out and others, or the user, may use. It is said with the name of
/// who says so, and rests on that engine alone unless it is about a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A violation of this part could not be excluded.
    Blocked { part: Part, place: Option<Place> },
    /// The gate has accepted a proof of this part.
    Holds(Part),
    /// No execution with at most so many rounds of every loop, and calls that are no deeper,
    /// violates what was asked.
    NoViolationWithin { rounds: u32 },
    /// So many paths were followed to their ends without a violation, of up to so many rounds and
    /// branches; others were not.
    PathsFollowed { paths: u64, steps: u64 },
    /// So many runs on chosen inputs ended without a violation.
    RunsWithout { runs: u64 },
    /// Runs have shown how blocks of one size are linked. It steers, and proves nothing.
    Linked(Linked),
    /// At loop heads, no chain of words at this offset leads from a block of this size back to it.
    Acyclic { size: u64, offset: u64 },
    /// At loop heads, no two words at this offset lead to one block of this size.
    Unshared { size: u64, offset: u64 },
}

/// How blocks of one size are linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Of the blocks, in bytes.
    pub size: u64,
    pub links: Vec<Link>,
    pub structure: Structure,
}

/// A word of a block that leads to another block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub offset: u64,
    pub way: LinkWay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkWay {
    /// To a block of the same size.
    Onward,
    /// To the block whose link at this offset leads here.
    Back { of: u64 },
    /// To blocks of other sizes only.
    Away,
}

/// What linked blocks of one size form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// No block of this size leads to another one.
    Single,
    List,
    Ring,
    /// Several links lead onward, and one to each block at most.
    Tree,
    /// Several links lead to one block.
    Shared,
}

impl Structure {
    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Structure::Single => "blocks that lead to other sorts of blocks",
            Structure::List => "a list",
            Structure::Ring => "a ring",
            Structure::Tree => "a tree",
            Structure::Shared => "a list with shortcuts, or a graph",
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Blocked { part, .. } => write!(f, "{part} is not shown"),
            Fact::Holds(part) => write!(f, "{part} holds"),
            Fact::NoViolationWithin { rounds } => write!(f, "no violation within {rounds} rounds"),
            Fact::PathsFollowed { paths, steps } => write!(f, "{paths} paths in {steps} steps"),
            Fact::RunsWithout { runs } => write!(f, "{runs} runs without a violation"),
            Fact::Linked(Linked { size, links, structure }) => {
                write!(f, "runs show blocks of {size} bytes that form {}", structure.name())?;
                for Link { offset, way } in links {
                    match way {
                        LinkWay::Onward => write!(f, ", onward at {offset}")?,
                        LinkWay::Back { of } => write!(f, ", back from {of} at {offset}")?,
                        LinkWay::Away => write!(f, ", to others at {offset}")?,
                    }
                }
                Ok(())
            }
            Fact::Acyclic { size, offset } => {
                write!(f, "no cycle of links at {offset} of blocks of {size} bytes")
            }
            Fact::Unshared { size, offset } => {
                write!(f, "no two links at {offset} lead to one block of {size} bytes")
            }
        }
    }
}
