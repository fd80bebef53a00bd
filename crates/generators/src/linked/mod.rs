//! Random programs over lists and trees whose lengths and shapes inputs decide. Some executions of
//! most of them are faulty, and that is welcome: the interpreter knows which.

mod linkings;
mod owners;
mod payloads;
mod programs;
mod recursive;
mod sequences;
mod trees;

pub use self::owners::owner_program;
pub use self::programs::list_program;
pub use self::recursive::recursive_program;
pub use self::sequences::marked_program;
pub use self::trees::tree_program;
