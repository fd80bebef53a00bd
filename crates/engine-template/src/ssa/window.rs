//! Windows: which rounds of its loops a formula is about.

/// Which rounds of a loop the formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    /// The first ones, or any later ones in a row.
    Any,
    /// The first ones only.
    First,
}
