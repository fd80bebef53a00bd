//! Summarised functions, as data.
//!
//! The body of such a function stands once in the formula, entered at any time from any state: its
//! *inputs* are free. Its *calling context* is a predicate over the inputs, assumed at the entry and to
//! be shown at every call. Its *summary* is a predicate over inputs and outputs, to be shown where the
//! function returns and assumed behind every call, where what the function may change is free
//! otherwise. Objects have the same names in all functions, so the objects that parameters point to are
//! inputs and outputs like global variables: a call binds each to itself. Recursion needs nothing else:
//! a function may call itself under its own context and summary.

use heapwright_base::define_id;
use heapwright_logic::TermId;
use heapwright_program::{FunctionId, Place};

use crate::ssa::formula::{AbstractObjectId, LoopVariableSource, ValueKind};

define_id!(
    /// A function that is summarised.
    CutFunctionId,
    "function"
);

/// A function that is analysed once for all its calls.
#[derive(Clone, Debug)]
pub struct CutFunction {
    pub function: FunctionId,
    pub name: String,
    pub place: Place,
    /// Free: the function is entered.
    pub entered: TermId,
    /// It returns.
    pub returned: TermId,
    /// At the entry, and before each call.
    pub inputs: Vec<FunctionVariable>,
    /// Where the function returns, and behind each call.
    pub outputs: Vec<FunctionVariable>,
    /// Further blocks of which the context may be assumed at the entry.
    pub instances: Vec<FunctionInstance>,
    pub calls: Vec<CutCall>,
}

/// A place where a summarised function is called.
#[derive(Clone, Debug)]
pub struct CutCall {
    pub place: Place,
    /// The call is reached.
    pub guard: TermId,
    /// It is reached and comes back.
    pub returned: TermId,
    /// Free: this is the call that the context is shown at, if it is no later one.
    pub is_meant: TermId,
    /// Further blocks of which the summary may be assumed.
    pub instances: Vec<FunctionInstance>,
}

/// A value that a function gets or leaves.
#[derive(Clone, Debug)]
pub struct FunctionVariable {
    /// As in rows: `f::p`, `dynamic_object$0.next@8:ptr`.
    pub name: String,
    pub kind: ValueKind,
    pub what: LoopVariableSource,
    /// In the function: a free variable for an input.
    pub inside: GuardedTerm,
    /// By call; a free variable for an output.
    pub at_calls: Vec<GuardedTerm>,
}

/// A value, and when it means something: its block is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuardedTerm {
    pub value: TermId,
    pub guard: TermId,
}

/// A row that speaks about fields of `object` holds of this block too, with these values in place of
/// those of the witness. Fields that are not listed keep the witness's terms.
#[derive(Clone, Debug)]
pub struct FunctionInstance {
    pub object: AbstractObjectId,
    /// By position among the inputs.
    pub inputs: Vec<(usize, GuardedTerm)>,
    /// By position among the outputs.
    pub outputs: Vec<(usize, GuardedTerm)>,
}
