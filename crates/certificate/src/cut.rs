//! Cut loops: at the head, what a loop changes is anything that its claims allow.
//!
//! A loop is walked for as many rounds as the certificate looks at together: the first ones (not
//! `select`), or any in a row that do not start the loop (`select`). Claims are about arrivals over the
//! back edge. They are shown after each of the first rounds, and after the last of any rounds whose
//! heads they hold at.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_logic::{Sort, TermId};
use heapwright_program::LocationId;
use rustc_hash::FxHashMap;

use crate::claims::{Changes, Claim, FrameKey, Leaf, Part, Spot, Subject};
use crate::memory::{Event, Range};
use crate::state::State;
use crate::value::{BLOCK_BITS, Pointer, Value};
use crate::walk::{Checker, Failure, Region, Walked};

/// A loop that was cut.
pub(crate) struct Cut {
    /// The place of its claims in the certificate.
    frame: Option<usize>,
    /// The head is reached.
    guard: TermId,
    /// It is reached over the back edge.
    pub(crate) select: TermId,
    pub(crate) changes: Changes,
    /// Blocks with smaller numbers may have been there.
    pub(crate) bound: u32,
    /// By block: whether it lives, and whether it was made.
    pub(crate) living: TermId,
    pub(crate) made: TermId,
    pub(crate) head: Option<State>,
    pub(crate) assumed: BTreeSet<(usize, Pointer)>,
    /// By object: the blocks of which claims about two were assumed.
    pub(crate) paired: BTreeMap<usize, Vec<TermId>>,
}

/// The blocks and elements that a claim is read for.
pub(crate) type Binding = BTreeMap<Spot, Pointer>;

impl Checker<'_> {
    /// Walks a loop; gives the states that leave it.
    pub(crate) fn cut(
        &mut self,
        region: Region,
        entry: State,
        outer: &mut Walked,
    ) -> Vec<(LocationId, State)> {
        let outline = self.outline(region.function);
        let item = &outline.loops.loops[region.inside.expect("a loop is cut")];
        let (cut, head) = self.open(region, item.head, &item.locations, entry);
        let rounds = self.question.certificate.rounds;
        let mut exits = Vec::new();
        let mut head = Some(head);
        for copy in 0..rounds {
            let Some(state) = head.take() else { break };
            self.around.push((cut, copy));
            let walked = self.region(region, item.head, state);
            self.around.pop();
            exits.extend(walked.exits);
            outer.returns.extend(walked.returns);
            head = self.merge(walked.back);
            let Some(state) = &head else { break };
            let state = state.clone();
            self.arrive(cut, copy + 1 == rounds, &state);
        }
        exits
    }

    fn open(
        &mut self,
        region: Region,
        head: LocationId,
        locations: &[LocationId],
        entry: State,
    ) -> (usize, State) {
        let key = FrameKey {
            calls: self.calls.clone(),
            function: region.function,
            head,
            copies: self.around.iter().map(|&(_, copy)| copy).collect(),
        };
        let certificate = self.question.certificate;
        let frame = certificate.frames.iter().position(|frame| frame.key == key);
        let is_bounded = self.is_bounded();
        if frame.is_none() && !is_bounded {
            self.give_up("a loop has no claims");
        }
        let select = if is_bounded { TermId::FALSE } else { self.fresh("select", Sort::Boolean) };
        if !is_bounded {
            self.leave_room();
        }
        let changes = frame.map(|it| certificate.frames[it].changes.clone()).unwrap_or_default();
        let (living, made) = (self.bits_of_blocks("living"), self.bits_of_blocks("made"));
        let cut = self.cuts.len();
        self.cuts.push(Cut {
            frame,
            guard: entry.guard,
            select,
            changes,
            bound: self.next_block,
            living,
            made,
            head: None,
            assumed: BTreeSet::new(),
            paired: BTreeMap::new(),
        });
        if is_bounded || self.trouble.is_some() {
            return (cut, entry);
        }
        let state = self.head(cut, region, locations, entry);
        (cut, state)
    }

    /// The state at the head: that of the entry, or one that the claims allow.
    fn head(
        &mut self,
        cut: usize,
        region: Region,
        locations: &[LocationId],
        mut state: State,
    ) -> State {
        let outline = self.outline(region.function);
        let item_head = outline.loops.loops[region.inside.expect("a loop is cut")].head;
        let select = self.cuts[cut].select;
        let mut blocks = Vec::new();
        for variable in self.written_in(region.function, locations) {
            let item = &self.program.variables[variable];
            let is_local = item.function.is_some();
            if is_local && !outline.liveness.is_live(item_head, variable) {
                continue;
            }
            let old = self.variable(&mut state, variable);
            let new = self.anything(&item.name, item.scalar);
            if let Value::Pointer(pointer) = new {
                blocks.push(pointer.block);
            }
            let value = self.choose(select, new, old);
            self.assign(&mut state, variable, value);
        }
        let begun = self.cuts[cut].changes.begins.clone();
        for object in begun {
            let new = self.fresh("latest", Sort::BitVector(BLOCK_BITS));
            self.bound_block(new);
            let none = self.terms.bit_vector(0, BLOCK_BITS);
            let is_of = self.is_of(new, object);
            let is_none = self.terms.equal(new, none);
            let fact = self.terms.or(is_none, is_of);
            self.constraints.push(fact);
            blocks.push(new);
            let old = state.latest.get(&object).copied().unwrap_or(none);
            state.latest.insert(object, self.terms.if_then_else(select, new, old));
        }
        self.log(&mut state, Event::Cut { cut });
        self.cuts[cut].head = Some(state.clone());
        for block in blocks {
            self.exists_at(cut, block);
        }
        if let Some(frame) = self.cuts[cut].frame {
            let frame = &self.question.certificate.frames[frame];
            if !frame.unclaimed.is_empty() {
                let is_passed = self.terms.and(state.guard, select);
                self.doubt(is_passed, "some invariants are not claimed");
            }
        }
        self.assume(cut, &state, None);
        state
    }

    /// A pointer at a loop's head is to a block that there is, or was, by then.
    pub(crate) fn exists_at(&mut self, cut: usize, block: TermId) {
        let Some(log) = self.cuts[cut].head.as_ref().map(|head| Rc::clone(&head.log)) else {
            return;
        };
        let exists = self.exists(&log, block);
        let none = self.terms.bit_vector(0, BLOCK_BITS);
        let is_none = self.terms.equal(block, none);
        let is_passed = self.terms.and(self.cuts[cut].guard, self.cuts[cut].select);
        let is_something = self.terms.or(is_none, exists);
        let fact = self.terms.implies(is_passed, is_something);
        self.constraints.push(fact);
    }

    /// The head is reached over the back edge.
    fn arrive(&mut self, cut: usize, is_last: bool, state: &State) {
        if self.is_bounded() {
            if is_last {
                let text = "a loop has more rounds".to_owned();
                self.failures.push(Failure { term: state.guard, text, place: Some(self.place) });
            }
            return;
        }
        let select = self.cuts[cut].select;
        let Some(frame) = self.cuts[cut].frame else { return };
        let certificate = self.question.certificate;
        for claim in &certificate.frames[frame].claims {
            let binding = self.witnesses_of(claim);
            let (guard, holds) = self.claim(state, claim, &binding);
            let fails = self.terms.not(holds);
            let is_shown = if is_last { TermId::TRUE } else { self.terms.not(select) };
            let term = self.terms.all(&[state.guard, is_shown, guard, fails]);
            if term != TermId::FALSE {
                let name = &certificate.frames[frame].name;
                let text = format!("loop {name} keeps {}", claim.text);
                self.failures.push(Failure { term, text, place: None });
            }
        }
        if !is_last {
            self.assume(cut, &state.clone(), None);
        }
    }

    /// The claims hold of a state, if the loop is passed over its back edge: of the witnesses, or of
    /// one place.
    pub(crate) fn assume(&mut self, cut: usize, state: &State, at: Option<(usize, Pointer)>) {
        let Some(frame) = self.cuts[cut].frame else { return };
        let select = self.cuts[cut].select;
        let certificate = self.question.certificate;
        for claim in &certificate.frames[frame].claims {
            let bindings = match at {
                None => self.first_bindings(claim),
                Some(place) => self.bindings_at(cut, claim, place),
            };
            for binding in bindings {
                let (guard, holds) = self.claim(state, claim, &binding);
                let premise = self.terms.all(&[state.guard, select, guard]);
                let fact = self.terms.implies(premise, holds);
                self.constraints.push(fact);
            }
        }
    }

    /// When a claim means something in a state, and what it then says.
    fn claim(&mut self, state: &State, claim: &Claim, binding: &Binding) -> (TermId, TermId) {
        let certificate = self.question.certificate;
        let mut guards = Vec::new();
        let mut blocks = Binding::new();
        for (&spot, &place) in binding {
            let object = spot.object;
            let is_many = certificate.objects[object].is_many;
            let block = match (is_many, self.objects[object].only) {
                (true, _) => place.block,
                (false, Some(only)) => self.terms.bit_vector(u128::from(only), BLOCK_BITS),
                (false, None) => self.latest(state, object),
            };
            guards.push(self.is_of(block, object));
            guards.push(self.exists(&state.log, block));
            blocks.insert(spot, Pointer { block, ..place });
        }
        let mut leaves = FxHashMap::default();
        for (variable, leaf) in &claim.leaves {
            let value = self.leaf(state, leaf, &blocks, &mut guards);
            let width = match certificate.terms.sort(*variable) {
                Sort::BitVector(width) => Some(width),
                Sort::Boolean | Sort::Array { .. } => None,
            };
            let value = match width {
                Some(width) => self.resized(value, width, false),
                None => value,
            };
            leaves.insert(*variable, value);
        }
        let holds = self.translate(claim.formula, &mut leaves);
        (self.terms.all(&guards), holds)
    }

    fn latest(&mut self, state: &State, object: usize) -> TermId {
        let none = self.terms.bit_vector(0, BLOCK_BITS);
        state.latest.get(&object).copied().unwrap_or(none)
    }

    fn leaf(
        &mut self,
        state: &State,
        leaf: &Leaf,
        blocks: &Binding,
        guards: &mut Vec<TermId>,
    ) -> TermId {
        let (subject, part) = match leaf {
            Leaf::Part { subject, part } => (subject, *part),
            Leaf::Latest(object) => return self.latest(state, *object),
            Leaf::Witness(spot) => return blocks[spot].block,
            Leaf::Repeated(frame) => {
                let cut = self.cuts.iter().find(|cut| cut.frame == Some(*frame));
                let Some((guard, select)) = cut.map(|cut| (cut.guard, cut.select)) else {
                    return TermId::FALSE;
                };
                return self.terms.and(guard, select);
            }
        };
        let read = |checker: &mut Self, at, bytes, is_pointer| {
            checker.read(&Rc::clone(&state.log), Range { at, bytes, is_pointer })
        };
        let value = match *subject {
            Subject::Global(variable) => state.globals[&variable],
            Subject::Variable { depth, variable } => {
                match state.frames.get(depth).and_then(|frame| frame.get(&variable)) {
                    Some(&value) => value,
                    None => {
                        self.doubt(state.guard, "a claim is about a variable without a value");
                        let item = &self.program.variables[variable];
                        self.anything(&item.name, item.scalar)
                    }
                }
            }
            Subject::Field { of, offset, bytes, is_pointer } => {
                let offset = self.offset_term(i128::from(offset));
                read(self, Pointer { offset, ..blocks[&of] }, bytes, is_pointer)
            }
            Subject::Element { of, bytes, is_pointer } => {
                let at = blocks[&of];
                guards.push(self.is_element(at, bytes));
                read(self, at, bytes, is_pointer)
            }
            Subject::Ended { of } => {
                let is_alive = self.is_alive(&Rc::clone(&state.log), blocks[&of].block);
                let has_ended = self.terms.not(is_alive);
                Value::Bits(self.bit(has_ended))
            }
        };
        self.part(value, part)
    }

    /// Whether a place is that of a whole element inside its block.
    fn is_element(&mut self, at: Pointer, bytes: u64) -> TermId {
        let extent = self.offset_term(i128::from(bytes));
        let rest = self.terms.unsigned_remainder(at.offset, extent);
        let zero = self.offset_term(0);
        let is_aligned = self.terms.equal(rest, zero);
        let size = self.size_of(at.block);
        let is_large = self.terms.unsigned_less_equal(extent, size);
        let last = self.terms.subtract(size, extent);
        let is_inside = self.terms.unsigned_less_equal(at.offset, last);
        self.terms.all(&[is_aligned, is_large, is_inside])
    }

    fn part(&mut self, value: Value, part: Part) -> TermId {
        match (value, part) {
            (Value::Bits(bits), Part::Bits) => bits,
            (Value::Pointer(pointer), Part::Bits) => self.address(pointer),
            (Value::Pointer(pointer), Part::Object) => self.site_of(pointer.block),
            (Value::Pointer(pointer), Part::Offset) => pointer.offset,
            (Value::Pointer(pointer), Part::Block) => {
                let is_number = self.has_no_block(pointer);
                let wide = self.terms.zero_extend(pointer.offset, 64);
                let upper = self.terms.extract(wide, 63, 32);
                self.terms.if_then_else(is_number, upper, pointer.block)
            }
            (Value::Bits(_), Part::Object | Part::Block | Part::Offset) => {
                panic!("a number points nowhere")
            }
        }
    }

    /// A formula of the certificate in the walk's terms.
    fn translate(&mut self, formula: TermId, known: &mut FxHashMap<TermId, TermId>) -> TermId {
        let terms = &self.question.certificate.terms;
        for term in terms.reachable(&[formula]) {
            if known.contains_key(&term) {
                continue;
            }
            let translated = match terms.as_constant(term) {
                Some(value) => self.terms.constant(value),
                None if term == TermId::TRUE || term == TermId::FALSE => term,
                None => {
                    let node = terms.node(term).map_children(|child| known[&child]);
                    self.terms.build(node)
                }
            };
            known.insert(term, translated);
        }
        known[&formula]
    }
}
