//! What holds along a whole chain of nodes: the order of a field, the language of prototypes.

pub(crate) mod language;
pub(crate) mod order;
