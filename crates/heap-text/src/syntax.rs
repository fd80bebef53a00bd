//! The tree of a heap's text: what is written, and nothing of what it means.
//!
//! Terms stay text here. They are read where the names in them have a meaning.

use heapwright_memory::Life;
use heapwright_program::sign_extend;

pub use crate::law::{ComparisonText, LawText, SignText, SumText};
pub use crate::predicate::{CaseText, EmptyText, NodeText, PredicateText, WordText};
pub use crate::spelling::{PieceText, SpellingText};

/// A term as it is written.
pub type TermText = String;

/// One abstract heap with its call stack: one disjunct of an invariant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapText {
    /// What this tells of which recursive call; the program itself has no such line.
    pub part: Option<PartText>,
    /// Names of global variables and their values.
    pub globals: Vec<(String, TermText)>,
    /// What callers hold whose frames are cut off.
    pub outside: Option<OutsideText>,
    /// The outermost call first; callers are behind their calls.
    pub frames: Vec<FrameText>,
    pub body: BodyText,
    /// What instances are of.
    pub predicates: Vec<PredicateText>,
    /// Names of places where blocks are made, and their calls. They say nothing of states.
    pub origins: Vec<(String, String)>,
}

/// `entry of call 2, in which the program may end`, `within call 2` or `exit of call 2`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartText {
    pub call: usize,
    pub role: PartRole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRole {
    Entry {
        /// Whether the program may end in the call.
        ends: bool,
    },
    Within,
    Exit,
}

/// `call of FUNCTION`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideText {
    pub function: String,
    pub held: Vec<HeldText>,
    /// Once the call has returned, if it gives something back.
    pub result: Option<HeldText>,
}

/// A value that both sides of a cut call know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldText {
    pub sort: SortText,
    pub value: TermText,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortText {
    Truth,
    /// A number of so many bits.
    Bits(u32),
}

/// `in FUNCTION at LOCATION`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameText {
    pub function: String,
    pub location: String,
    /// The caller's variable that gets the result.
    pub target: Option<String>,
    pub variables: Vec<(String, TermText)>,
    /// Local objects that are alive, and their blocks.
    pub objects: Vec<(String, String)>,
    pub allocas: Vec<String>,
}

/// What a heap and a kind of node have both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyText {
    pub numbers: Vec<NumberText>,
    pub blocks: Vec<BlockText>,
    pub conditions: Vec<TermText>,
}

/// `number NAME: WIDTH bits` or `truth NAME`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberText {
    pub name: String,
    pub sort: SortText,
}

/// `NAME: heap, 16 bytes, …` and the lines below it
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockText {
    pub name: String,
    pub nature: Nature,
    pub size: TermText,
    pub life: Life,
    /// Whether bytes that no cell covers are zero.
    pub is_zeroed: bool,
    /// Bytes that are zero as well, whatever else is there.
    pub zero: Option<ZeroText>,
    /// What all elements of a stretch obey.
    pub extents: Vec<ExtentText>,
    pub shape: Shape,
    pub made_at: Vec<String>,
}

/// What of a program a block is. The name is that of an object whose initial bytes it has where no
/// cell covers them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nature {
    Heap,
    Stack,
    /// On the stack, of const type.
    Constant,
    Static(Option<String>),
    String(Option<String>),
    Function(String),
    /// Bytes of another block, at places that are numbers.
    Elements,
}

/// What a block stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Itself, with these cells.
    Plain(Vec<CellText>),
    /// The last node of a list, or the node above the hole of a tree: the block called so.
    LastOf(String),
    List(ListText),
    Tree(TreeText),
    Instance(InstanceText),
    Row(RowText),
    Slot(SlotText),
}

/// `row by STRIDE`: elements of an array, at the places from one on and before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowText {
    /// Bytes of an element, and from one to the next.
    pub stride: u64,
    /// A pointer to the start of the array.
    pub array: TermText,
    pub from: TermText,
    pub to: TermText,
    pub kinds: Vec<KindText>,
}

/// `slot`: one element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotText {
    /// A pointer to the start of the array.
    pub array: TermText,
    pub at: TermText,
    /// From the start of the slot.
    pub cells: Vec<CellText>,
}

/// `+OFFSET/SIZE = VALUE`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellText {
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    pub value: TermText,
}

/// `zero/SIZE at OFFSET`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZeroText {
    /// Bytes.
    pub size: u64,
    pub at: TermText,
}

/// `every/SIZE by STRIDE from PLACE to PLACE beside BLOCK at DISTANCE holds LAW`: the law holds of each element at a place from
/// the first on and before the second, as far as it is in the block; `beside` and what follows may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtentText {
    /// Bytes of an element.
    pub size: u64,
    /// Bytes from one place to the next.
    pub stride: u64,
    pub from: TermText,
    pub to: TermText,
    /// The block and how far behind the place `there` is in it. Where that is not in the block, the law says nothing.
    pub beside: Option<(String, TermText)>,
    /// Over `here`, `place` and `there`.
    pub law: TermText,
}

/// `list of MINIMUM+ and back from LAST to +HEAD and +BACK, strictly ascending by unsigned +OFFSET/SIZE`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListText {
    pub minimum: u32,
    /// The block that stands for the last node.
    pub last: Option<String>,
    /// Where in a node links point to.
    pub head: u64,
    /// Where in a node links back point to.
    pub back_head: u64,
    pub order: Option<OrderText>,
    /// How many nodes it has, as wide as a pointer.
    pub length: Option<TermText>,
    /// What the last node has as `next`.
    pub end: TermText,
    /// What the first node has as `previous`.
    pub back: Option<TermText>,
    /// Which numbers its nodes have, at places where others have the same.
    pub spellings: Vec<SpellingText>,
    pub kinds: Vec<KindText>,
    pub sequence: Option<SequenceText>,
}

/// How a list is sorted, or a tree from left to right, and what its first and last node have there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderText {
    pub direction: Direction,
    /// No number is the same as the next.
    pub is_strict: bool,
    /// `unsigned`: numbers are read without a sign.
    pub is_unsigned: bool,
    pub offset: u64,
    pub size: u64,
    pub first: TermText,
    pub last: TermText,
}

impl OrderText {
    /// Whether a node with some bits there may come right before one with others.
    pub(crate) fn allows(&self, one: u128, next: u128) -> bool {
        let (low, high) = match self.direction {
            Direction::Ascending => (one, next),
            Direction::Descending => (next, one),
        };
        let bits = 8 * self.size as u32;
        let is_right = match self.is_unsigned {
            true => low <= high,
            false => sign_extend(low, bits) <= sign_extend(high, bits),
        };
        is_right && !(self.is_strict && one == next)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

/// `tree by +A +B and up by +C from ABOVE to +HEAD, strictly ascending by unsigned +OFFSET/SIZE, downwards +OFFSET/SIZE >=`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeText {
    pub children: Vec<u64>,
    pub parent: Option<u64>,
    /// `tree of 0+`: there may be no node, and its name may be null.
    pub may_be_empty: bool,
    /// The block that stands for the node above the hole.
    pub above: Option<String>,
    pub head: u64,
    /// What the hole holds, if there is one.
    pub end: Option<TermText>,
    /// `leaf = VALUE`: what all links hold that lead to no node, if it is not null
    pub leaf: Option<TermText>,
    /// What the root has as its parent.
    pub back: Option<TermText>,
    pub order: Option<TreeOrderText>,
    /// How nodes are related to those right below them.
    pub downward: Vec<DownwardText>,
    pub measures: Option<MeasuresText>,
    pub kinds: Vec<KindText>,
}

/// How many nodes a tree of two links has, and what is said if it has no hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuresText {
    /// `length = VALUE`: how many nodes there are, as wide as a pointer
    pub size: TermText,
    pub whole: Option<WholeText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeText {
    /// `height = VALUE`: how many nodes are on the longest way down, as wide as a pointer
    pub height: TermText,
    pub siblings: SiblingsText,
    pub stored: Vec<StoredText>,
}

/// How the heights of what is below the two links of each node compare. What is not there has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SiblingsText {
    #[default]
    Any,
    /// `balanced`: they differ by one at most.
    Balanced,
    /// `level`: they are equal.
    Level,
}

/// `height less one at +OFFSET/SIZE`: the bytes of each node hold the lowest bits of a measure of all that hangs at it, itself included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredText {
    pub is_height: bool,
    /// 0 or 1.
    pub less: u8,
    pub offset: u64,
    pub size: u64,
}

/// `downwards +OFFSET/SIZE RELATIONS`: what holds of the number of each node and of that of each of its children in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DownwardText {
    pub offset: u64,
    pub size: u64,
    pub relations: Vec<RelationText>,
    /// `root1 = VALUE`: the number of the root
    pub root: TermText,
    /// `above1 = VALUE`: that of the node that has the hole, if there is one
    pub above: Option<TermText>,
}

/// How the number of a node is related to that of a child, read with their signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationText {
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `nonzero-over-zero`: one of the two is zero.
    NonzeroOverZero,
    /// `zero-over-nonzero`: one of the two is not zero.
    ZeroOverNonzero,
    /// `one-more`: the child's and one is the node's; the greatest number and one is the least.
    OneMore,
}

/// How a tree is sorted from left to right. What the nodes next to the hole have; none where there is no node on that side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeOrderText {
    pub order: OrderText,
    pub before: Option<TermText>,
    pub behind: Option<TermText>,
}

/// `instance of NAME without NAME from ABOVE`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceText {
    pub predicate: String,
    /// `argument1 = VALUE` and so on
    pub arguments: Vec<TermText>,
    pub hole: Option<HoleText>,
}

/// A link of an instance behind which the text tells of other blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoleText {
    pub predicate: String,
    /// `wanted1 = VALUE` and so on: what the instance behind it has as its arguments
    pub arguments: Vec<TermText>,
    /// What the link holds.
    pub end: TermText,
    /// The block that stands for the node that has the link.
    pub above: Option<String>,
}

/// `each` … `end`: the node, which is the first block, and what it owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindText {
    /// `each with below leaf`: what the node has at each link of its tree; empty if that is not told.
    pub links: Vec<AtLinkText>,
    pub body: BodyText,
}

/// What a node has in the bytes of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtLinkText {
    /// `below`: a link to a node below, or the hole.
    Below,
    /// `leaf`: null.
    Leaf,
    /// `bytes`: no link, but what the cells of the kind say.
    Bytes,
}

/// `sequence first 1 2, last 2, 1 then 1 2`: kinds by their index from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceText {
    pub firsts: Vec<usize>,
    pub lasts: Vec<usize>,
    /// The kinds that may come next, for each kind.
    pub follows: Vec<Vec<usize>>,
}

impl ListText {
    /// Whether a chain may begin with a kind.
    #[must_use]
    pub fn may_begin(&self, kind: usize) -> bool {
        self.sequence.as_ref().is_none_or(|sequence| sequence.firsts.contains(&kind))
    }

    /// Whether a chain may end with a kind.
    #[must_use]
    pub fn may_end(&self, kind: usize) -> bool {
        self.sequence.as_ref().is_none_or(|sequence| sequence.lasts.contains(&kind))
    }

    /// Whether one kind may come behind another.
    #[must_use]
    pub fn may_follow(&self, kind: usize, next: usize) -> bool {
        self.sequence.as_ref().is_none_or(|sequence| sequence.follows[kind].contains(&next))
    }
}

impl BlockText {
    /// The kinds of its nodes.
    #[must_use]
    pub fn kinds(&self) -> &[KindText] {
        match &self.shape {
            Shape::List(list) => &list.kinds,
            Shape::Tree(tree) => &tree.kinds,
            Shape::Row(row) => &row.kinds,
            Shape::Plain(_) | Shape::LastOf(_) | Shape::Instance(_) | Shape::Slot(_) => &[],
        }
    }
}
