//! The lines of a state's text as a tree: what is written, before names are looked up.
//!
//! The syntax is that of [`crate::heap::text::print`].

use std::fmt;

use crate::definition::MOST_PARAMETERS;
use crate::heap::at_link::AtLink;
use crate::heap::block::End;
use crate::heap::downward::MOST_DOWNWARD;

/// Why a text is no state, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapSyntaxError {
    /// From 1 on.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for HeapSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for HeapSyntaxError {}

/// A part of a line, with the number of the line.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) line: usize,
    pub(crate) text: &'a str,
}

impl<'a> Piece<'a> {
    pub(crate) fn error(&self, message: impl Into<String>) -> HeapSyntaxError {
        HeapSyntaxError { line: self.line, message: message.into() }
    }

    fn with(&self, text: &'a str) -> Piece<'a> {
        Piece { line: self.line, text: text.trim() }
    }

    /// The parts before and after a separator.
    pub(crate) fn split(&self, separator: &str) -> Option<(Piece<'a>, Piece<'a>)> {
        let (before, after) = self.text.split_once(separator)?;
        Some((self.with(before), self.with(after)))
    }

    pub(crate) fn after(&self, prefix: &str) -> Option<Piece<'a>> {
        self.text.strip_prefix(prefix).map(|rest| self.with(rest))
    }

    pub(crate) fn words(&self) -> Vec<&'a str> {
        self.text.split_whitespace().collect()
    }

    /// The parts between commas that are in no parentheses.
    pub(super) fn parts(&self) -> Vec<Piece<'a>> {
        let (mut depth, mut start, mut parts) = (0u32, 0, Vec::new());
        for (position, character) in self.text.char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(self.with(&self.text[start..position]));
                    start = position + 1;
                }
                _ => {}
            }
        }
        parts.push(self.with(&self.text[start..]));
        parts
    }
}

/// `number NAME: WIDTH bits`, or `truth NAME` without a width.
#[derive(Clone, Debug)]
pub(crate) struct NumberText<'a> {
    pub(crate) name: Piece<'a>,
    pub(crate) width: Option<u32>,
}

#[derive(Clone, Debug)]
pub(crate) struct CellText<'a> {
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) value: Piece<'a>,
}

/// `zero/SIZE at OFFSET`
#[derive(Clone, Debug)]
pub(crate) struct ZeroText<'a> {
    pub(crate) size: u64,
    pub(crate) at: Piece<'a>,
}

/// `every/SIZE by STRIDE from PLACE to PLACE beside BLOCK at DISTANCE holds LAW`
#[derive(Clone, Debug)]
pub(crate) struct ExtentText<'a> {
    pub(crate) size: u64,
    pub(crate) stride: u64,
    pub(crate) from: Piece<'a>,
    pub(crate) to: Piece<'a>,
    pub(crate) beside: Option<(Piece<'a>, Piece<'a>)>,
    pub(crate) law: Piece<'a>,
}

#[derive(Clone, Debug)]
pub(crate) struct BlockText<'a> {
    pub(crate) name: Piece<'a>,
    pub(crate) parts: Vec<Piece<'a>>,
    pub(crate) cells: Vec<CellText<'a>>,
    pub(crate) zero: Option<ZeroText<'a>>,
    pub(crate) extents: Vec<ExtentText<'a>>,
    pub(crate) ends: Vec<(End, Piece<'a>)>,
    pub(crate) prototypes: Vec<KindText<'a>>,
    /// `spelt …`
    pub(crate) spellings: Vec<Piece<'a>>,
    /// `sequence …`
    pub(crate) sequence: Option<Piece<'a>>,
}

#[derive(Clone, Debug)]
pub(crate) struct KindText<'a> {
    pub(crate) start: Piece<'a>,
    /// What its nodes have at the links of their tree, if that is told.
    pub(crate) links: Vec<AtLink>,
    pub(crate) body: BodyText<'a>,
}

impl KindText<'_> {
    /// How deep prototypes are nested in this one.
    pub(crate) fn height(&self) -> u32 {
        let prototypes = self.body.blocks.iter().flat_map(|block| &block.prototypes);
        prototypes.map(|prototype| prototype.height() + 1).max().unwrap_or(0)
    }
}

/// What a state and a prototype have both.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyText<'a> {
    pub(crate) numbers: Vec<NumberText<'a>>,
    pub(crate) blocks: Vec<BlockText<'a>>,
    pub(crate) conditions: Vec<Piece<'a>>,
}

#[derive(Clone, Debug)]
pub(crate) struct FrameText<'a> {
    pub(crate) function: Piece<'a>,
    pub(crate) location: Piece<'a>,
    pub(crate) target: Option<Piece<'a>>,
    /// Name and value.
    pub(crate) registers: Vec<(Piece<'a>, Piece<'a>)>,
    /// Name and block.
    pub(crate) objects: Vec<(Piece<'a>, Piece<'a>)>,
    pub(crate) allocas: Vec<Piece<'a>>,
}

/// `call of FUNCTION`, with `held SORT: VALUE` and `result SORT: VALUE`.
#[derive(Clone, Debug)]
pub(crate) struct OutsideText<'a> {
    pub(crate) function: Piece<'a>,
    /// Sort and value.
    pub(crate) held: Vec<(Piece<'a>, Piece<'a>)>,
    pub(crate) result: Option<(Piece<'a>, Piece<'a>)>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct StateText<'a> {
    pub(crate) outside: Option<OutsideText<'a>>,
    pub(crate) globals: Vec<(Piece<'a>, Piece<'a>)>,
    pub(crate) frames: Vec<FrameText<'a>>,
    pub(crate) body: BodyText<'a>,
    /// What is behind the word `predicate`.
    pub(crate) definitions: Vec<Piece<'a>>,
    /// Name and calls.
    pub(crate) origins: Vec<(Piece<'a>, Piece<'a>)>,
}

/// The tree of a text.
pub(crate) fn read(text: &str) -> Result<StateText<'_>, HeapSyntaxError> {
    let lines: Vec<Piece<'_>> = text
        .lines()
        .enumerate()
        .map(|(index, line)| {
            let text = line.split("//").next().unwrap_or("").trim();
            Piece { line: index + 1, text }
        })
        .filter(|piece| !piece.text.is_empty())
        .collect();
    let mut reader = Reader { lines: &lines, next: 0 };
    let mut state = StateText::default();
    while let Some(line) = reader.peek() {
        reader.next += 1;
        if let Some(definition) = line.after("predicate ") {
            state.definitions.push(definition);
        } else if !state.line(&line)? {
            reader.next -= 1;
            reader.body_line(&mut state.body)?;
        }
    }
    Ok(state)
}

impl<'a> StateText<'a> {
    /// Takes a line of a state that no prototype has.
    fn line(&mut self, line: &Piece<'a>) -> Result<bool, HeapSyntaxError> {
        let assignment = line
            .split(" = ")
            .filter(|(name, _)| !name.text.starts_with('+') && !name.text.contains(": "));
        if let Some((name, value)) = assignment.filter(|(name, _)| name.words().len() <= 2) {
            match (name.words().as_slice(), self.frames.last_mut()) {
                (["global", _], _) => {
                    let name = name.after("global ").expect("it is there");
                    self.globals.push((name, value));
                    return Ok(true);
                }
                ([_], Some(frame)) => {
                    frame.registers.push((name, value));
                    return Ok(true);
                }
                _ => return Err(line.error("a value of a variable stands below its function")),
            }
        }
        if let Some(function) = line.after("call of ") {
            self.outside = Some(OutsideText { function, held: Vec::new(), result: None });
            return Ok(true);
        }
        if let Some(outside) = &mut self.outside
            && let Some((what, value)) = line.split(": ")
        {
            if let Some(sort) = what.after("held ") {
                outside.held.push((sort, value));
                return Ok(true);
            }
            if let Some(sort) = what.after("result ") {
                outside.result = Some((sort, value));
                return Ok(true);
            }
        }
        if let Some(frame) = line.after("in ") {
            let (function, at) =
                frame.split(" at ").ok_or_else(|| line.error("` at LOCATION` is missing"))?;
            let (location, target) = match at.split(" for ") {
                Some((location, target)) => (location, Some(target)),
                None => (at, None),
            };
            let (registers, objects, allocas) = (Vec::new(), Vec::new(), Vec::new());
            self.frames.push(FrameText { function, location, target, registers, objects, allocas });
            return Ok(true);
        }
        if let Some(origin) = line.after("origin ") {
            let parts = origin.split(": ").ok_or_else(|| line.error("`: CALLS` is missing"))?;
            self.origins.push(parts);
            return Ok(true);
        }
        let of_frame = line.after("object ").or_else(|| line.after("alloca "));
        let Some(of_frame) = of_frame else { return Ok(false) };
        let frame =
            self.frames.last_mut().ok_or_else(|| line.error("this stands below a function"))?;
        match of_frame.split(" is ") {
            Some(object) => frame.objects.push(object),
            None => frame.allocas.push(of_frame),
        }
        Ok(true)
    }
}

struct Reader<'l, 'a> {
    lines: &'l [Piece<'a>],
    next: usize,
}

impl<'a> Reader<'_, 'a> {
    fn peek(&self) -> Option<Piece<'a>> {
        self.lines.get(self.next).cloned()
    }

    /// Takes a number, a condition, or a block with all that belongs to it.
    fn body_line(&mut self, body: &mut BodyText<'a>) -> Result<(), HeapSyntaxError> {
        let line = self.peek().expect("a line");
        self.next += 1;
        if let Some(condition) = line.after("where ") {
            body.conditions.push(condition);
        } else if let Some(name) = line.after("truth ") {
            body.numbers.push(NumberText { name, width: None });
        } else if let Some(number) = line.after("number ") {
            let (name, width) =
                number.split(": ").ok_or_else(|| line.error("`: WIDTH bits` is missing"))?;
            let width = width.text.strip_suffix(" bits").and_then(|width| width.parse().ok());
            let width = width.filter(|width| (1..=128).contains(width));
            let width = width.ok_or_else(|| line.error("`WIDTH bits` is missing"))?;
            body.numbers.push(NumberText { name, width: Some(width) });
        } else {
            let (name, rest) = line
                .split(": ")
                .ok_or_else(|| line.error("neither a block nor anything else that is known"))?;
            let mut block = BlockText {
                name,
                parts: rest.parts(),
                cells: Vec::new(),
                zero: None,
                extents: Vec::new(),
                ends: Vec::new(),
                prototypes: Vec::new(),
                spellings: Vec::new(),
                sequence: None,
            };
            self.cells_and_kinds(&mut block)?;
            body.blocks.push(block);
        }
        Ok(())
    }

    fn cells_and_kinds(&mut self, block: &mut BlockText<'a>) -> Result<(), HeapSyntaxError> {
        while let Some(line) = self.peek() {
            if let Some(end) = end(&line) {
                self.next += 1;
                block.ends.push(end);
            } else if line.text.starts_with('+') {
                self.next += 1;
                let cell = cell(&line).ok_or_else(|| line.error("not `+OFFSET/SIZE = VALUE`"))?;
                block.cells.push(cell);
            } else if let Some(zero) = line.after("zero/") {
                self.next += 1;
                let zero =
                    zero_text(&zero).ok_or_else(|| line.error("not `zero/SIZE at OFFSET`"))?;
                block.zero = Some(zero);
            } else if let Some(extent) = line.after("every/") {
                self.next += 1;
                let extent = extent_text(&extent).ok_or_else(|| {
                    line.error("not `every/SIZE by STRIDE from PLACE to PLACE holds LAW`")
                })?;
                block.extents.push(extent);
            } else if let Some(spelling) = line.after("spelt ") {
                self.next += 1;
                block.spellings.push(spelling);
            } else if let Some(sequence) = line.after("sequence ") {
                self.next += 1;
                block.sequence = Some(sequence);
            } else if let Some(links) = links_of_kind(&line)? {
                self.next += 1;
                let mut body = BodyText::default();
                while self.peek().is_some_and(|line| line.text != "end") {
                    self.body_line(&mut body)?;
                }
                self.peek().ok_or_else(|| line.error("the `end` of this is missing"))?;
                self.next += 1;
                block.prototypes.push(KindText { start: line, links, body });
            } else {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// `each`, or `each with below leaf bytes`
fn links_of_kind(line: &Piece<'_>) -> Result<Option<Vec<AtLink>>, HeapSyntaxError> {
    if line.text == "each" {
        return Ok(Some(Vec::new()));
    }
    let Some(words) = line.after("each with ") else { return Ok(None) };
    let links: Option<Vec<AtLink>> = words.words().into_iter().map(AtLink::of_word).collect();
    match links {
        Some(links) => Ok(Some(links)),
        None => Err(line.error("a link is `below`, a `leaf` or `bytes`")),
    }
}

fn end<'a>(line: &Piece<'a>) -> Option<(End, Piece<'a>)> {
    let (name, value) = line.split(" = ")?;
    let end = match name.text {
        "end" => End::Next,
        "back" => End::Previous,
        "first" => End::First,
        "last" => End::Last,
        "before" => End::BeforeHole,
        "behind" => End::BehindHole,
        "length" => End::Length,
        "height" => End::Height,
        "leaf" => End::Leaf,
        "of" => End::Array,
        "from" => End::From,
        "to" => End::To,
        name => return Some((numbered_end(name)?, value)),
    };
    Some((end, value))
}

/// `argument1` or `wanted1`, `root1` or `above1`, and so on
fn numbered_end(name: &str) -> Option<End> {
    let index = |prefix: &str, most: usize| {
        let number: u8 = name.strip_prefix(prefix)?.parse().ok()?;
        number.checked_sub(1).filter(|&index| usize::from(index) < most)
    };
    let wanted = || index("wanted", MOST_PARAMETERS).map(End::HoleArgument);
    let root = || index("root", MOST_DOWNWARD).map(End::Root);
    let above = || index("above", MOST_DOWNWARD).map(End::AboveHole);
    let argument = index("argument", MOST_PARAMETERS).map(End::Argument);
    argument.or_else(wanted).or_else(root).or_else(above)
}

fn zero_text<'a>(text: &Piece<'a>) -> Option<ZeroText<'a>> {
    let (size, at) = text.split(" at ")?;
    let size = size.text.parse().ok()?;
    (1..=16).contains(&size).then_some(ZeroText { size, at })
}

fn extent_text<'a>(text: &Piece<'a>) -> Option<ExtentText<'a>> {
    let (size, rest) = text.split(" by ")?;
    let (stride, rest) = rest.split(" from ")?;
    let (from, rest) = rest.split(" to ")?;
    let (to, law) = rest.split(" holds ")?;
    let (size, stride): (u64, u64) = (size.text.parse().ok()?, stride.text.parse().ok()?);
    let (to, beside) = match to.split(" beside ") {
        Some((to, beside)) => (to, Some(beside.split(" at ")?)),
        None => (to, None),
    };
    let is_right = (1..=16).contains(&size) && stride.is_power_of_two() && stride >= size;
    is_right.then_some(ExtentText { size, stride, from, to, beside, law })
}

fn cell<'a>(line: &Piece<'a>) -> Option<CellText<'a>> {
    let (place, value) = line.after("+")?.split(" = ")?;
    let (offset, size) = place.split("/")?;
    let (offset, size) = (offset.text.parse().ok()?, size.text.parse().ok()?);
    (1..=16).contains(&size).then_some(CellText { offset, size, value })
}
