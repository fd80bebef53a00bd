//! The program as one formula: its data, its construction and its text.

pub mod formula;
pub mod pointer;
