//! Formulas: hash-consed bit-vector, boolean and array terms.
//! `Terms` owns every term and simplifies while building; `Model` gives variables values.
//! A term's children always have smaller ids than the term itself, so ascending order of ids
//! is an evaluation order and no walk over a term needs recursion.

mod arena;
mod display;
mod evaluate;
mod model;
mod parse;
mod rules;
mod smtlib;
mod substitute;
mod syntax;
mod term;
mod value;
mod walk;

pub use arena::Terms;
pub use display::TermDisplay;
pub use evaluate::Evaluator;
pub use model::{ArrayValue, Model, Value};
pub use parse::TermSyntaxError;
pub use smtlib::{SmtLibWriter, script};
pub use term::{Children, ConstantId, Operator, Predicate, Sort, SymbolId, Term, TermId};
pub use value::{BitVectorValue, MAXIMUM_WIDTH};
