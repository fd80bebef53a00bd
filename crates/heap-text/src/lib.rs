//! Abstract heaps as text, read without the engine that wrote them.
//!
//! The certificates of the engine `symbolic-heap` are texts of abstract heaps
//! (`docs/decisions/0015`). This crate gives them a meaning of its own, on concrete memory: whether a
//! machine's state is one that a text stands for ([`contains`]), and which small concrete states it
//! stands for ([`expand`]). It knows no state and no operation of the engine, so that a slip there
//! shows here as a disagreement.
//!
//! Reading order: `syntax`, `predicate`, `law`, `spelling`, `parse`, `print`; `fixed`, `names`, `scope`; `concrete`, `of_machine`,
//! `of_snapshot`; `contains`; `expand`; `entails`.

mod concrete;
mod contains;
mod entails;
mod expand;
mod fixed;
mod law;
mod names;
mod of_machine;
mod of_snapshot;
mod parse;
mod predicate;
mod print;
mod scope;
mod spelling;
mod syntax;

pub use crate::concrete::{Block, Concrete, ConcreteBlock, Held, Identity};
pub use crate::contains::{Fit, Limits, contains, contains_any};
pub use crate::entails::entails;
pub use crate::expand::{Expansion, Script, expand, scripts};
pub use crate::names::{Claim, ClaimFrame};
pub use crate::of_machine::OfMachine;
pub use crate::of_snapshot::OfSnapshot;
pub use crate::parse::{HeapTextError, parse};
pub use crate::syntax::{
    AtLinkText, BlockText, BodyText, CaseText, CellText, ComparisonText, Direction, DownwardText,
    EmptyText, FrameText, HeapText, HeldText, HoleText, InstanceText, KindText, LawText, ListText,
    MeasuresText, Nature, NodeText, NumberText, OrderText, OutsideText, PartRole, PartText,
    PieceText, PredicateText, RelationText, RowText, SequenceText, Shape, SiblingsText, SignText,
    SlotText, SortText, SpellingText, StoredText, SumText, TermText, TreeOrderText, TreeText,
    WholeText, WordText,
};
