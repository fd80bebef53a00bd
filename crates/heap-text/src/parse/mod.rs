//! From lines to the tree of a heap's text.
//!
//! Blanks at the start of a line mean nothing, `//` begins a remark. A line says what it is by its
//! first words; what belongs to a block stands below it.

mod downward;
mod headline;
mod links;
mod measures;
mod order;
mod rows;

use std::fmt;

use crate::parse::headline::{Below, Headline, parts};
use crate::parse::links::links_of_kind;
use crate::syntax::{
    BlockText, BodyText, CellText, ExtentText, FrameText, HeapText, HeldText, KindText, NumberText,
    OutsideText, PartRole, PartText, PieceText, PredicateText, SequenceText, SortText,
    SpellingText, ZeroText,
};

/// Why a text is no heap, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapTextError {
    /// From 1 on.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for HeapTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for HeapTextError {}

type Parsed<T> = Result<T, HeapTextError>;

/// Reads the text of one heap.
pub fn parse(text: &str) -> Parsed<HeapText> {
    let lines = text.lines().enumerate().filter_map(|(index, line)| {
        let text = line.split("//").next().unwrap_or("").trim();
        (!text.is_empty()).then_some(Line { number: index + 1, text })
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let mut reader = Reader { lines: &lines, next: 0 };
    let mut heap = HeapText::default();
    while let Some(line) = reader.peek() {
        if !heap_line(&mut heap, line)? {
            reader.body_line(&mut heap.body)?;
        } else {
            reader.next += 1;
        }
    }
    Ok(heap)
}

#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl<'a> Line<'a> {
    fn error(self, message: impl Into<String>) -> HeapTextError {
        HeapTextError { line: self.number, message: message.into() }
    }

    fn after(self, prefix: &str) -> Option<&'a str> {
        self.text.strip_prefix(prefix).map(str::trim)
    }

    /// The parts before and after a separator that must be there.
    fn split(self, text: &'a str, separator: &str) -> Parsed<(&'a str, &'a str)> {
        let parts = text.split_once(separator);
        let parts = parts.map(|(before, after)| (before.trim(), after.trim()));
        parts.ok_or_else(|| self.error(format!("`{separator}` is missing")))
    }
}

/// Takes a line that only a whole heap has; says whether it was one.
fn heap_line(heap: &mut HeapText, line: Line<'_>) -> Parsed<bool> {
    // Before the others, because a variable may be called as other lines begin.
    if let Some(predicate) = line.after("predicate ") {
        let predicate = PredicateText::parse(predicate);
        let wrong = || line.error("not `predicate NAME/PARAMETERS of SIZE bytes: CASES`");
        heap.predicates.push(predicate.ok_or_else(wrong)?);
    } else if let Some((name, value)) = variable(line) {
        frame(heap, line)?.variables.push((name.to_owned(), value.to_owned()));
    } else if let Some(global) = line.after("global ") {
        let (name, value) = line.split(global, " = ")?;
        heap.globals.push((name.to_owned(), value.to_owned()));
    } else if let Some(part) = part_text(line.text) {
        heap.part = Some(part);
    } else if let Some(function) = line.after("call of ") {
        let function = function.to_owned();
        heap.outside = Some(OutsideText { function, held: Vec::new(), result: None });
    } else if let Some(held) = line.after("held ") {
        let held = held_text(line, held)?;
        outside(heap, line)?.held.push(held);
    } else if let Some(result) = line.after("result ") {
        let result = held_text(line, result)?;
        outside(heap, line)?.result = Some(result);
    } else if let Some(frame) = line.after("in ") {
        heap.frames.push(frame_text(line, frame)?);
    } else if let Some(origin) = line.after("origin ") {
        let (name, calls) = line.split(origin, ": ")?;
        heap.origins.push((name.to_owned(), calls.to_owned()));
    } else if let Some(object) = line.after("object ") {
        let (name, block) = line.split(object, " is ")?;
        frame(heap, line)?.objects.push((name.to_owned(), block.to_owned()));
    } else if let Some(block) = line.after("alloca ") {
        frame(heap, line)?.allocas.push(block.to_owned());
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// `NAME = VALUE`, which stands below a function.
fn variable(line: Line<'_>) -> Option<(&str, &str)> {
    let (name, value) = line.text.split_once(" = ")?;
    let is_name = !name.contains(' ') && !name.starts_with('+');
    is_name.then_some((name, value.trim()))
}

fn frame<'h>(heap: &'h mut HeapText, line: Line<'_>) -> Parsed<&'h mut FrameText> {
    heap.frames.last_mut().ok_or_else(|| line.error("this stands below `in FUNCTION at LOCATION`"))
}

fn part_text(line: &str) -> Option<PartText> {
    let entry = line.strip_prefix("entry of call ");
    let (role, call) = if let Some(call) = entry {
        let number = call.strip_suffix(", in which the program may end");
        (PartRole::Entry { ends: number.is_some() }, number.unwrap_or(call))
    } else if let Some(call) = line.strip_prefix("within call ") {
        (PartRole::Within, call)
    } else {
        (PartRole::Exit, line.strip_prefix("exit of call ")?)
    };
    Some(PartText { call: call.parse().ok()?, role })
}

fn outside<'h>(heap: &'h mut HeapText, line: Line<'_>) -> Parsed<&'h mut OutsideText> {
    heap.outside.as_mut().ok_or_else(|| line.error("this stands below `call of FUNCTION`"))
}

fn held_text(line: Line<'_>, text: &str) -> Parsed<HeldText> {
    let (sort, value) =
        text.split_once(": ").ok_or_else(|| line.error("`SORT: VALUE` is missing"))?;
    Ok(HeldText { sort: sort_text(line, sort)?, value: value.trim().to_owned() })
}

fn sort_text(line: Line<'_>, text: &str) -> Parsed<SortText> {
    if text == "truth" {
        return Ok(SortText::Truth);
    }
    let width = text.strip_suffix(" bits").and_then(|width| width.parse().ok());
    let width = width.filter(|width| (1..=128).contains(width));
    width.map(SortText::Bits).ok_or_else(|| line.error("neither `truth` nor `WIDTH bits`"))
}

fn frame_text(line: Line<'_>, text: &str) -> Parsed<FrameText> {
    let (function, at) =
        text.split_once(" at ").ok_or_else(|| line.error("` at LOCATION` is missing"))?;
    let (location, target) = match at.split_once(" for ") {
        Some((location, target)) => (location, Some(target.trim().to_owned())),
        None => (at, None),
    };
    Ok(FrameText {
        function: function.trim().to_owned(),
        location: location.trim().to_owned(),
        target,
        variables: Vec::new(),
        objects: Vec::new(),
        allocas: Vec::new(),
    })
}

struct Reader<'l, 'a> {
    lines: &'l [Line<'a>],
    next: usize,
}

impl<'a> Reader<'_, 'a> {
    fn peek(&self) -> Option<Line<'a>> {
        self.lines.get(self.next).copied()
    }

    /// Takes a number, a condition, or a block with what belongs to it.
    fn body_line(&mut self, body: &mut BodyText) -> Parsed<()> {
        let Some(line) = self.peek() else { return Ok(()) };
        self.next += 1;
        if let Some(condition) = line.after("where ") {
            body.conditions.push(condition.to_owned());
        } else if let Some(name) = line.after("truth ") {
            body.numbers.push(NumberText { name: name.to_owned(), sort: SortText::Truth });
        } else if let Some(number) = line.after("number ") {
            let (name, sort) = line.split(number, ": ")?;
            let sort = sort_text(line, sort)?;
            body.numbers.push(NumberText { name: name.to_owned(), sort });
        } else {
            let block = self.block(line)?;
            body.blocks.push(block);
        }
        Ok(())
    }

    fn block(&mut self, line: Line<'a>) -> Parsed<BlockText> {
        let (name, parts) = line.split(line.text, ": ")?;
        let first = Headline::of(line, parts)?;
        let below = self.below()?;
        first.with(line, name, below)
    }

    /// The cells, ends and kinds of a block.
    fn below(&mut self) -> Parsed<Below> {
        let mut below = Below::default();
        while let Some(line) = self.peek() {
            self.next += 1;
            if let Some(value) = line.after("end = ") {
                below.end = Some(value.to_owned());
            } else if let Some(value) = line.after("back = ") {
                below.back = Some(value.to_owned());
            } else if let Some(value) = line.after("leaf = ") {
                below.leaf = Some(value.to_owned());
            } else if let Some(value) = line.after("first = ") {
                below.first = Some(value.to_owned());
            } else if let Some(value) = line.after("last = ") {
                below.last = Some(value.to_owned());
            } else if let Some(value) = line.after("before = ") {
                below.before = Some(value.to_owned());
            } else if let Some(value) = line.after("behind = ") {
                below.behind = Some(value.to_owned());
            } else if let Some(value) = line.after("length = ") {
                below.length = Some(value.to_owned());
            } else if let Some(value) = line.after("height = ") {
                below.height = Some(value.to_owned());
            } else if let Some(value) = line.after("of = ") {
                below.of = Some(value.to_owned());
            } else if let Some(value) = line.after("from = ") {
                below.from = Some(value.to_owned());
            } else if let Some(value) = line.after("to = ") {
                below.to = Some(value.to_owned());
            } else if let Some((is_wanted, value)) = numbered(line) {
                let values = if is_wanted { &mut below.wanted } else { &mut below.arguments };
                values.push(value.to_owned());
            } else if below.downward.take(line) {
            } else if line.text.starts_with('+') {
                below.cells.push(cell_text(line)?);
            } else if let Some(zero) = line.after("zero/") {
                below.zero = Some(zero_text(line, zero)?);
            } else if let Some(extent) = line.after("every/") {
                below.extents.push(extent_text(line, extent)?);
            } else if let Some(spelling) = line.after("spelt ") {
                below.spellings.push(spelling_text(line, spelling)?);
            } else if let Some(sequence) = line.after("sequence ") {
                below.sequence = Some(sequence_text(line, sequence, below.kinds.len())?);
            } else if let Some(links) = links_of_kind(line)? {
                let body = self.body_of_kind(line)?;
                below.kinds.push(KindText { links, body });
            } else {
                self.next -= 1;
                break;
            }
        }
        Ok(below)
    }

    fn body_of_kind(&mut self, start: Line<'a>) -> Parsed<BodyText> {
        let mut body = BodyText::default();
        while let Some(line) = self.peek() {
            if line.text == "end" {
                self.next += 1;
                return match body.blocks.is_empty() {
                    true => Err(start.error("a kind of node has a block called `node`")),
                    false => Ok(body),
                };
            }
            self.body_line(&mut body)?;
        }
        Err(start.error("the `end` of this is missing"))
    }
}

/// `argument1 = VALUE`, or `wanted1 = VALUE`; whether it is the latter, and the value.
fn numbered<'a>(line: Line<'a>) -> Option<(bool, &'a str)> {
    let (name, value) = line.text.split_once(" = ")?;
    let number = |prefix| name.strip_prefix(prefix)?.parse::<u8>().ok();
    match (number("argument"), number("wanted")) {
        (Some(_), _) => Some((false, value.trim())),
        (None, Some(_)) => Some((true, value.trim())),
        (None, None) => None,
    }
}

fn zero_text(line: Line<'_>, text: &str) -> Parsed<ZeroText> {
    let (size, at) = line.split(text, " at ")?;
    let size = size.parse().ok().filter(|size| (1..=16).contains(size));
    let size = size.ok_or_else(|| line.error("not `zero/SIZE at OFFSET`, with 1 to 16 bytes"))?;
    Ok(ZeroText { size, at: at.to_owned() })
}

fn extent_text(line: Line<'_>, text: &str) -> Parsed<ExtentText> {
    let (size, rest) = line.split(text, " by ")?;
    let (stride, rest) = line.split(rest, " from ")?;
    let (from, rest) = line.split(rest, " to ")?;
    let (to, law) = line.split(rest, " holds ")?;
    let (to, beside) = match to.split_once(" beside ") {
        Some((to, beside)) => {
            let (block, distance) = line.split(beside, " at ")?;
            (to, Some((block.to_owned(), distance.to_owned())))
        }
        None => (to, None),
    };
    let size = size.parse().ok().filter(|size| (1..=16).contains(size));
    let stride: Option<u64> = stride.parse().ok().filter(|stride: &u64| stride.is_power_of_two());
    let (Some(size), Some(stride)) = (size, stride) else {
        return Err(line.error("not `every/SIZE by STRIDE`, with 1 to 16 bytes and a power of two"));
    };
    let (from, to, law) = (from.to_owned(), to.to_owned(), law.to_owned());
    Ok(ExtentText { size, stride, from, to, beside, law })
}

fn cell_text(line: Line<'_>) -> Parsed<CellText> {
    let (place, value) = line.split(line.text, " = ")?;
    let (offset, size) = place_text(line, place)?;
    Ok(CellText { offset, size, value: value.to_owned() })
}

/// `+OFFSET/SIZE`
fn place_text(line: Line<'_>, text: &str) -> Parsed<(u64, u64)> {
    let numbers = text.strip_prefix('+').and_then(|place| place.split_once('/'));
    numbers
        .and_then(|(offset, size)| Some((offset.parse().ok()?, size.parse().ok()?)))
        .filter(|&(_, size)| (1..=16).contains(&size))
        .ok_or_else(|| line.error("not `+OFFSET/SIZE`, with 1 to 16 bytes"))
}

fn spelling_text(line: Line<'_>, text: &str) -> Parsed<SpellingText> {
    let (place, pieces) = line.split(text, ": ")?;
    let (offset, size) = place_text(line, place)?;
    let pieces = parts(pieces).into_iter().map(PieceText::parse).collect::<Option<Vec<_>>>();
    let pieces = pieces.ok_or_else(|| line.error("not `one NUMBER, some WORD`"))?;
    Ok(SpellingText { offset, size, pieces })
}

fn sequence_text(line: Line<'_>, text: &str, count: usize) -> Parsed<SequenceText> {
    let wrong = || line.error("not `first KINDS, last KINDS, KIND then KINDS`, counted from 1");
    let kind = |word: &str| {
        let number = word.parse().ok().filter(|number| (1..=count).contains(number));
        number.map(|number| number - 1).ok_or_else(wrong)
    };
    let empty = vec![Vec::new(); count];
    let mut sequence = SequenceText { firsts: Vec::new(), lasts: Vec::new(), follows: empty };
    for part in text.split(',') {
        let words: Vec<&str> = part.split_whitespace().collect();
        let (kinds, words) = match words.as_slice() {
            ["first", rest @ ..] => (&mut sequence.firsts, rest),
            ["last", rest @ ..] => (&mut sequence.lasts, rest),
            [one, "then", rest @ ..] => (&mut sequence.follows[kind(one)?], rest),
            _ => return Err(wrong()),
        };
        *kinds = words.iter().map(|word| kind(word)).collect::<Parsed<Vec<usize>>>()?;
    }
    Ok(sequence)
}
