//! **The** program: what C becomes before any engine looks at it.
//!
//! One control-flow automaton a function; an edge carries one operation; expressions have no side
//! effects and touch no memory; at most one memory access an edge, so that every fault, every
//! unfolding and every step of a trace has a place of its own.

pub mod analysis;
pub mod check;
mod constant;
pub mod draw;
mod expression;
mod obligation;
mod operation;
pub mod passes;
mod program;
mod renumber;
pub mod text;
mod types;

pub use crate::check::{Defect, Rule, debug_assert_well_formed, well_formed};
pub use crate::expression::{
    BinaryOperator, Expression, ExpressionId, Expressions, UnaryOperator, mask, sign_extend,
};
pub use crate::obligation::{
    Obligation, ObligationKind, divisions_of, expressions_of, of_operation,
};
pub use crate::operation::{
    Access, Callee, Failure, FieldPath, Halt, InputSource, Operation, PathId, PathStep, Storage,
    VOLATILE,
};
pub use crate::program::{
    AddressTarget, Body, Edge, EdgeId, FileId, Function, FunctionId, InitialAddress, LocationId,
    Object, ObjectId, ObjectKind, Place, Program, SignedOverflow, SourceFile, Variable, VariableId,
    VariableKind,
};
pub use crate::text::{
    ParseError, display_expression, display_operation, parse, print, print_function,
};
pub use crate::types::{
    BitRange, DataModel, Field, FloatFormat, Record, RecordId, RecordKind, ScalarType, Type,
    TypeId, Types,
};
