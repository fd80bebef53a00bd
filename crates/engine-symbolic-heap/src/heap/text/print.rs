//! States as text for people, which can be read back ([`crate::heap::text::parse`], [`crate::heap::text::build`]).
//!
//! One line a variable, a block, a cell or a condition; blanks at the start of a line mean nothing,
//! `//` begins a remark. Static blocks that are as at the start are left out. In a prototype, `node` is
//! the node, `owned1` and so on are the blocks that it owns, `n1` and so on its own numbers, `next` and
//! `previous` its neighbours; names of a prototype within a prototype have `inner.` before them. `end` of a
//! list is what its last node has as `next`, `back` what the first one has as `previous`; `end` of a
//! tree is what its hole holds, `back` what its root has as its parent.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::{FunctionId, LocationId, Program, VariableId};

use crate::definition::Definitions;
use crate::heap::at_link::AtLink;
use crate::heap::block::{
    Block, BlockId, BlockKind, DefaultBytes, End, Field, Life, Origin, Prototype,
};
use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::state::{Frame, Outside, State};
use crate::heap::text::spelling::spelling_text;

/// What the lines mean, in one line.
pub const LEGEND: &str = "in F at L: values where function F is at L; call of F: a call that is looked \
                          at for itself, with what its callers hold, and its result once it has \
                          returned; entry, within and exit of call N belong together; bN: a block; +O/S = V: the S bytes at offset O; \
                          zero/S at O: S zeros from offset O on; every/S by D from A to B holds L: the S bytes at each place A, A + D, \
                          A + 2D and so on before B obey L, where here is what they are, place where, and there what is as far \
                          behind that place in another block as beside says; list of N+: N or \
                          more nodes; length: how many they are; ascending by +O/S: no node has more there than the next one; \
                          strictly: nor the same; unsigned: read without a sign; spelt +O/S: which numbers its nodes have there, one NUMBER or some of them, which \
                          are the same wherever their name stands; \
                          each: what a node can be; sequence: which of these comes first, last and \
                          behind which; next: the node behind it; end: what the last node has as its \
                          next; tree by +A +B: a node and all below it; tree of 0+: or none; its end: what a \
                          link holds that leads out of it; its leaf: what links hold that lead to no node; \
                          instance of P: a node of the predicate P and all that hangs on it, with the \
                          arguments of P; without Q: but for an instance of Q, which is wanted with these arguments where its end leads; \
                          predicate: what P is, case by case; row by D: elements of an array of pointers, at the places from, from + D and so \
                          on before to, each with blocks of its own; slot: one such element; where: a condition";

/// A text that grows, and the names that it uses.
struct Page {
    text: String,
    indent: usize,
    /// Names of stand-ins in the prototypes around, without `&`.
    blocks: BTreeMap<BlockId, String>,
    numbers: BTreeMap<TermId, String>,
    /// Variables of the state, in the order in which they are met.
    met: Vec<TermId>,
    origins: Vec<Origin>,
    /// Those of all instances.
    definitions: Vec<Arc<Definitions>>,
}

impl Page {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * self.indent);
    }

    fn block(&self, id: BlockId) -> String {
        self.blocks.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    /// The name of a place where blocks are made; the places are told at the end.
    fn origin(&mut self, origin: Origin) -> String {
        let known = self.origins.iter().position(|&known| known == origin);
        let number = known.unwrap_or_else(|| {
            self.origins.push(origin);
            self.origins.len() - 1
        });
        format!("o{}", number + 1)
    }
}

/// Whether a block need not be told if it is as at the start. A call has none of those that only `main` had then.
fn goes_without_saying(state: &State, block: &Block) -> bool {
    block.kind != BlockKind::Heap && (state.outside.is_none() || block.is_of_program())
}

impl Names<'_> {
    /// A state as text.
    pub(crate) fn describe(&mut self, state: &State) -> String {
        let mut page = Page {
            text: String::new(),
            indent: 0,
            blocks: BTreeMap::new(),
            numbers: BTreeMap::new(),
            met: Vec::new(),
            origins: Vec::new(),
            definitions: Vec::new(),
        };
        let program = self.program();
        for (id, variable) in program.variables.enumerated() {
            if self.facts.is_global(id)
                && let Some(value) = state.globals[self.facts.slot(id)]
            {
                let value = self.describe_term(&mut page, value);
                page.line(&format!("global {} = {value}", variable.name));
            }
        }
        if let Some(outside) = &state.outside {
            self.describe_outside(&mut page, outside);
        }
        for frame in &state.frames {
            self.describe_frame(&mut page, frame);
        }
        let initial = self.start.as_ref().ok().cloned();
        for (id, block) in &state.blocks {
            let as_at_start = |initial: &State| {
                let start = initial.blocks.get(id).filter(|_| goes_without_saying(state, block));
                start.is_some_and(|start| {
                    Block { serial: start.serial, origin: start.origin, ..block.as_ref().clone() }
                        == **start
                })
            };
            if !initial.as_deref().is_some_and(as_at_start) {
                self.describe_block(&mut page, *id, block);
            }
        }
        let mut conditions = Vec::new();
        for &conjunct in &state.condition {
            let condition = self.describe_term(&mut page, conjunct);
            conditions.push(format!("where {condition}"));
        }
        for variable in std::mem::take(&mut page.met) {
            let name = self.terms.as_variable(variable).expect("a variable");
            let line = declaration(name, self.terms.sort(variable));
            page.line(&line);
        }
        for condition in conditions {
            page.line(&condition);
        }
        for definitions in std::mem::take(&mut page.definitions) {
            for line in definitions.lines() {
                page.line(&line);
            }
        }
        for (index, origin) in std::mem::take(&mut page.origins).into_iter().enumerate() {
            let calls = calls_text(program, &self.calls_of(origin));
            page.line(&format!("origin o{}: {calls}", index + 1));
        }
        page.text
    }

    /// What callers hold that are cut off; without frames, the call has returned.
    fn describe_outside(&mut self, page: &mut Page, outside: &Outside) {
        page.line(&format!("call of {}", self.program().functions[outside.function].name));
        page.indent += 1;
        let held = outside.held.iter().map(|&value| ("held", value));
        for (what, value) in held.chain(outside.result.map(|value| ("result", value))) {
            let sort = sort_text(self.terms.sort(value));
            let value = self.describe_term(page, value);
            page.line(&format!("{what} {sort}: {value}"));
        }
        page.indent -= 1;
    }

    fn describe_frame(&mut self, page: &mut Page, frame: &Frame) {
        let program = self.program();
        let function = &program.functions[frame.function];
        let mut line = format!("in {} at {}", function.name, frame.location);
        if let Some(target) = frame.target {
            let _ = write!(line, " for {}", self.variable_text(target));
        }
        let edge = self.facts.outgoing(frame.function, frame.location).first();
        if let Some(&edge) = edge {
            let place = self.facts.edge(frame.function, edge).place;
            let _ = write!(line, " // {}:{}", program.files[place.file].name, place.line);
        }
        page.line(&line);
        page.indent += 1;
        for &id in self.facts.variables_of(frame.function).iter() {
            if let Some(value) = frame.registers[self.facts.slot(id)] {
                let value = self.describe_term(page, value);
                page.line(&format!("{} = {value}", program.variables[id].name));
            }
        }
        for (object, block) in &frame.objects {
            page.line(&format!("object {} is {block}", program.objects[*object].name));
        }
        for block in &frame.allocas {
            page.line(&format!("alloca {block}"));
        }
        page.indent -= 1;
    }

    /// The name of a variable of a caller, or of a global one.
    fn variable_text(&self, variable: VariableId) -> String {
        let name = &self.program().variables[variable].name;
        if self.facts.is_global(variable) { format!("global {name}") } else { name.clone() }
    }

    /// What prototype of memory a block is.
    fn memory_parts(&mut self, page: &mut Page, block: &Block) -> Vec<String> {
        let program = self.program();
        let kind = match (block.kind, block.rest) {
            (BlockKind::Static, DefaultBytes::Initial(object)) => {
                format!("static {}", program.objects[object].name)
            }
            (BlockKind::Static, _) => "static".to_owned(),
            (BlockKind::String, DefaultBytes::Initial(object)) => {
                format!("string {}", program.objects[object].name)
            }
            (BlockKind::String, _) => "string".to_owned(),
            (BlockKind::Stack, _) => "stack".to_owned(),
            (BlockKind::Constant, _) => "constant".to_owned(),
            (BlockKind::Heap, _) => "heap".to_owned(),
            (BlockKind::Elements, _) => "elements".to_owned(),
            (BlockKind::Function(function), _) => {
                format!("function {}", program.functions[function].name)
            }
        };
        let mut parts = vec![kind, format!("{} bytes", self.describe_term(page, block.size))];
        match block.life {
            Life::Alive => {}
            Life::Freed => parts.push("freed".to_owned()),
            Life::OutOfScope => parts.push("out of scope".to_owned()),
        }
        match block.rest {
            DefaultBytes::Zero => parts.push("zeroed".to_owned()),
            DefaultBytes::Uninitialised | DefaultBytes::Initial(_) => {}
        }
        parts
    }

    fn describe_block(&mut self, page: &mut Page, id: BlockId, block: &Block) {
        let mut parts = self.memory_parts(page, block);
        parts.extend(role_parts(page, block));
        let mut origins = vec![block.origin];
        origins.extend(block.origins().iter().filter(|&&origin| origin != block.origin));
        // Their numbers depend on what else was explored, the calls do not.
        origins[1..].sort_by_key(|&origin| self.calls_of(origin));
        // What was made before the program runs needs no word.
        if origins.iter().any(|&origin| !self.calls_of(origin).is_empty()) {
            let names: Vec<String> = origins.iter().map(|&origin| page.origin(origin)).collect();
            parts.push(format!("made at {}", names.join(" ")));
        }
        if let Some(instance) = block.instance()
            && !page.definitions.contains(&instance.definitions)
        {
            page.definitions.push(Arc::clone(&instance.definitions));
        }
        let line = format!("{}: {}", page.block(id), parts.join(", "));
        page.line(&line);
        page.indent += 1;
        for (field, term) in block.fields() {
            let value = self.describe_term(page, term);
            page.line(&match field {
                Field::Cell(offset) => {
                    format!("+{offset}/{} = {value}", self.terms.width(term) / 8)
                }
                Field::End(End::Next) => format!("end = {value}"),
                Field::End(End::Previous) => format!("back = {value}"),
                Field::End(End::Leaf) => format!("leaf = {value}"),
                Field::End(End::First) => format!("first = {value}"),
                Field::End(End::Last) => format!("last = {value}"),
                Field::End(End::BeforeHole) => format!("before = {value}"),
                Field::End(End::BehindHole) => format!("behind = {value}"),
                Field::End(End::Root(index)) => format!("root{} = {value}", index + 1),
                Field::End(End::AboveHole(index)) => format!("above{} = {value}", index + 1),
                Field::End(End::Length) => format!("length = {value}"),
                Field::End(End::Height) => format!("height = {value}"),
                Field::End(End::Argument(index)) => format!("argument{} = {value}", index + 1),
                Field::End(End::HoleArgument(index)) => format!("wanted{} = {value}", index + 1),
                Field::End(End::Array) => format!("of = {value}"),
                Field::End(End::From) => format!("from = {value}"),
                Field::End(End::To) => format!("to = {value}"),
            });
        }
        if let Some(zero) = block.zero {
            let at = self.describe_term(page, zero.at);
            page.line(&format!("zero/{} at {at}", zero.size));
        }
        self.describe_spellings(page, block);
        for &element in &block.contents.elements {
            let extent = self.extent_of(element);
            self.describe_extent(page, &extent);
        }
        for extent in &block.contents.extents {
            self.describe_extent(page, extent);
        }
        for prototype in block.prototypes() {
            self.describe_prototype(page, prototype);
        }
        if let Some(sequence) = block.segment().and_then(|segment| segment.sequence.as_ref()) {
            page.line(&format!("sequence {}", sequence.text()));
        }
        page.indent -= 1;
    }

    fn describe_spellings(&mut self, page: &mut Page, block: &Block) {
        for spelling in block.segment().map_or(&[][..], |segment| &segment.spellings) {
            let line = spelling_text(spelling, |piece| self.describe_term(page, piece.term()));
            page.line(&line);
        }
    }

    fn describe_extent(&mut self, page: &mut Page, extent: &Extent) {
        let Extent { from, to, stride, size, beside, law } = extent;
        let (from, to) = (self.describe_term(page, *from), self.describe_term(page, *to));
        let beside = beside.map_or_else(String::new, |beside| {
            let distance = self.describe_term(page, beside.distance);
            format!(" beside {} at {distance}", page.block(beside.block))
        });
        let around = page.numbers.clone();
        page.numbers.extend(self.words_of_law(*size));
        let law = self.terms.all(law);
        let law = self.describe_term(page, law);
        page.numbers = around;
        page.line(&format!("every/{size} by {stride} from {from} to {to}{beside} holds {law}"));
    }

    fn describe_prototype(&mut self, page: &mut Page, prototype: &Prototype) {
        let around = (page.blocks.clone(), page.numbers.clone());
        let prefix = prefix(self.prototypes_around(page));
        for (index, &id) in prototype.blocks.keys().enumerate() {
            let name = if index == 0 { "node".to_owned() } else { format!("owned{index}") };
            page.blocks.insert(id, format!("{prefix}{name}"));
        }
        let its = self.closed_neighbours(prototype.height);
        page.numbers.insert(its.next, format!("{prefix}next"));
        page.numbers.insert(its.previous, format!("{prefix}previous"));
        page.line(&each_text(&prototype.links));
        page.indent += 1;
        for (index, &number) in prototype.numbers.iter().enumerate() {
            let name = format!("{prefix}n{}", index + 1);
            page.line(&declaration(&name, self.terms.sort(number)));
            page.numbers.insert(number, name);
        }
        for (&id, block) in &prototype.blocks {
            self.describe_block(page, id, block);
        }
        // Their order says nothing.
        let mut conditions: Vec<String> = prototype
            .condition
            .iter()
            .map(|&conjunct| self.describe_term(page, conjunct))
            .collect();
        conditions.sort_unstable();
        for condition in conditions {
            page.line(&format!("where {condition}"));
        }
        page.indent -= 1;
        page.line("end");
        (page.blocks, page.numbers) = around;
    }

    /// How many kinds the text is in.
    fn prototypes_around(&self, page: &Page) -> usize {
        page.blocks.values().filter(|name| name.ends_with("node")).count()
    }

    fn describe_term(&mut self, page: &mut Page, term: TermId) -> String {
        let mut names = BTreeMap::new();
        for variable in self.terms.free_variables(&[term]) {
            if let Some(&block) = self.blocks_of_addresses.get(&variable) {
                names.insert(variable, format!("&{}", page.block(block)));
            } else if let Some(name) = page.numbers.get(&variable) {
                names.insert(variable, name.clone());
            } else if !page.met.contains(&variable) {
                page.met.push(variable);
            }
        }
        self.terms.display_in_full(term, &names).to_string()
    }
}

/// What names of a kind have before them, within so many kinds.
pub(crate) fn prefix(depth: usize) -> String {
    "inner.".repeat(depth)
}

/// `each`, or `each with below leaf`: what its nodes have at the links of their tree
fn each_text(links: &[AtLink]) -> String {
    let words: Vec<&str> = links.iter().map(|at| at.word()).collect();
    if words.is_empty() { "each".to_owned() } else { format!("each with {}", words.join(" ")) }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Boolean => "truth".to_owned(),
        Sort::BitVector(width) => format!("{width} bits"),
        Sort::Array { .. } => unreachable!("states have no arrays"),
    }
}

/// What a block stands for.
fn role_parts(page: &Page, block: &Block) -> Vec<String> {
    let peer = block.peer_of().map(|first| format!("last of {}", page.block(first)));
    let summary = block.role.summary().map(|summary| summary.words_of_line(&|id| page.block(id)));
    let slot = block.slot().map(|_| "slot".to_owned());
    peer.into_iter().chain(slot).chain(summary.into_iter().flatten()).collect()
}

fn declaration(name: &str, sort: Sort) -> String {
    match sort {
        Sort::Boolean => format!("truth {name}"),
        Sort::BitVector(width) => format!("number {name}: {width} bits"),
        Sort::Array { .. } => unreachable!("states have no arrays"),
    }
}

/// Calls, the innermost first.
fn calls_text(program: &Program, calls: &[(FunctionId, LocationId)]) -> String {
    if calls.is_empty() {
        return "the start".to_owned();
    }
    let calls: Vec<String> = calls
        .iter()
        .map(|&(function, location)| format!("{} {location}", program.functions[function].name))
        .collect();
    calls.join(" from ")
}
