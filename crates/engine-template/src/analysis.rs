//! What must be known about a program before its formula is built.
