//! Proofs: the check that invariants are inductive, the certificate, what the oracle gets to see.

pub(crate) mod all_paths;
pub(crate) mod certificate;
pub(crate) mod closed;
pub(crate) mod evidence;
pub(crate) mod inductive;
