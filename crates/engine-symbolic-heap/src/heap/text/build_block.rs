//! Blocks and prototypes from the trees of their texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use imbl::{OrdMap, OrdSet};

use crate::heap::block::{
    Block, BlockId, BlockKind, Cell, DefaultBytes, End, Life, Origin, Prototype, Zero,
};
use crate::heap::contents::Contents;
use crate::heap::downward::Relation;
use crate::heap::language::{MOST_PROTOTYPES, Sequence};
use crate::heap::names::Names;
use crate::heap::order::{Direction, Order, Place, Signedness, Sorted, Strictness};
use crate::heap::prototype::Bank;
use crate::heap::role::Role;
use crate::heap::segment::{Ends, Segment};
use crate::heap::text::build::{Read, Scope, parse_block_name};
use crate::heap::text::instance::{bytes_of_number, parse_instance};
use crate::heap::text::measures::Kept;
use crate::heap::text::parse::{BlockText, KindText, NumberText, Piece, ZeroText};
use crate::heap::text::print::prefix;
use crate::heap::text::row::{parse_row, parse_slot};
use crate::heap::text::tree::parse_relations;

/// What a text says of the ends of a list or tree.
pub(super) type EndTerms = BTreeMap<End, TermId>;

/// The first line of a block's text.
pub(super) struct Header<'p, 'a> {
    kind: BlockKind,
    size: TermId,
    life: Life,
    rest: DefaultBytes,
    origins: Vec<Origin>,
    pub(super) order: Option<Order>,
    /// Places at which nodes are related to those below them.
    pub(super) downward: Vec<(Place, Vec<Relation>)>,
    /// What all nodes keep of heights and sizes.
    pub(super) kept: Kept,
    shape: Shape<'p, 'a>,
}

/// What the line says that a block stands for; lists and trees by the words that tell.
pub(super) enum Shape<'p, 'a> {
    Region,
    LastOf(BlockId),
    List(&'p Piece<'a>),
    Tree(&'p Piece<'a>),
    Instance(&'p Piece<'a>),
    Row(&'p Piece<'a>),
    Slot(&'p Piece<'a>),
}

impl Header<'_, '_> {
    pub(super) fn all_origins(&self) -> OrdSet<Origin> {
        self.origins.iter().copied().collect()
    }
}

impl Names<'_> {
    /// A block of a state or of a prototype; `start` is what the program begins with by that name.
    pub(super) fn parse_block(
        &mut self,
        scope: &Scope,
        text: &BlockText<'_>,
        start: Option<&Arc<Block>>,
    ) -> Read<Block> {
        let header = self.parse_header(scope, text, start)?;
        let ends = self.parse_ends(scope, text, &header)?;
        let role = match header.shape {
            Shape::Region => Role::default(),
            Shape::LastOf(first) => Role::peer_of(first),
            Shape::List(part) => self.parse_list(scope, part, (text, &ends), &header)?.into(),
            Shape::Tree(part) => self.parse_tree(scope, part, (text, &ends), &header)?.into(),
            Shape::Instance(part) => {
                parse_instance(scope, part, &ends, header.all_origins())?.into()
            }
            Shape::Row(part) => {
                let prototypes = self.parse_prototypes(scope, text)?;
                parse_row(part, &ends, prototypes, header.all_origins())?.into()
            }
            Shape::Slot(part) => parse_slot(part, &ends)?.into(),
        };
        let mut cells = OrdMap::new();
        for cell in &text.cells {
            let value =
                self.parse_term(scope, &cell.value, Sort::BitVector(8 * cell.size as u32))?;
            cells.insert(cell.offset, Cell { size: cell.size, value });
        }
        let zero = match &text.zero {
            Some(ZeroText { size, at }) => {
                let at = self.parse_term(scope, at, Sort::BitVector(self.pointer_bits()))?;
                Some(Zero { size: *size, at })
            }
            None => None,
        };
        let is_told = text.prototypes.iter().any(|kind| !kind.links.is_empty());
        if is_told && !matches!(header.shape, Shape::Tree(_)) {
            return Err(text.name.error("only nodes of trees tell of their links"));
        }
        if !text.spellings.is_empty() && !matches!(header.shape, Shape::List(_)) {
            return Err(text.name.error("only lists are `spelt`"));
        }
        let mut extents = Vec::new();
        for extent in &text.extents {
            extents.push(self.parse_extent(scope, extent)?);
        }
        let contents = Contents { elements: Vec::new(), extents };
        let Header { kind, life, size, rest, .. } = header;
        let (serial, origin) = (start.map_or(u64::MAX, |block| block.serial), header.origins[0]);
        Ok(Block { kind, life, size, cells, rest, zero, contents, serial, origin, role })
    }

    fn parse_header<'p, 'a>(
        &mut self,
        scope: &Scope,
        text: &'p BlockText<'a>,
        start: Option<&Arc<Block>>,
    ) -> Read<Header<'p, 'a>> {
        let pointer = Sort::BitVector(self.pointer_bits());
        let (mut kind, mut size, mut life, mut rest) = (None, None, Life::Alive, None);
        let (mut shape, mut origins, mut order) = (Shape::Region, Vec::new(), None);
        let (mut downward, mut kept) = (Vec::new(), Kept::default());
        for part in &text.parts {
            let words = part.words();
            match words.as_slice() {
                ["heap"] => kind = Some(BlockKind::Heap),
                ["stack"] => kind = Some(BlockKind::Stack),
                ["constant"] => kind = Some(BlockKind::Constant),
                ["elements"] => kind = Some(BlockKind::Elements),
                ["static" | "string", ..] | ["function", _] => {
                    kind = start.map(|block| block.kind);
                    if words.len() == 2 {
                        rest = start.map(|block| block.rest);
                    }
                }
                [.., "bytes"] => {
                    let bytes = part.text.strip_suffix("bytes").unwrap_or_default().trim();
                    let bytes = Piece { line: part.line, text: bytes };
                    size = Some(self.parse_term(scope, &bytes, pointer)?);
                }
                ["freed"] => life = Life::Freed,
                ["out", "of", "scope"] => life = Life::OutOfScope,
                ["zeroed"] => rest = Some(DefaultBytes::Zero),
                ["last", "of", _] => {
                    let first = part.after("last of ").expect("it is there");
                    shape = Shape::LastOf(parse_block_name(scope, &first)?);
                }
                ["list", "of", _, ..] => shape = Shape::List(part),
                ["tree", "by", ..] | ["tree", "of", "0+", "by", ..] => shape = Shape::Tree(part),
                ["instance", "of", ..] => shape = Shape::Instance(part),
                ["row", "by", _] => shape = Shape::Row(part),
                ["slot"] => shape = Shape::Slot(part),
                ["ascending" | "descending" | "strictly", ..] => {
                    order = Some(parse_order(part, words.as_slice())?);
                }
                ["downwards", how @ ..] => downward.push(parse_relations(part, how)?),
                ["balanced" | "level"] | ["size" | "height", ..] => kept.parse(part)?,
                ["made", "at", names @ ..] => origins = parse_origins(scope, part, names)?,
                _ => return Err(part.error(format!("`{}` is not known of blocks", part.text))),
            }
        }
        let kind =
            kind.ok_or_else(|| text.name.error("is it `heap`, `stack`, or of the program?"))?;
        let size = size.ok_or_else(|| text.name.error("`SIZE bytes` is missing"))?;
        if origins.is_empty() {
            origins.push(self.origin_of_calls(Vec::new()));
        }
        let rest = rest.unwrap_or_else(|| usual_rest(kind));
        Ok(Header { kind, size, life, rest, origins, order, downward, kept, shape })
    }

    /// The ends of a list or tree; other blocks have none.
    fn parse_ends(
        &mut self,
        scope: &Scope,
        text: &BlockText<'_>,
        header: &Header<'_, '_>,
    ) -> Read<EndTerms> {
        if !header.downward.is_empty() && !matches!(header.shape, Shape::Tree(_)) {
            return Err(text.name.error("only trees have `downwards`"));
        }
        let has_height = text.ends.iter().any(|(end, _)| *end == End::Height);
        if (has_height || header.kept != Kept::default()) && !matches!(header.shape, Shape::Tree(_))
        {
            return Err(text.name.error("only trees have a `height`"));
        }
        let has_leaf = text.ends.iter().any(|(end, _)| *end == End::Leaf);
        if has_leaf && !matches!(header.shape, Shape::Tree(_)) {
            return Err(text.name.error("only trees have a `leaf`"));
        }
        let wrong = match header.shape {
            Shape::List(_) | Shape::Tree(_) | Shape::Instance(_) | Shape::Row(_) => {
                text.cells.first().map(|cell| &cell.value)
            }
            Shape::Region | Shape::LastOf(_) => text.ends.first().map(|(_, value)| value),
            Shape::Slot(_) => None,
        };
        if let Some(wrong) = wrong {
            let message = "lists and trees have `end` and `back`, other blocks `+OFFSET`";
            return Err(wrong.error(message));
        }
        let mut ends = EndTerms::new();
        for (end, value) in &text.ends {
            let bits = match end {
                End::Next
                | End::Previous
                | End::Leaf
                | End::Length
                | End::Height
                | End::Array
                | End::From
                | End::To => self.pointer_bits(),
                End::Argument(_) | End::HoleArgument(_) => {
                    bytes_of_number(scope, &header.shape, *end)
                        .map_or(self.pointer_bits(), |bytes| 8 * bytes as u32)
                }
                End::First | End::Last | End::BeforeHole | End::BehindHole => {
                    let order = header.order;
                    let order = order.ok_or_else(|| value.error("this is not sorted"))?;
                    8 * order.size as u32
                }
                End::Root(index) | End::AboveHole(index) => {
                    let related = header.downward.get(usize::from(*index));
                    let (place, _) =
                        related.ok_or_else(|| value.error("no such place is told of"))?;
                    8 * place.size as u32
                }
            };
            ends.insert(*end, self.parse_term(scope, value, Sort::BitVector(bits))?);
        }
        Ok(ends)
    }

    fn parse_list(
        &mut self,
        scope: &Scope,
        part: &Piece<'_>,
        (text, ends): (&BlockText<'_>, &EndTerms),
        header: &Header<'_, '_>,
    ) -> Read<Segment> {
        let words = part.words();
        let ["list", "of", minimum, how @ ..] = words.as_slice() else {
            unreachable!("it begins so")
        };
        let mut how = how;
        let wrong = || part.error("not `list of MINIMUM+ and back from LAST to +HEAD and +BACK`");
        let offset = |word: &str| word.strip_prefix('+').and_then(|offset| offset.parse().ok());
        let minimum = minimum.strip_suffix('+').and_then(|minimum| minimum.parse().ok());
        let minimum = minimum.ok_or_else(wrong)?;
        let mut last = None;
        if let ["and", "back", "from", name, rest @ ..] = how {
            let name = Piece { line: part.line, text: name };
            last = Some(parse_block_name(scope, &name)?);
            how = rest;
        }
        let (head, back) = match how {
            [] => (0, None),
            ["to", head] => (offset(head).ok_or_else(wrong)?, None),
            ["to", head, "and", back] => {
                (offset(head).ok_or_else(wrong)?, Some(offset(back).ok_or_else(wrong)?))
            }
            _ => return Err(wrong()),
        };
        let back = back.unwrap_or(head);
        let prototypes = self.parse_prototypes(scope, text)?;
        if prototypes.len() > MOST_PROTOTYPES {
            return Err(part.error(format!("a list has at most {MOST_PROTOTYPES} kinds of nodes")));
        }
        let sequence = parse_sequence(text, prototypes.len())?;
        let (next, previous) = (ends.get(&End::Next).copied(), ends.get(&End::Previous).copied());
        let message = "a list has an `end`, and a `back` if it is linked back";
        let next = next.filter(|_| previous.is_some() == last.is_some());
        let next = next.ok_or_else(|| text.name.error(message))?;
        let order = match (header.order, ends.get(&End::First), ends.get(&End::Last)) {
            (Some(order), Some(&first), Some(&last)) => Some(Sorted { order, first, last }),
            (None, None, None) => None,
            (_, _, _) => {
                let message = "a sorted list has a `first` and a `last`, others do not";
                return Err(text.name.error(message));
            }
        };
        let spellings = self.parse_spellings(scope, &text.spellings)?;
        let (length, origins) = (ends.get(&End::Length).copied(), header.all_origins());
        let ends = Ends { next, previous };
        Ok(Segment {
            ends,
            last,
            head,
            back,
            minimum,
            length,
            order,
            spellings,
            prototypes,
            sequence,
            origins,
        })
    }

    pub(super) fn parse_prototypes(
        &mut self,
        scope: &Scope,
        text: &BlockText<'_>,
    ) -> Read<Vec<Arc<Prototype>>> {
        text.prototypes
            .iter()
            .map(|kind| Ok(Arc::new(self.parse_prototype(scope, kind)?)))
            .collect()
    }

    fn parse_prototype(&mut self, scope: &Scope, text: &KindText<'_>) -> Read<Prototype> {
        let height = text.height();
        let mut scope = scope.clone();
        let prefix = prefix(scope.depth);
        scope.depth += 1;
        let its = self.closed_neighbours(height);
        scope.terms.insert(format!("{prefix}next"), its.next);
        scope.terms.insert(format!("{prefix}previous"), its.previous);
        let mut numbers = Vec::new();
        for (index, NumberText { name, width }) in text.body.numbers.iter().enumerate() {
            let width = width.ok_or_else(|| name.error("nodes have no truth values"))?;
            let number = self.closed_number(height, index, width);
            if name.text != format!("{prefix}n{}", index + 1) {
                return Err(name.error(format!("this number is called `{prefix}n{}`", index + 1)));
            }
            scope.terms.insert(name.text.to_owned(), number);
            numbers.push(number);
        }
        let mut ids = Vec::new();
        for (index, block) in text.body.blocks.iter().enumerate() {
            let name = if index == 0 { "node".to_owned() } else { format!("owned{index}") };
            if block.name.text != format!("{prefix}{name}") {
                return Err(block.name.error(format!("this block is called `{prefix}{name}`")));
            }
            let id = Bank::Closed.block(height, index);
            scope.blocks.insert(block.name.text.to_owned(), id);
            ids.push(id);
        }
        if ids.is_empty() {
            return Err(text.start.error("a kind of node has a block called `node`"));
        }
        let mut blocks = OrdMap::new();
        for (block, id) in text.body.blocks.iter().zip(ids) {
            blocks.insert(id, Arc::new(self.parse_block(&scope, block, None)?));
        }
        let mut condition = Vec::new();
        for conjunct in &text.body.conditions {
            condition.push(self.parse_term(&scope, conjunct, Sort::Boolean)?);
        }
        condition.sort_unstable();
        condition.dedup();
        Ok(Prototype { height, blocks, numbers, condition, links: text.links.clone() })
    }
}

fn parse_sequence(text: &BlockText<'_>, kinds: usize) -> Read<Option<Sequence>> {
    let Some(piece) = &text.sequence else { return Ok(None) };
    let wrong = || piece.error("not `first KINDS, last KINDS, KIND then KINDS`, counted from 1");
    Sequence::read(piece.text, kinds).ok_or_else(wrong).map(Some)
}

/// What bytes are of which nothing is said.
fn usual_rest(kind: BlockKind) -> DefaultBytes {
    match kind {
        BlockKind::Function(_) => DefaultBytes::Zero,
        BlockKind::Static
        | BlockKind::String
        | BlockKind::Stack
        | BlockKind::Constant
        | BlockKind::Heap
        | BlockKind::Elements => DefaultBytes::Uninitialised,
    }
}

fn parse_origins(scope: &Scope, part: &Piece<'_>, names: &[&str]) -> Read<Vec<Origin>> {
    let origin = |name: &&str| scope.origins.get(*name).copied();
    names.iter().map(|name| origin(name).ok_or_else(|| part.error("no such origin"))).collect()
}

fn parse_order(part: &Piece<'_>, words: &[&str]) -> Read<Order> {
    let wrong = || {
        part.error("not `strictly ascending by unsigned +OFFSET/SIZE`, or without `strictly` or `unsigned`")
    };
    let (strictness, words) = match words {
        ["strictly", rest @ ..] => (Strictness::Strict, rest),
        all => (Strictness::Loose, all),
    };
    let (direction, words) = match words {
        ["ascending", "by", rest @ ..] => (Direction::Up, rest),
        ["descending", "by", rest @ ..] => (Direction::Down, rest),
        _ => return Err(wrong()),
    };
    let (signedness, place) = match words {
        [place] => (Signedness::Signed, place),
        ["unsigned", place] => (Signedness::Unsigned, place),
        _ => return Err(wrong()),
    };
    let Place { offset, size } = parse_place(place).ok_or_else(wrong)?;
    Ok(Order { offset, size, signedness, direction, strictness })
}

/// `+OFFSET/SIZE`
pub(super) fn parse_place(text: &str) -> Option<Place> {
    let (offset, size) = text.strip_prefix('+')?.split_once('/')?;
    let (offset, size) = (offset.parse().ok()?, size.parse().ok()?);
    (1..=16).contains(&size).then_some(Place { offset, size })
}
