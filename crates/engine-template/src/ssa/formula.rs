//! The formula: a program with its loops cut, as data. What the templates are put on.
//!
//! **Cut loops.** At a loop's head each variable that the loop changes is `select ? before : entry`
//! (FMCAD'18, II-C); `before` is free until an invariant constrains it.
//!
//! **Unwinding.** With `copies` k > 1 the body stands k times between the head and the back edge, so
//! that the formula holds a window of k rounds: the first k (not `select`) or any k in a row that do
//! not start the loop (`select`). An invariant must hold at the heads of the first k rounds and, if
//! it holds at the heads of k rounds in a row, at the next head. An execution's first violation lies in the last
//! round of its window unless the window is the first one: [`Formula::must_hold`].
//!
//! **Objects.** An abstract object that is a summary stands for all blocks of one allocation site.
//! Its fields are functions from block numbers to values. A row about `dynamic_object$0.next@8:ptr` is
//! meant for *all* allocated blocks: it must be shown for one arbitrary block, the object's `witness`, and
//! may be assumed of every block whose fields at the loop's head the formula looks at: the loop's
//! `instances`. This is the paper's choice among pre-materialised objects made exact: the free
//! object-select guard of a write becomes "the witness is the block that is written to".

use std::ops::Range;

use heapwright_base::{IdVec, define_id};
use heapwright_engine::Reason;
use heapwright_logic::{TermId, Terms};
use heapwright_program::{EdgeId, FunctionId, LocationId, Place, VariableId};
use heapwright_property::Part;

use crate::analysis::effects::Slot;
use crate::analysis::inlined::Stack;
use crate::ssa::function::{CutFunction, CutFunctionId};
use crate::ssa::pointer::PointerLayout;

define_id!(
    /// An object of the abstraction.
    AbstractObjectId,
    "object"
);
define_id!(
    /// A loop that was cut.
    CutLoopId,
    "loop"
);

/// A program with its loops cut.
#[derive(Clone, Debug)]
pub struct Formula {
    pub terms: Terms,
    /// All hold. Definitions need none: terms are shared, so a version of a variable is its term.
    pub constraints: Vec<TermId>,
    pub pointers: PointerLayout,
    pub objects: IdVec<AbstractObjectId, AbstractObject>,
    /// Outer loops before inner ones, and in program order.
    pub loops: IdVec<CutLoopId, CutLoop>,
    /// Functions that are summarised.
    pub functions: IdVec<CutFunctionId, CutFunction>,
    /// Runs that are cut, because they are too deep in a recursion, get to one of these.
    pub cut_runs: Vec<TermId>,
    /// Free variables in the order in which the program needs them; but for those of witnesses.
    pub variables: Vec<TermId>,
    pub obligations: Vec<Obligation>,
    /// Every branch that is walked.
    pub branches: Vec<Branch>,
    /// What the program draws, in the order of the program's text with loops unwound.
    pub inputs: Vec<Input>,
    /// Named versions of variables, for text and for comparison with a run.
    pub versions: Vec<Version>,
    /// Anything here, and the formula proves nothing.
    pub unsupported: Vec<Reason>,
}

/// A set of blocks that the abstraction does not tell apart, or one block.
#[derive(Clone, Debug)]
pub struct AbstractObject {
    /// `dynamic_object$0`, or the name of what is declared.
    pub name: String,
    pub kind: AbstractObjectKind,
    /// An arbitrary block of it; a pointer to its start.
    pub witness: TermId,
    /// Another one, or the same, in a formula that has two.
    pub second: Option<TermId>,
    /// The parts that the program accesses, by offset.
    pub fields: Vec<ObjectField>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbstractObjectKind {
    /// A declared object: one block.
    Declared,
    /// The one block of an allocation site that is passed at most once.
    Concrete { site: usize },
    /// All blocks of an allocation site, or of a declared object with many lives.
    Summary { site: usize },
    /// A function: only its address matters.
    Code(FunctionId),
}

impl AbstractObjectKind {
    #[must_use]
    pub fn is_summary(self) -> bool {
        matches!(self, AbstractObjectKind::Summary { .. })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectField {
    /// `next@8:ptr`, or `@8:ptr` where the program has no word for it.
    pub name: String,
    pub offset: u64,
    pub kind: ValueKind,
}

/// A loop whose back edge was cut.
#[derive(Clone, Debug)]
pub struct CutLoop {
    pub head: (FunctionId, LocationId),
    /// `main.3` or, for a loop of an inlined call, `main.f.2`; unique.
    pub name: String,
    pub place: Place,
    pub parent: Option<CutLoopId>,
    pub place_in_program: LoopPlace,
    /// Those of the formula's variables that were there before the loop, in the same function.
    pub older: Range<usize>,
    /// The head is reached, from outside or over the back edge.
    pub head_guard: TermId,
    /// Free: the head is reached over the back edge.
    pub select: TermId,
    /// The end of the body is reached.
    pub back_guard: TermId,
    /// How many rounds stand between the head and the back edge; at least one.
    pub copies: u32,
    /// The heads of the second and later copies are reached; `copies - 1` of them.
    pub between_guards: Vec<TermId>,
    /// What the loop changes and something depends on.
    pub variables: Vec<LoopVariable>,
    /// Further blocks of which rows may be assumed at the head.
    pub instances: Vec<Instance>,
}

/// Where a cut loop stands, and what it leaves alone: what claims about it are made from.
#[derive(Clone, Debug, Default)]
pub struct LoopPlace {
    /// The calls that lead to it.
    pub calls: Stack,
    /// The rounds of the loops around it, outermost first.
    pub copies: Vec<u32>,
    pub changed: Vec<Slot>,
    /// The values of variables that the loop does not change.
    pub unchanged: Vec<(VariableId, TermId)>,
}

/// A variable at a loop's head. A row over such variables is a predicate `R` with: `R(before)`
/// assumed under `head_guard`, `select` and its variables' `guard_before`; to be shown: `R(entry)`
/// under `head_guard`, not `select`, and `guard_entry`; `R(after)` under `back_guard` and
/// `guard_after`; and, with more than one copy, `R(between[i])` under `between_guards[i]` and
/// `guard_between[i]`: to be shown where not `select`, assumed where `select`.
#[derive(Clone, Debug)]
pub struct LoopVariable {
    /// `p`, `f::count`, `dynamic_object$0.next@8:ptr`; no two things in a program have one name.
    pub name: String,
    pub kind: ValueKind,
    pub what: LoopVariableSource,
    /// Which of the object's witnesses it is of.
    pub spot: Spot,
    /// The value at the head, when it comes over the back edge: a free variable.
    pub before: TermId,
    /// The value when the loop is entered.
    pub entry: TermId,
    /// The values at the heads of the second and later copies; `copies - 1` of them.
    pub between: Vec<TermId>,
    /// The value at the end of the body.
    pub after: TermId,
    /// When the row is meaningful: the witness is allocated. True for plain variables.
    pub guard_before: TermId,
    pub guard_entry: TermId,
    pub guard_between: Vec<TermId>,
    pub guard_after: TermId,
}

/// Which arbitrary block of an object a row speaks of. Rows about links need two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// Its witness; variables of the program too.
    First,
    Second,
    /// A variable of the program that the loop leaves alone: rows about links relate others to it.
    Kept,
}

/// A row that speaks about fields of `object` holds of this block too: each `before` of such a field
/// is replaced by the one here, and so is its guard. Fields that are not listed keep their witness's
/// terms, so a row over a field that is not listed is not to be instantiated.
#[derive(Clone, Debug)]
pub struct Instance {
    pub object: AbstractObjectId,
    /// A pointer to its start.
    pub block: TermId,
    /// The block is allocated at the head.
    pub guard: TermId,
    /// Pairs of a position in the loop's `variables` and the value there.
    pub before: Vec<(usize, TermId)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// A bit-vector that is a number.
    Number { bits: u32, signed: bool },
    /// A bit-vector to be read with the formula's `pointers`.
    Pointer,
    /// A bit-vector of one bit: a `_Bool`, the result of a comparison, or a mark.
    Boolean,
    /// Bits that are only moved: floating point.
    Opaque { bits: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoopVariableSource {
    Local(VariableId),
    Global(VariableId),
    Field {
        object: AbstractObjectId,
        offset: u64,
    },
    /// Whether the object's witness has been freed, or has ended its life.
    Ended {
        object: AbstractObjectId,
    },
    /// Whether the object's one block is allocated.
    Allocated {
        object: AbstractObjectId,
    },
}

impl LoopVariableSource {
    /// The object that it belongs to.
    #[must_use]
    pub fn object(self) -> Option<AbstractObjectId> {
        match self {
            LoopVariableSource::Field { object, .. }
            | LoopVariableSource::Ended { object }
            | LoopVariableSource::Allocated { object } => Some(object),
            LoopVariableSource::Local(_) | LoopVariableSource::Global(_) => None,
        }
    }
}

/// `guard => condition` must hold.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub guard: TermId,
    pub condition: TermId,
    /// The part of the specification that its failure violates. `None`: nobody asks, but the formula
    /// means nothing for executions in which it fails, so that a proof needs it all the same.
    pub part: Option<Part>,
    /// In words: `p may be null`.
    pub text: String,
    pub place: Place,
    /// The loops around it, outermost first, with the number of the copy, from 0.
    pub copies: Vec<(CutLoopId, u32)>,
}

impl Formula {
    /// When an obligation must be shown: its guard, but not in an earlier round of a window that is
    /// not a loop's first, since such a window need only end with the first violation.
    pub fn must_hold(&mut self, obligation: &Obligation) -> TermId {
        let mut guard = obligation.guard;
        for &(id, copy) in &obligation.copies {
            let cut = &self.loops[id];
            if copy + 1 < cut.copies {
                let is_first = self.terms.not(cut.select);
                guard = self.terms.and(guard, is_first);
            }
        }
        guard
    }

    /// Whether nothing is cut: the formula holds all executions from the start and no others.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.loops.is_empty() && self.functions.is_empty() && self.cut_runs.is_empty()
    }

    /// No cut is passed: together with the constraints, executions from the start whose loops take at
    /// most `copies` rounds. What a summarised function does is anything.
    pub fn is_from_start(&mut self) -> TermId {
        let entered = self.functions.iter().map(|function| function.entered);
        let selects: Vec<TermId> = self.loops.iter().map(|cut| cut.select).chain(entered).collect();
        let any = self.terms.any(&selects);
        self.terms.not(any)
    }
}

/// A branch of the program, in one of its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The edge of the program; its operation is `Assume`.
    pub edge: (FunctionId, EdgeId),
    /// It is taken.
    pub guard: TermId,
}

/// A value that the program takes from outside.
#[derive(Clone, Debug)]
pub struct Input {
    pub guard: TermId,
    pub value: TermId,
    pub kind: InputKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// The name of the function that was called.
    Nondeterministic(String),
    /// A variable without a value.
    Uninitialised(VariableId),
    /// Whether this allocation gives null; one bit.
    AllocationFails,
}

/// A variable's value after an assignment.
#[derive(Clone, Debug)]
pub struct Version {
    /// `tail#3`
    pub name: String,
    pub variable: Option<VariableId>,
    /// The assignment is executed.
    pub guard: TermId,
    pub term: TermId,
    pub place: Place,
}
