//! The text of a program: printed for people and tests, and read back.
//!
//! For every well-formed program `p`, `parse(&print(p))` is `p` but for the order of the pools of
//! types, expressions and field paths, which have no order of their own: it gives
//! [`p.renumbered()`](crate::Program::renumbered) exactly.
//!
//! ```text
//! program LP64                                     // then: overflow_fails, overflow_ends
//! file "list.c"
//!
//! struct node, size 16, align 8 {
//!     0: value: i32
//!     8: next: struct node*
//! }
//!
//! global length: u64 = 0  @ 3:8                    // @ line:column, or @ file1:line:column
//! static table: struct node*[2], align 8           // also: string, external, object (local)
//!     = 00000000                                   // initial bytes, or "text"; then zeroes
//!     at 8: &table + 8                             // an address within them
//!
//! function push(head, value) -> struct node* {     // then: type …, result …, varargs …
//!     parameter head: struct node*                 // also: local, temporary
//!     parameter value: i32
//!     local cell #7: struct node*                  // #id where it is not the last one plus one
//!
//!     entry L0, exit L6
//!     L0 -> L1: cell = allocate heap(16)           // zeroed heap(…), stack(…)
//!     L1 -> L2: [cell != null]                     // a condition holds
//!     L1 -> L5: [!(cell != null)]                  // a condition does not hold
//!     L2 -> L3: store i32 [cell] (node.value) = value
//!     L3 -> L4: head = load ptr [cell + 8] (node.next)
//!     L4 -> L5: call push(head, -1)                // call *(pointer)(…)
//!     L5 -> L6: return cell
//! }
//! ```
//!
//! Other operations: `skip`, `x = e`, `x = any uninitialised`, `x = any __VERIFIER_nondet_int`,
//! `copy(target, source, size)`, `fill(target, byte, size)`, `free(e)`, `x = block_size(e)`,
//! `enter o`, `enter o, size`, `leave o`, `halt exit(e)`, `halt immediate_exit(e)`, `halt abort`,
//! `halt assumption_failed`, `fail assertion "text"`, `fail size "text"`, `fail usage "text"`,
//! `fail overflow "text"`, `unsupported "construct"`.
//!
//! An access names its path from a base: `(node.next)`, with `from e` where the base is not the
//! address less the path's offset, and `bits 3..8` before it for a bit-field. Constants say their
//! type (`5u64`, `2.5f32`) where it does not follow from the other operand, the target or the
//! parameter; a bare number is else an `i32`, a bare fraction an `f64`. Odd names stand between
//! backquotes; a thing whose name leads elsewhere is written by id: `#v7`, `&#o3`, `&#f2`.

mod cursor;
mod expression;
mod float;
mod literal;
mod names;
mod operation;
mod parse;
mod parse_declaration;
mod parse_expression;
mod parse_operation;
mod print;
mod quote;
mod trace;
mod types;

pub use crate::text::cursor::ParseError;
pub use crate::text::parse::parse;
pub(crate) use crate::text::print::{has_derived_type, result_type};
pub use crate::text::print::{print, print_function};
pub use crate::text::trace::{display_expression, display_operation};
