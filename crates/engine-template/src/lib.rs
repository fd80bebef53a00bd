//! The engine `template`: invariants of loops found by template synthesis over one formula.
//!
//! The program becomes a formula in static single assignment with its loops cut (`ssa`), built with
//! the help of pre-analyses (`analysis`). What an invariant may say is laid out by domains (`domain`)
//! and found with a solver (`synthesis`), for more and more rounds of the loops (`kiki`). Method:
//! Malík, Hruška, Schrammel, Vojnar, FMCAD 2018.

pub mod analysis;
mod calls;
mod changes;
mod claims;
mod confirmation;
pub mod domain;
mod engine;
mod evidence;
mod kiki;
mod names;
mod null;
mod proof;
mod question;
mod settings;
pub mod ssa;
pub mod synthesis;

pub use crate::calls::CallStyle;
pub use crate::engine::TemplateEngine;
pub use crate::settings::Settings;
