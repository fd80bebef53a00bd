//! The language of claims: what a proof says of the states at its cut points.
//!
//! A claim is a formula over *leaves*: parts of values of the program as it stands, named by call
//! stack and variable, or by object and byte offset. Nothing of an engine's encoding is in it: a
//! pointer has an object, a block of that object and an offset as wide as the data model's pointers.
//! What an engine takes for granted (where pointers may point to, what a loop leaves alone) is
//! claimed like the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use heapwright_logic::{TermId, Terms};
use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, VariableId};

/// The calls under way below `main`, outermost first: the caller and its call edge.
pub type Calls = Vec<(FunctionId, EdgeId)>;

/// What a proof claims of a program.
#[derive(Debug)]
pub struct Certificate {
    pub method: Method,
    /// The rounds of each loop that are looked at together; at least one.
    pub rounds: u32,
    /// Whether a block may be used after its end, because nobody asks.
    pub is_lenient: bool,
    /// What formulas are made of.
    pub terms: Terms,
    /// A pointer's object is its place here and one; zero for a pointer to no object.
    pub objects: Vec<ObjectClaim>,
    pub frames: Vec<FrameClaims>,
}

/// How claims show what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every loop ends within the given rounds, and no function is called deeper in itself.
    Bounded { depth: u32 },
    /// The claims are kept by every round.
    Inductive,
}

/// Blocks that claims do not tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectClaim {
    pub key: ObjectKey,
    /// For people.
    pub name: String,
    /// Whether claims about it are about every block that it ever had, or about its latest one.
    pub is_many: bool,
}

/// Where blocks come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKey {
    Static(ObjectId),
    Local { calls: Calls, object: ObjectId },
    Site { calls: Calls, function: FunctionId, edge: EdgeId },
    Code(FunctionId),
}

/// Which loop, in which rounds of the loops around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameKey {
    pub calls: Calls,
    pub function: FunctionId,
    pub head: LocationId,
    /// Of the loops around, outermost first: in which of the rounds that are looked at together.
    pub copies: Vec<u32>,
}

/// What is claimed of a loop.
#[derive(Clone, Debug)]
pub struct FrameClaims {
    pub key: FrameKey,
    /// For people.
    pub name: String,
    /// All that a round may change in memory; variables need no claim.
    pub changes: Changes,
    /// What holds at the head whenever it is reached over a back edge.
    pub claims: Vec<Claim>,
    /// What the engine says besides, and this language cannot.
    pub unclaimed: Vec<String>,
}

/// What a round of a loop may change in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// By object: ranges of bytes, from and behind; `None` for all.
    pub bytes: BTreeMap<usize, Option<Vec<(u64, u64)>>>,
    /// Objects of which blocks may begin.
    pub begins: BTreeSet<usize>,
    /// Objects of which blocks may end.
    pub ends: BTreeSet<usize>,
}

/// A formula that holds at a cut point.
#[derive(Clone, Debug)]
pub struct Claim {
    /// In words of the engine.
    pub text: String,
    pub formula: TermId,
    /// Claimed of all blocks of these objects together, where there are any; of two blocks of one
    /// object, which may be the same.
    pub about: BTreeSet<Spot>,
    /// What the formula's variables stand for.
    pub leaves: Vec<(TermId, Leaf)>,
}

/// Any block of an object that a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// Its place in [`Certificate::objects`].
    pub object: usize,
    pub is_second: bool,
}

impl Spot {
    #[must_use]
    pub fn first(object: usize) -> Spot {
        Spot { object, is_second: false }
    }
}

/// A number or truth value of the program's state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaf {
    Part {
        subject: Subject,
        part: Part,
    },
    /// Whether the loop with this place in [`Certificate::frames`] was passed over its back edge.
    Repeated(usize),
    /// The latest block of an object, as [`Part::Block`] names it; zero before there is one.
    Latest(usize),
    /// The block that the claim is read for, as [`Part::Block`] names it.
    Witness(Spot),
}

/// A value that the program has somewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Global(VariableId),
    /// Of the call with this place on the stack; `main` has 0.
    Variable {
        depth: usize,
        variable: VariableId,
    },
    /// Of a block of an object.
    Field {
        of: Spot,
        offset: u64,
        bytes: u64,
        is_pointer: bool,
    },
    /// An element: as a field, at any multiple of its size.
    Element {
        of: Spot,
        bytes: u64,
        is_pointer: bool,
    },
    /// Whether a block of an object has ended: one bit.
    Ended {
        of: Spot,
    },
}

impl Subject {
    /// The block that it belongs to.
    #[must_use]
    pub fn spot(&self) -> Option<Spot> {
        match *self {
            Subject::Global(_) | Subject::Variable { .. } => None,
            Subject::Field { of, .. } | Subject::Element { of, .. } | Subject::Ended { of } => {
                Some(of)
            }
        }
    }
}

/// What of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// All bits of a number.
    Bits,
    /// Of a pointer: its object (see [`Certificate::objects`]), in 32 bits.
    Object,
    /// Of a pointer: which of the object's blocks, in 32 bits; equal exactly for one block. The upper
    /// half of the address for a pointer to no object.
    Block,
    /// Of a pointer: bytes from the start of the block, as wide as a pointer; the address for a
    /// pointer to no object.
    Offset,
}

impl Certificate {
    /// A proof without claims.
    #[must_use]
    pub fn bounded(rounds: u32, depth: u32, is_lenient: bool) -> Certificate {
        Certificate {
            method: Method::Bounded { depth },
            rounds: rounds.max(1),
            is_lenient,
            terms: Terms::new(),
            objects: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// How many claims there are, and how many things the engine says that are not among them.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let claims = self.frames.iter().map(|frame| frame.claims.len()).sum();
        (claims, self.frames.iter().map(|frame| frame.unclaimed.len()).sum())
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for frame in &self.frames {
            writeln!(f, "loop {}:", frame.name)?;
            for (object, ranges) in &frame.changes.bytes {
                let name = &self.objects[*object].name;
                match ranges {
                    None => writeln!(f, "  changes {name}")?,
                    Some(ranges) => writeln!(f, "  changes {name} at {ranges:?}")?,
                }
            }
            for object in &frame.changes.begins {
                writeln!(f, "  begins blocks of {}", self.objects[*object].name)?;
            }
            for object in &frame.changes.ends {
                writeln!(f, "  ends blocks of {}", self.objects[*object].name)?;
            }
            for claim in &frame.claims {
                writeln!(f, "  {}", self.terms.display(claim.formula))?;
            }
            for text in &frame.unclaimed {
                writeln!(f, "  not claimed: {text}")?;
            }
        }
        Ok(())
    }
}
