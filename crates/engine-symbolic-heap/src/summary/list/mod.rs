//! List segments: found and folded, unfolded at either end, with facts along the whole chain.

pub(crate) mod composite;
pub(crate) mod entail;
pub(crate) mod facts;
pub(crate) mod fold;
pub(crate) mod links;
pub(crate) mod sizes;
pub(crate) mod unfold;
