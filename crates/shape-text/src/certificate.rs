//! Certificates: lines about blocks and their links, about predicates, and about the states of each place.
//!
//! ```text
//! size 16
//! link next 16 0
//! order key 16 8 i32
//! numeral main/wanted variable 5
//! tracked main/list variable 3 0
//! within next=0 key=order
//! define binary t(u, v) = next*(u, v)
//! change add next: t(u, v) | t(u, s) & t(y, v)
//! rule t(u, v) & t(v, w) -> t(u, w)
//! state 2 7
//! called 0 3
//! pointer variable 3 0 block 2 0
//! number 4 1
//! object 5
//! heap
//! blocks: a b*
//! …
//! end
//! ```

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::DenseId;
use heapwright_program::{EdgeId, FunctionId, LocationId, ObjectId, ScalarType, VariableId};

use crate::heap::{Heap, Node};
use crate::meaning::{self, Line, Meaning};
use crate::state::{Pointer, Slot, Spot, State};
use crate::truth::Truth;
use crate::update::Behind;

/// A number that is in no block of the program is that of a node of no bytes.
pub(crate) const SIZE_OF_NUMBERS: u64 = 0;

/// The number field of blocks of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberField {
    pub(crate) size: u64,
    pub(crate) offset: u64,
    pub(crate) ty: ScalarType,
}

/// A number that structures know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numeral {
    Variable(VariableId),
    Constant(u128),
}

/// What a certificate claims.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    pub(crate) meaning: Meaning,
    /// The sizes of blocks, with the predicate that marks them.
    pub(crate) sizes: Vec<(u64, usize)>,
    /// The size and offset of each link.
    pub(crate) links: Vec<(u64, u64)>,
    /// The slot of each pointer that structures know.
    pub(crate) tracked: Vec<Slot>,
    /// The number field, if structures know one.
    pub(crate) order: Option<NumberField>,
    /// The numbers that structures know, with the predicate of the node that each has.
    pub(crate) numerals: Vec<(Numeral, usize)>,
    pub(crate) behind: Behind,
    pub(crate) states: BTreeMap<Spot, Vec<State>>,
}

/// What is wrong with a certificate, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Claims {
    /// Reads a certificate.
    ///
    /// # Errors
    /// The first line that is not well written.
    pub fn read(text: &str) -> Result<Claims, TextError> {
        let mut claims = Claims::default();
        let lines: Vec<(usize, &str)> =
            text.lines().enumerate().map(|(index, line)| (index + 1, line)).collect();
        let is_state = |(_, line): &(usize, &str)| line.starts_with("state ");
        let start = lines.iter().position(is_state).unwrap_or(lines.len());
        claims.read_head(&lines[..start])?;
        claims.read_states(&lines[start..])?;
        Ok(claims)
    }

    fn read_head(&mut self, lines: &[(usize, &str)]) -> Result<(), TextError> {
        let mut roles: Vec<(&str, usize)> = Vec::new();
        let mut about = Vec::new();
        let mut numerals: Vec<&str> = Vec::new();
        for &(number, line) in lines {
            let error = || TextError { line: number, message: format!("`{line}`") };
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["class", ..] => {}
                ["behind", "apart"] => self.behind = Behind::ToldApart,
                ["size", size] => self.sizes.push((size.parse().map_err(|_| error())?, 0)),
                ["link", name, size, offset] if self.order.is_none() => {
                    let (size, offset) = (size.parse(), offset.parse());
                    self.links.push((size.map_err(|_| error())?, offset.map_err(|_| error())?));
                    self.meaning.binary.push(name.to_owned());
                }
                ["order", name, size, offset, ty] if self.order.is_none() => {
                    self.order = number_field(size, offset, ty);
                    self.order.ok_or_else(error)?;
                    self.meaning.binary.push(name.to_owned());
                }
                ["numeral", name, kind, value] => {
                    self.numerals.push((numeral(kind, value).ok_or_else(error)?, 0));
                    numerals.push(name);
                }
                ["tracked", name, kind, id, offset] => {
                    self.tracked.push(slot(kind, id, offset).ok_or_else(error)?);
                    self.meaning.unary.push(name.to_owned());
                }
                ["within", ref names @ ..] => {
                    let links = (self.links.len(), self.order.is_some());
                    let read = names.iter().map(|&name| role(name, links));
                    roles = read.collect::<Option<_>>().ok_or_else(error)?;
                }
                ["define" | "change" | "rule", ..] => {
                    about.push(Line { number, text: line.trim(), roles: roles.clone() });
                }
                _ => return Err(error()),
            }
        }
        self.meaning.links = self.links.len();
        self.meaning.pointers = self.tracked.len();
        for (size, mark) in &mut self.sizes {
            *mark = self.meaning.unary.len();
            self.meaning.unary.push(format!("size/{size}"));
        }
        for ((_, predicate), name) in self.numerals.iter_mut().zip(numerals) {
            *predicate = self.meaning.unary.len();
            self.meaning.unary.push(name.to_owned());
        }
        self.meaning.numerals = self.numerals.iter().map(|it| it.1).collect();
        self.meaning.order = self.order.map(|_| self.links.len());
        meaning::read(&mut self.meaning, &about)
            .map_err(|(line, message)| TextError { line, message })
    }

    fn read_states(&mut self, lines: &[(usize, &str)]) -> Result<(), TextError> {
        let mut state: Option<State> = None;
        let mut heap: Option<Vec<&str>> = None;
        for &(number, line) in lines {
            let error = |message: String| TextError { line: number, message };
            match (&mut heap, line) {
                (None, "heap") => heap = Some(Vec::new()),
                (Some(text), "end") => {
                    let read = self.heap(text).map_err(error)?;
                    let mut whole = state.take().ok_or_else(|| error("no state".to_owned()))?;
                    whole.heap = read;
                    self.keep(whole).map_err(error)?;
                    heap = None;
                }
                (Some(text), line) => text.push(line),
                (None, line) => {
                    let is_read = state_line(&mut state, line).is_some();
                    if !is_read {
                        return Err(error(format!("`{line}`")));
                    }
                }
            }
        }
        match state {
            None => Ok(()),
            Some(_) => Err(TextError { line: 0, message: "a state has no end".to_owned() }),
        }
    }

    /// A state whose pointers lead to single blocks that it has, each of one size.
    fn keep(&mut self, mut state: State) -> Result<(), String> {
        self.read_numbers(&mut state)?;
        let heap = &state.heap;
        for node in heap.blocks() {
            let marks = self.sizes.iter().map(|(_, mark)| heap.unary[*mark][node]);
            let (certain, open): (Vec<Truth>, Vec<Truth>) =
                marks.filter(|value| *value != Truth::No).partition(|it| *it == Truth::Yes);
            if certain.len() != 1 || !open.is_empty() {
                return Err("a block without one size".to_owned());
            }
        }
        for (slot, pointer) in &state.pointers {
            let Pointer::Block { node, .. } = pointer else { continue };
            let known = self.tracked.iter().position(|tracked| tracked == slot);
            let leads = known.map(|pointer| heap.unary[pointer].get(*node) == Some(&Truth::Yes));
            if !heap.is_block(*node)
                || heap.is_many.get(*node) != Some(&false)
                || leads != Some(true)
            {
                return Err("a pointer that its structure does not know".to_owned());
            }
        }
        self.states.entry(state.spot.clone()).or_default().push(state);
        Ok(())
    }

    /// Which variables have which numbers: each number has a single node of its own, of no bytes.
    fn read_numbers(&self, state: &mut State) -> Result<(), String> {
        let heap = &state.heap;
        for (numeral, predicate) in &self.numerals {
            let row = &heap.unary[*predicate];
            if row.contains(&Truth::Maybe) {
                return Err("a number whose node is not certain".to_owned());
            }
            let Some(node) = heap.blocks().find(|node| row[*node] == Truth::Yes) else { continue };
            if heap.is_many[node] || self.size_of(heap, node) != Some(SIZE_OF_NUMBERS) {
                return Err("a number without a node of its own".to_owned());
            }
            if let Numeral::Variable(variable) = numeral {
                state.data.insert(*variable, node);
            }
        }
        Ok(())
    }

    /// Whether a node stands for a number, and for no block of the program.
    pub(crate) fn is_number(&self, heap: &Heap, node: Node) -> bool {
        self.size_of(heap, node) == Some(SIZE_OF_NUMBERS)
    }

    /// A structure: `blocks:`, then the nodes or pairs where a predicate is not false.
    fn heap(&self, lines: &[&str]) -> Result<Heap, String> {
        let (first, rest) = lines.split_first().ok_or("no structure")?;
        let blocks = first.strip_prefix("blocks:").ok_or("`blocks:` is missing")?;
        let mut names = vec!["null", "wild"];
        names.extend(blocks.split_whitespace().map(|name| name.trim_end_matches('*')));
        let (unary, binary) = (self.meaning.unary.len(), self.meaning.binary.len());
        let mut heap = Heap::new(unary, binary, names.len() - 2);
        for (index, name) in blocks.split_whitespace().enumerate() {
            heap.is_many[index + 2] = name.ends_with('*');
        }
        let node = |name: &str| -> Result<Node, String> {
            let found = names.iter().position(|known| *known == name);
            found.ok_or_else(|| format!("no node `{name}`"))
        };
        for line in rest {
            let (name, items) = line.split_once(':').ok_or("`:` is missing")?;
            let unary = self.meaning.unary.iter().position(|known| known == name);
            let binary = self.meaning.binary.iter().position(|known| known == name);
            for item in items.split_whitespace() {
                let open = item.strip_suffix('?');
                let value = if open.is_some() { Truth::Maybe } else { Truth::Yes };
                let item = open.unwrap_or(item);
                match (unary, binary, item.split_once("->")) {
                    (Some(predicate), _, None) => heap.unary[predicate][node(item)?] = value,
                    (None, Some(predicate), Some((from, to))) => {
                        heap.binary[predicate][node(from)?][node(to)?] = value;
                    }
                    _ => return Err(format!("`{item}` of `{name}`")),
                }
            }
        }
        Ok(heap)
    }

    /// The size of a block.
    pub(crate) fn size_of(&self, heap: &Heap, node: Node) -> Option<u64> {
        let mut marks = self.sizes.iter();
        marks.find(|(_, mark)| heap.unary[*mark][node] == Truth::Yes).map(|(size, _)| *size)
    }

    /// Whether states are claimed of some call of the function there.
    pub(crate) fn is_cut(&self, function: FunctionId, location: LocationId) -> bool {
        self.states.keys().any(|spot| spot.function == function && spot.location == location)
    }
}

/// `name=link`, for one of so many links, or `name=order`, if there is one: it comes behind the links.
fn role(text: &str, (links, has_order): (usize, bool)) -> Option<(&str, usize)> {
    match text.split_once('=')? {
        (name, "order") => has_order.then_some((name, links)),
        (name, link) => Some((name, link.parse().ok().filter(|link| *link < links)?)),
    }
}

/// A field of blocks of a size, as `i32` or `u8`.
fn number_field(size: &str, offset: &str, ty: &str) -> Option<NumberField> {
    let (signed, width) = match (ty.strip_prefix('i'), ty.strip_prefix('u')) {
        (Some(width), _) => (true, width),
        (None, Some(width)) => (false, width),
        (None, None) => return None,
    };
    let width: u16 = width.parse().ok().filter(|width| [8, 16, 32, 64].contains(width))?;
    let (size, offset): (u64, u64) = (size.parse().ok()?, offset.parse().ok()?);
    let is_within = offset.checked_add(u64::from(width) / 8).is_some_and(|end| end <= size);
    let ty = ScalarType::Integer { signed, width };
    is_within.then_some(NumberField { size, offset, ty })
}

fn numeral(kind: &str, value: &str) -> Option<Numeral> {
    match kind {
        "variable" => Some(Numeral::Variable(VariableId::from_index(value.parse().ok()?))),
        "constant" => Some(Numeral::Constant(value.parse().ok()?)),
        _ => None,
    }
}

fn slot(kind: &str, id: &str, offset: &str) -> Option<Slot> {
    let index = id.parse().ok()?;
    match kind {
        "variable" => Some(Slot::Variable(VariableId::from_index(index))),
        "cell" => Some(Slot::Cell(ObjectId::from_index(index), offset.parse().ok()?)),
        _ => None,
    }
}

fn pointer(kind: &str, id: &str, offset: &str) -> Option<Pointer> {
    let (index, offset): (usize, i64) = (id.parse().ok()?, offset.parse().ok()?);
    match kind {
        "null" => Some(Pointer::Null),
        "wild" => Some(Pointer::Wild),
        "unknown" => Some(Pointer::Unknown),
        "block" => Some(Pointer::Block { node: index, offset }),
        "object" => Some(Pointer::Object { object: ObjectId::from_index(index), offset }),
        "function" => Some(Pointer::Function(FunctionId::from_index(index))),
        _ => None,
    }
}

fn state_line(state: &mut Option<State>, line: &str) -> Option<()> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["state", function, location] = words[..] {
        let spot = Spot {
            calls: Vec::new(),
            function: FunctionId::from_index(function.parse().ok()?),
            location: LocationId::from_index(location.parse().ok()?),
        };
        *state = Some(State {
            spot,
            pointers: BTreeMap::new(),
            numbers: BTreeMap::new(),
            data: BTreeMap::new(),
            objects: BTreeSet::new(),
            heap: Heap::new(0, 0, 0),
        });
        return Some(());
    }
    let state = state.as_mut()?;
    match words[..] {
        ["called", caller, edge] => {
            let caller = FunctionId::from_index(caller.parse().ok()?);
            state.spot.calls.push((caller, EdgeId::from_index(edge.parse().ok()?)));
        }
        ["pointer", kind, id, at, value, index, offset] => {
            state.pointers.insert(slot(kind, id, at)?, pointer(value, index, offset)?);
        }
        ["number", variable, bits] => {
            let variable = VariableId::from_index(variable.parse().ok()?);
            state.numbers.insert(variable, bits.parse().ok()?);
        }
        ["object", object] => {
            state.objects.insert(ObjectId::from_index(object.parse().ok()?));
        }
        _ => return None,
    }
    Some(())
}
