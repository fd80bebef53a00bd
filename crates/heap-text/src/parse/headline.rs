//! The first line of a block: what it is, how large, and the list or tree that it stands for.

use heapwright_memory::Life;

use crate::parse::downward::{DownwardWords, NumbersBelow, downward_texts, downward_words};
use crate::parse::links::are_links_told;
use crate::parse::measures::MeasureWords;
use crate::parse::order::{OrderWords, order_text, order_words, tree_order_text};
use crate::parse::rows::{row_text, slot_text};
use crate::parse::{Line, Parsed};
use crate::syntax::{
    BlockText, CellText, ExtentText, HoleText, InstanceText, KindText, ListText, Nature,
    SequenceText, Shape, SpellingText, TermText, TreeText, ZeroText,
};

/// What stands below the first line of a block.
#[derive(Default)]
pub(super) struct Below {
    pub(super) cells: Vec<CellText>,
    pub(super) zero: Option<ZeroText>,
    pub(super) extents: Vec<ExtentText>,
    pub(super) end: Option<TermText>,
    pub(super) back: Option<TermText>,
    pub(super) leaf: Option<TermText>,
    pub(super) first: Option<TermText>,
    pub(super) last: Option<TermText>,
    pub(super) before: Option<TermText>,
    pub(super) behind: Option<TermText>,
    pub(super) downward: NumbersBelow,
    pub(super) length: Option<TermText>,
    pub(super) height: Option<TermText>,
    pub(super) of: Option<TermText>,
    pub(super) from: Option<TermText>,
    pub(super) to: Option<TermText>,
    /// In the order in which they stand.
    pub(super) arguments: Vec<TermText>,
    pub(super) wanted: Vec<TermText>,
    pub(super) spellings: Vec<SpellingText>,
    pub(super) kinds: Vec<KindText>,
    pub(super) sequence: Option<SequenceText>,
}

/// What the first line of a block says.
#[derive(Default)]
pub(super) struct Headline {
    nature: Option<Nature>,
    size: Option<TermText>,
    life: Option<Life>,
    is_zeroed: bool,
    form: Form,
    order: Option<OrderWords>,
    downward: Vec<DownwardWords>,
    measures: MeasureWords,
    made_at: Vec<String>,
}

/// The form of a block, before what stands below it is known.
#[derive(Default)]
enum Form {
    #[default]
    Plain,
    LastOf(String),
    List {
        minimum: u32,
        last: Option<String>,
        head: u64,
        back_head: u64,
    },
    Tree {
        may_be_empty: bool,
        children: Vec<u64>,
        parent: Option<u64>,
        above: Option<String>,
        head: u64,
    },
    Instance {
        predicate: String,
        /// The predicate of the hole, and the block above it.
        hole: Option<(String, Option<String>)>,
    },
    Row {
        stride: u64,
    },
    Slot,
}

impl Headline {
    pub(super) fn of(line: Line<'_>, text: &str) -> Parsed<Headline> {
        let mut headline = Headline::default();
        for part in parts(text) {
            let words: Vec<&str> = part.split_whitespace().collect();
            match words.as_slice() {
                ["heap"] => headline.nature = Some(Nature::Heap),
                ["stack"] => headline.nature = Some(Nature::Stack),
                ["constant"] => headline.nature = Some(Nature::Constant),
                ["elements"] => headline.nature = Some(Nature::Elements),
                ["static"] => headline.nature = Some(Nature::Static(None)),
                ["static", name] => headline.nature = Some(Nature::Static(Some((*name).into()))),
                ["string"] => headline.nature = Some(Nature::String(None)),
                ["string", name] => headline.nature = Some(Nature::String(Some((*name).into()))),
                ["function", name] => headline.nature = Some(Nature::Function((*name).into())),
                [.., "bytes"] => {
                    let size = part.strip_suffix("bytes").unwrap_or_default().trim();
                    headline.size = Some(size.to_owned());
                }
                ["freed"] => headline.life = Some(Life::Freed),
                ["out", "of", "scope"] => headline.life = Some(Life::OutOfScope),
                ["zeroed"] => headline.is_zeroed = true,
                ["last", "of", first] => headline.form = Form::LastOf((*first).to_owned()),
                ["list", "of", minimum, how @ ..] => headline.form = list(line, minimum, how)?,
                ["strictly", direction @ ("ascending" | "descending"), "by", how @ ..] => {
                    headline.order = Some(order_words(line, (direction, true), how)?);
                }
                [direction @ ("ascending" | "descending"), "by", how @ ..] => {
                    headline.order = Some(order_words(line, (direction, false), how)?);
                }
                ["downwards", how @ ..] => headline.downward.push(downward_words(line, how)?),
                ["balanced" | "level"] | ["size" | "height", ..] => {
                    headline.measures.take(line, &words)?;
                }
                ["tree", "by", how @ ..] => headline.form = tree(line, how, false)?,
                ["tree", "of", "0+", "by", how @ ..] => headline.form = tree(line, how, true)?,
                ["instance", "of", predicate, how @ ..] => {
                    headline.form = instance(line, predicate, how)?;
                }
                ["row", "by", stride] => {
                    let stride = stride.parse().ok().filter(|stride: &u64| *stride > 0);
                    let stride =
                        stride.ok_or_else(|| line.error("`row by STRIDE` has no number"))?;
                    headline.form = Form::Row { stride };
                }
                ["slot"] => headline.form = Form::Slot,
                ["made", "at", names @ ..] => {
                    headline.made_at = names.iter().map(|&name| name.to_owned()).collect();
                }
                _ => return Err(line.error(format!("`{part}` is not known of blocks"))),
            }
        }
        Ok(headline)
    }

    pub(super) fn with(self, line: Line<'_>, name: &str, below: Below) -> Parsed<BlockText> {
        let nature = self.nature.ok_or_else(|| line.error("is it `heap`, `stack`, `static`?"))?;
        let size = self.size.ok_or_else(|| line.error("`SIZE bytes` is missing"))?;
        let (zero, extents) = (below.zero.clone(), below.extents.clone());
        let is_tree = matches!(self.form, Form::Tree { .. });
        let is_related = !self.downward.is_empty() || !below.downward.is_empty();
        if is_related && !is_tree {
            return Err(line.error("only trees have `downwards`, `root1` and `above1`"));
        }
        if self.measures != MeasureWords::default() && !is_tree {
            return Err(line.error("only trees are `balanced`, or hold their `height`"));
        }
        let compared = (self.order, self.downward, self.measures);
        let shape = shape(line, self.form, compared, below)?;
        if (zero.is_some() || !extents.is_empty()) && !matches!(shape, Shape::Plain(_)) {
            return Err(line.error("lists and trees have no zeros or extents of their own"));
        }
        Ok(BlockText {
            name: name.to_owned(),
            nature,
            size,
            life: self.life.unwrap_or(Life::Alive),
            is_zeroed: self.is_zeroed,
            zero,
            extents,
            shape,
            made_at: self.made_at,
        })
    }
}

/// Whether only that stands below a block which its form has.
fn fits(line: Line<'_>, form: &Form, below: &Below) -> Parsed<()> {
    let Below { cells, before, behind, length, arguments, wanted, kinds, of, from, to, .. } = below;
    let spellings = &below.spellings;
    let is_instance = matches!(form, Form::Instance { .. });
    let has_arguments = !arguments.is_empty() || !wanted.is_empty();
    if has_arguments && !is_instance {
        return Err(line.error("only instances have arguments"));
    }
    let is_folded = matches!(form, Form::List { .. } | Form::Tree { .. } | Form::Row { .. });
    let is_of_array = matches!(form, Form::Row { .. } | Form::Slot);
    if !is_of_array && (of.is_some() || from.is_some() || to.is_some()) {
        return Err(line.error("only rows and slots are `of` an array"));
    }
    if (is_folded || is_instance) && !cells.is_empty() {
        return Err(line.error("lists and trees have no cells of their own"));
    }
    if is_folded && kinds.is_empty() {
        return Err(line.error("a list or a tree has kinds of nodes"));
    }
    if (before.is_some() || behind.is_some()) && !matches!(form, Form::Tree { .. }) {
        return Err(line.error("only trees have a `before` and a `behind`"));
    }
    if below.leaf.is_some() && !matches!(form, Form::Tree { .. }) {
        return Err(line.error("only trees have a `leaf`"));
    }
    if kinds.iter().any(|kind| !kind.links.is_empty()) && !matches!(form, Form::Tree { .. }) {
        return Err(line.error("only nodes of trees tell of their links"));
    }
    let is_list = matches!(form, Form::List { .. });
    let is_tree = matches!(form, Form::Tree { .. });
    if (!spellings.is_empty() && !is_list) || (length.is_some() && !is_list && !is_tree) {
        return Err(line.error("only lists and trees have a `length`, and only lists are `spelt`"));
    }
    if below.height.is_some() && !is_tree {
        return Err(line.error("only trees have a `height`"));
    }
    Ok(())
}

/// How nodes are sorted, how they are related to those below them, and what they keep of heights.
type Compared = (Option<OrderWords>, Vec<DownwardWords>, MeasureWords);

fn shape(
    line: Line<'_>,
    form: Form,
    (order, downward, measures): Compared,
    below: Below,
) -> Parsed<Shape> {
    fits(line, &form, &below)?;
    let Below { cells, end, back, leaf, first, last: last_number, length, kinds, sequence, .. } =
        below;
    let Below { before, behind, height, arguments, wanted, downward: numbers, .. } = below;
    let (places, spellings) = ((below.of, below.from, below.to), below.spellings);
    match form {
        Form::Plain => Ok(Shape::Plain(cells)),
        Form::LastOf(first) => Ok(Shape::LastOf(first)),
        Form::List { minimum, last, head, back_head } => {
            let end = end.ok_or_else(|| line.error("a list has an `end`"))?;
            let offsets = (minimum, head, back_head);
            let is_told = order.is_some() || !spellings.is_empty();
            list_fits(line, offsets, (last.is_some(), back.is_some()), is_told)?;
            let order = order_text(line, order, (first, last_number))?;
            Ok(Shape::List(ListText {
                minimum,
                last,
                head,
                back_head,
                order,
                length,
                end,
                back,
                spellings,
                kinds,
                sequence,
            }))
        }
        Form::Tree { may_be_empty, children, parent, above, head } => {
            let is_compared = order.is_some() || !downward.is_empty() || length.is_some();
            are_links_told(line, &kinds, (children.len(), leaf.is_some() || is_compared))?;
            let is_linked_out = end.is_some() || leaf.is_some() || back.is_some();
            let has_ends = is_linked_out || is_compared || head != 0;
            tree_fits(line, (may_be_empty, has_ends), (parent.is_some(), back.is_some()))?;
            let order = order_text(line, order, (first, last_number))?;
            let links = (children.len(), end.is_some());
            let order = tree_order_text(line, order, (before, behind), links)?;
            let downward = downward_texts(line, downward, numbers, end.is_some())?;
            let measures = measures.measures(line, (length, height), links)?;
            Ok(Shape::Tree(TreeText {
                children,
                parent,
                may_be_empty,
                above,
                head,
                end,
                leaf,
                back,
                order,
                downward,
                measures,
                kinds,
            }))
        }
        Form::Instance { predicate, hole } => hole_text(line, hole, (wanted, end))
            .map(|hole| Shape::Instance(InstanceText { predicate, arguments, hole })),
        Form::Row { stride } => row_text(line, (stride, kinds), places),
        Form::Slot => slot_text(line, cells, places),
    }
}

/// Whether a list may have the links that it has.
fn list_fits(
    line: Line<'_>,
    (minimum, head, back_head): (u32, u64, u64),
    (is_linked_back, has_back): (bool, bool),
    is_told: bool,
) -> Parsed<()> {
    if !is_linked_back && back_head != head {
        return Err(line.error("only a list that is linked back has links back"));
    }
    if minimum == 0 && (is_linked_back || head != 0 || is_told) {
        let text = "a list that may be empty is not sorted or spelt, and linked in one way to +0";
        return Err(line.error(text));
    }
    if is_linked_back != has_back {
        return Err(line.error("a list has a `back` if and only if it is linked back"));
    }
    Ok(())
}

/// Whether a tree may have the ends that it has.
fn tree_fits(
    line: Line<'_>,
    (may_be_empty, has_ends): (bool, bool),
    (knows_parents, has_back): (bool, bool),
) -> Parsed<()> {
    if may_be_empty && has_ends {
        return Err(line.error("a tree that may be empty tells nothing of its ends"));
    }
    if knows_parents != has_back {
        return Err(line.error("a tree has a `back` if and only if nodes know parents"));
    }
    Ok(())
}

/// The hole of an instance, with its arguments and what it holds.
fn hole_text(
    line: Line<'_>,
    hole: Option<(String, Option<String>)>,
    (arguments, end): (Vec<TermText>, Option<TermText>),
) -> Parsed<Option<HoleText>> {
    match (hole, end) {
        (Some((predicate, above)), Some(end)) => {
            Ok(Some(HoleText { predicate, arguments, end, above }))
        }
        (None, None) if arguments.is_empty() => Ok(None),
        _ => Err(line.error("an instance has an `end` if it is `without` one")),
    }
}

/// How a tree with so many links is sorted, which has a hole or not.
fn offset(line: Line<'_>, word: &str) -> Parsed<u64> {
    let offset = word.strip_prefix('+').and_then(|offset| offset.parse().ok());
    offset.ok_or_else(|| line.error(format!("`{word}` is no `+OFFSET`")))
}

fn list(line: Line<'_>, minimum: &str, mut how: &[&str]) -> Parsed<Form> {
    let minimum = minimum.strip_suffix('+').and_then(|minimum| minimum.parse().ok());
    let minimum = minimum.ok_or_else(|| line.error("`list of MINIMUM+` has no number"))?;
    let mut last = None;
    if let ["and", "back", "from", name, rest @ ..] = how {
        last = Some((*name).to_owned());
        how = rest;
    }
    let (head, back_head) = match how {
        [] => (0, 0),
        ["to", head] => (offset(line, head)?, offset(line, head)?),
        ["to", head, "and", back] => (offset(line, head)?, offset(line, back)?),
        _ => {
            let text = "not `list of MINIMUM+ and back from LAST to +HEAD and +BACK`";
            return Err(line.error(text));
        }
    };
    Ok(Form::List { minimum, last, head, back_head })
}

fn instance(line: Line<'_>, predicate: &str, how: &[&str]) -> Parsed<Form> {
    let hole = match how {
        [] => None,
        ["without", hole] => Some(((*hole).to_owned(), None)),
        ["without", hole, "from", above] => Some(((*hole).to_owned(), Some((*above).to_owned()))),
        _ => return Err(line.error("not `instance of NAME without NAME from BLOCK`")),
    };
    Ok(Form::Instance { predicate: predicate.to_owned(), hole })
}

fn tree(line: Line<'_>, how: &[&str], may_be_empty: bool) -> Parsed<Form> {
    let count = how.iter().take_while(|word| word.starts_with('+')).count();
    let (children, mut how) = how.split_at(count);
    let children: Vec<u64> =
        children.iter().map(|word| offset(line, word)).collect::<Parsed<_>>()?;
    let (mut parent, mut above, mut head) = (None, None, 0);
    if let ["and", "up", "by", up, rest @ ..] = how {
        parent = Some(offset(line, up)?);
        how = rest;
    }
    if let ["from", name, rest @ ..] = how {
        above = Some((*name).to_owned());
        how = rest;
    }
    if let ["to", word, rest @ ..] = how {
        head = offset(line, word)?;
        how = rest;
    }
    if children.is_empty() || !how.is_empty() {
        return Err(line.error("not `tree by +A +B and up by +C from ABOVE to +HEAD`"));
    }
    Ok(Form::Tree { may_be_empty, children, parent, above, head })
}

/// The parts between commas that are in no parentheses.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0u32, 0, Vec::new());
    for (position, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text[start..position].trim());
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
