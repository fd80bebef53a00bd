//! The engine `template`: invariants of loops found by template synthesis over one formula.
//!
//! The program becomes a formula in static single assignment with its loops cut (`ssa`), built with
//! the help of pre-analyses (`analysis`). Method: Malík, Hruška, Schrammel, Vojnar, FMCAD 2018.

pub mod analysis;
pub mod ssa;
