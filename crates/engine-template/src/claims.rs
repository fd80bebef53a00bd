//! Claims: what a proof says, in the language of the crate `certificate`.
//!
//! A row is asked for its formula over variables that stand for parts of the program's values; a
//! pointer is put together from its object, its block and its offset, so nothing of the formula's
//! encoding is left. Values from before a loop are claimed where some variable still has them. What
//! points-to sets and effects say is claimed too: rows rest on them.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{DenseId, IdVec};
use heapwright_certificate::{
    Certificate, Claim, FrameClaims, FrameKey, Leaf, Method, ObjectClaim, ObjectKey, Part,
    Spot as Place, Subject,
};
use heapwright_logic::{Sort, TermId, Terms};
use heapwright_program::{ObjectKind, VariableId};
use rustc_hash::FxHashMap;

use crate::analysis::layout::{ObjectLayout, Shape};
use crate::analysis::points_to::ObjectSource;
use crate::analysis::targets::Targets;
use crate::changes::changes;
use crate::domain::{Row, Version};
use crate::proof::Scale;
use crate::ssa::Preparation;
use crate::ssa::formula::{
    AbstractObjectId, CutLoop, CutLoopId, Formula, LoopVariable, LoopVariableSource, Spot,
    ValueKind,
};
use crate::ssa::pointer::NUMBER_BITS;
use crate::synthesis::{Frame, FrameKind, Template};

/// What the invariants say; `None` if functions are summarised.
pub(crate) fn certificate(
    preparation: &Preparation,
    formula: &Formula,
    template: &Template,
    scale: Scale,
) -> Option<Certificate> {
    if !formula.functions.is_empty() {
        return None;
    }
    let objects = preparation.points_to.objects.sources.ids();
    let objects = objects.map(|id| object_claim(preparation, id)).collect();
    let mut writer =
        Writer { preparation, formula, terms: Terms::new(), leaves: BTreeMap::new(), poison: None };
    let mut frames = Vec::new();
    for ((id, cut), invariant) in formula.loops.enumerated().zip(&template.invariants) {
        assert_eq!(invariant.frame.kind, FrameKind::Loop, "loops come first");
        frames.push(writer.frame(id, cut, invariant));
    }
    Some(Certificate {
        method: Method::Inductive,
        rounds: scale.copies.max(1),
        is_lenient: scale.is_lenient,
        terms: writer.terms,
        objects,
        frames,
    })
}

fn object_claim(preparation: &Preparation, id: AbstractObjectId) -> ObjectClaim {
    let inlined = &preparation.inlined;
    let key = match preparation.points_to.objects.sources[id] {
        ObjectSource::Code(function) => ObjectKey::Code(function),
        ObjectSource::Declared(object) => match inlined.program.objects[object].kind {
            ObjectKind::Local => {
                let source = inlined.sources.objects.get(&object).cloned();
                let (calls, object) = source.unwrap_or_else(|| (Vec::new(), object));
                ObjectKey::Local { calls, object }
            }
            ObjectKind::Static { .. } | ObjectKind::String { .. } | ObjectKind::External => {
                ObjectKey::Static(object)
            }
        },
        ObjectSource::Site(edge) => {
            let (calls, function, edge) = inlined.sources.sites[&edge].clone();
            ObjectKey::Site { calls, function, edge }
        }
    };
    let layout = &preparation.layouts[id];
    ObjectClaim { key, name: layout.name.clone(), is_many: layout.is_many }
}

struct Writer<'a> {
    preparation: &'a Preparation,
    formula: &'a Formula,
    terms: Terms,
    leaves: BTreeMap<TermId, Leaf>,
    /// Stands for what cannot be claimed.
    poison: Option<usize>,
}

impl Writer<'_> {
    fn frame(
        &mut self,
        id: CutLoopId,
        cut: &CutLoop,
        invariant: &crate::synthesis::Invariant,
    ) -> FrameClaims {
        let place = &cut.place_in_program;
        let key = FrameKey {
            calls: place.calls.clone(),
            function: cut.head.0,
            head: cut.head.1,
            copies: place.copies.clone(),
        };
        let version = self.version(id, cut, &invariant.frame);
        let (mut claims, mut unclaimed) = (Vec::new(), Vec::new());
        for row in invariant.rows.iter().filter(|row| !row.row.is_top()) {
            let text = row.row.text(&invariant.frame.scope).join("; ");
            let formula = row.row.formula(&mut self.terms, &version);
            let about = self.about(&invariant.frame, row.row.as_ref());
            match self.claim(text.clone(), formula, about) {
                Some(claim) if row.row.is_universal() => claims.push(claim),
                Some(_) | None => unclaimed.push(text),
            }
        }
        self.background(cut, &mut claims);
        let changes = changes(self.preparation, &place.changed);
        FrameClaims { key, name: cut.name.clone(), changes, claims, unclaimed }
    }

    fn claim(&mut self, text: String, formula: TermId, about: BTreeSet<Place>) -> Option<Claim> {
        let variables = self.terms.free_variables(&[formula]);
        let leaf = |variable: TermId| Some((variable, self.leaves.get(&variable)?.clone()));
        let leaves: Option<Vec<(TermId, Leaf)>> = variables.into_iter().map(leaf).collect();
        Some(Claim { text, formula, about, leaves: leaves? })
    }

    /// The blocks that a row is about.
    fn about(&self, frame: &Frame, row: &dyn Row) -> BTreeSet<Place> {
        let of_row = row.variables().into_iter().map(|it| &frame.scope.variables[it]);
        let mut about: BTreeSet<Place> =
            of_row.filter_map(|variable| Some(place(variable.object?, variable.spot))).collect();
        about.extend(row.blocks().into_iter().map(|(object, spot)| place(object, spot)));
        about
    }

    /// The variables of a loop as leaves.
    fn version(&mut self, id: CutLoopId, cut: &CutLoop, frame: &Frame) -> Version {
        let old = self.old_values(cut);
        let start = &frame.starts[0].version;
        let mut values = Vec::new();
        for (variable, &term) in frame.scope.variables.iter().zip(&start.values) {
            let subject =
                variable.source.map(|what| self.subject((what, variable.spot), variable.kind));
            values.push(match subject {
                Some(Some(subject)) => self.value(&subject, variable.kind),
                Some(None) => self.unknown(self.formula.terms.sort(term)),
                None => self.translated(term, &old),
            });
        }
        let before = self.formula.loops.enumerated().take_while(|(other, _)| *other < id);
        let loops: Vec<usize> = before
            .filter(|(_, other)| other.older.start == cut.older.start)
            .map(|(other, _)| other.index())
            .collect();
        let mut paths = Vec::new();
        for (position, &term) in start.paths.iter().enumerate() {
            paths.push(match loops.get(position) {
                Some(&other) => self.leaf(
                    format!("loop {other} repeated"),
                    Leaf::Repeated(other),
                    Sort::Boolean,
                ),
                None => self.translated(term, &old),
            });
        }
        let guards = vec![TermId::TRUE; values.len()];
        let (mut witnesses, mut seconds) = (IdVec::new(), IdVec::new());
        for (object, described) in frame.scope.objects.enumerated() {
            let first = self.witness(object, Spot::First);
            witnesses.push(first);
            seconds.push(match described.has_second {
                true => self.witness(object, Spot::Second),
                false => first,
            });
        }
        Version { values, guards, paths, witnesses, seconds }
    }

    /// A term that no claim may speak of.
    fn unknown(&mut self, sort: Sort) -> TermId {
        let number = self.poison.map_or(0, |number| number + 1);
        self.poison = Some(number);
        self.terms.variable(&format!("unclaimed {number}"), sort)
    }

    fn leaf(&mut self, name: String, leaf: Leaf, sort: Sort) -> TermId {
        let term = self.terms.variable(&name, sort);
        let known = self.leaves.insert(term, leaf.clone());
        assert!(known.is_none_or(|known| known == leaf), "{name} stands for two things");
        term
    }

    fn subject(
        &self,
        (what, spot): (LoopVariableSource, Spot),
        kind: ValueKind,
    ) -> Option<Subject> {
        match what {
            LoopVariableSource::Local(variable) | LoopVariableSource::Global(variable) => {
                Some(self.variable(variable))
            }
            LoopVariableSource::Field { object, offset } => {
                field(&self.preparation.layouts[object], place(object, spot), offset, kind)
            }
            LoopVariableSource::Ended { object } => {
                Some(Subject::Ended { of: place(object, spot) })
            }
            LoopVariableSource::Allocated { .. } => None,
        }
    }

    fn variable(&self, variable: VariableId) -> Subject {
        let inlined = &self.preparation.inlined;
        if inlined.program.variables[variable].function.is_none() {
            return Subject::Global(variable);
        }
        let source = inlined.sources.variables.get(&variable).copied();
        let (depth, variable) = source.unwrap_or((0, variable));
        Subject::Variable { depth, variable }
    }

    /// The address of a witness, in the encoding of the formula.
    fn witness(&mut self, object: AbstractObjectId, spot: Spot) -> TermId {
        let of = place(object, spot);
        let name = format!("witness ${} {}", of.object, of.is_second);
        let number = self.leaf(name, Leaf::Witness(of), Sort::BitVector(32));
        let number = self.resized(number, NUMBER_BITS);
        self.formula.pointers.address(&mut self.terms, object, number)
    }

    /// A value in the encoding of the formula, put together from its parts.
    fn value(&mut self, subject: &Subject, kind: ValueKind) -> TermId {
        match kind {
            ValueKind::Number { bits, .. } | ValueKind::Opaque { bits } => {
                self.part(subject, Part::Bits, bits)
            }
            ValueKind::Boolean => self.part(subject, Part::Bits, 1),
            ValueKind::Pointer => {
                let layout = self.formula.pointers;
                let object = self.part(subject, Part::Object, 32);
                let block = self.part(subject, Part::Block, 32);
                let wide = 8 * self.preparation.program().model.pointer_size() as u32;
                let offset = self.part(subject, Part::Offset, wide);
                let tag = self.resized(object, layout.tag_bits);
                let number = self.resized(block, NUMBER_BITS);
                let offset = self.resized(offset, layout.offset_bits);
                let upper = self.terms.concat(tag, number);
                self.terms.concat(upper, offset)
            }
        }
    }

    fn resized(&mut self, term: TermId, width: u32) -> TermId {
        if self.terms.width(term) > width {
            self.terms.extract(term, width - 1, 0)
        } else {
            self.terms.sign_extend(term, width)
        }
    }

    /// Names tell apart what subjects tell apart.
    fn name(&self, subject: &Subject) -> String {
        let program = &self.preparation.inlined.program;
        let of_block = |Place { object, is_second }: Place| {
            let id = AbstractObjectId::from_index(object);
            let other = if is_second { "other " } else { "" };
            format!("{other}{}${object}", self.preparation.layouts[id].name)
        };
        match *subject {
            Subject::Global(variable) => format!("{}${variable}", program.variables[variable].name),
            Subject::Variable { depth, variable } => {
                format!("{}${variable}@{depth}", program.variables[variable].name)
            }
            Subject::Field { of, offset, bytes, is_pointer } => {
                let kind = if is_pointer { "p" } else { "n" };
                format!("{}+{offset}:{kind}{bytes}", of_block(of))
            }
            Subject::Element { of, bytes, is_pointer } => {
                let kind = if is_pointer { "p" } else { "n" };
                format!("{}[]:{kind}{bytes}", of_block(of))
            }
            Subject::Ended { of } => format!("{}.ended", of_block(of)),
        }
    }

    /// What variables that the loop leaves alone hold, by term of the formula.
    fn old_values(&mut self, cut: &CutLoop) -> FxHashMap<TermId, TermId> {
        let mut old = FxHashMap::default();
        for &(variable, term) in &cut.place_in_program.unchanged {
            let scalar = self.preparation.inlined.program.variables[variable].scalar;
            if scalar.is_pointer() || self.formula.terms.is_constant(term) {
                continue;
            }
            let bits = self.formula.terms.width(term);
            let subject = self.variable(variable);
            let is_known = old.contains_key(&term);
            if !is_known {
                let kind = ValueKind::Number { bits, signed: false };
                old.insert(term, self.value(&subject, kind));
            }
        }
        old
    }

    /// A term over old values, if it is one.
    fn translated(&mut self, term: TermId, old: &FxHashMap<TermId, TermId>) -> TermId {
        let mut known = old.clone();
        let source = &self.formula.terms;
        for part in source.reachable_unless(&[term], |it| old.contains_key(&it)) {
            if known.contains_key(&part) {
                continue;
            }
            let translated = match source.as_constant(part) {
                Some(value) => self.terms.constant(value),
                None if part == TermId::TRUE || part == TermId::FALSE => part,
                None if source.as_variable(part).is_some() => self.unknown(source.sort(part)),
                None => {
                    let node = source.node(part).map_children(|child| known[&child]);
                    self.terms.build(node)
                }
            };
            known.insert(part, translated);
        }
        known[&term]
    }

    /// Where pointers may point to, as far as the loop changes them.
    fn background(&mut self, cut: &CutLoop, claims: &mut Vec<Claim>) {
        let is_meant = |it: &&LoopVariable| it.kind == ValueKind::Pointer && it.spot == Spot::First;
        for variable in cut.variables.iter().filter(is_meant) {
            let points_to = &self.preparation.points_to;
            let targets = match variable.what {
                LoopVariableSource::Local(id) | LoopVariableSource::Global(id) => {
                    points_to.of_variable(id).clone()
                }
                LoopVariableSource::Field { object, offset } => {
                    let has_elements = self.preparation.layouts[object].has_elements();
                    let offset = i64::try_from(offset).ok().filter(|_| !has_elements);
                    points_to.of_part(object, offset)
                }
                LoopVariableSource::Ended { .. } | LoopVariableSource::Allocated { .. } => continue,
            };
            let what = (variable.what, variable.spot);
            let Some(subject) = self.subject(what, variable.kind) else { continue };
            let about: BTreeSet<Place> = subject.spot().into_iter().collect();
            let formula = self.points_to(&subject, &targets);
            let text = format!("where {} points to", variable.name);
            claims.extend(self.claim(text, formula, about.clone()));
            let formula = self.fits(&subject);
            let text = format!("the offset of {} fits", variable.name);
            claims.extend(self.claim(text, formula, about));
        }
    }

    /// An offset fits where the formula keeps it.
    fn fits(&mut self, subject: &Subject) -> TermId {
        let wide = 8 * self.preparation.program().model.pointer_size() as u32;
        let narrow = self.formula.pointers.offset_bits;
        if narrow >= wide {
            return TermId::TRUE;
        }
        let offset = self.part(subject, Part::Offset, wide);
        let short = self.resized(offset, narrow);
        let long = self.resized(short, wide);
        let is_same = self.terms.equal(long, offset);
        let object = self.part(subject, Part::Object, 32);
        let none = self.terms.bit_vector(0, 32);
        let is_number = self.terms.equal(object, none);
        self.terms.or(is_number, is_same)
    }

    fn part(&mut self, subject: &Subject, part: Part, bits: u32) -> TermId {
        let name = format!("{}.{part:?}", self.name(subject));
        let leaf = Leaf::Part { subject: subject.clone(), part };
        self.leaf(name, leaf, Sort::BitVector(bits))
    }

    /// A pointer to an object of which blocks are not told apart points to the one of today.
    fn is_latest(&mut self, subject: &Subject, target: AbstractObjectId) -> TermId {
        let is_many = self.preparation.layouts[target].is_many;
        let is_site = matches!(
            object_claim(self.preparation, target).key,
            ObjectKey::Local { .. } | ObjectKey::Site { .. }
        );
        if is_many || !is_site {
            return TermId::TRUE;
        }
        let block = self.part(subject, Part::Block, 32);
        let name = format!("latest ${}", target.index());
        let latest = self.leaf(name, Leaf::Latest(target.index()), Sort::BitVector(32));
        self.terms.equal(block, latest)
    }

    fn points_to(&mut self, subject: &Subject, targets: &Targets) -> TermId {
        let wide = 8 * self.preparation.program().model.pointer_size() as u32;
        let object = self.part(subject, Part::Object, 32);
        let offset = self.part(subject, Part::Offset, wide);
        let none = self.terms.bit_vector(0, 32);
        let is_number = self.terms.equal(object, none);
        let zero = self.terms.bit_vector(0, wide);
        let is_zero = self.terms.equal(offset, zero);
        let is_null = self.terms.and(is_number, is_zero);
        let mut cases = vec![if targets.number { is_number } else { is_null }];
        for (target, offsets) in targets.by_object() {
            let tag = self.terms.bit_vector(target.index() as u128 + 1, 32);
            let is_object = self.terms.equal(object, tag);
            let mut places = Vec::new();
            for at in offsets.iter().flatten() {
                let at = self.terms.bit_vector(*at as u128, wide);
                places.push(self.terms.equal(offset, at));
            }
            let is_there = if offsets.is_some() { self.terms.any(&places) } else { TermId::TRUE };
            let is_latest = self.is_latest(subject, target);
            cases.push(self.terms.all(&[is_object, is_there, is_latest]));
        }
        self.terms.any(&cases)
    }
}

/// A witness, as claims name it.
fn place(object: AbstractObjectId, spot: Spot) -> Place {
    Place { object: object.index(), is_second: spot == Spot::Second }
}

fn field(layout: &ObjectLayout, of: Place, offset: u64, kind: ValueKind) -> Option<Subject> {
    let is_pointer = kind == ValueKind::Pointer;
    if let Shape::Elements(cell) = &layout.shape {
        return Some(Subject::Element { of, bytes: cell.extent / 8, is_pointer });
    }
    let mut cells = layout.cells().iter().filter(|cell| cell.start / 8 == offset);
    let cell = cells.next()?;
    let is_whole = cell.start % 8 == 0 && cell.extent % 8 == 0 && cells.next().is_none();
    let subject = Subject::Field { of, offset, bytes: cell.extent / 8, is_pointer };
    is_whole.then_some(subject)
}
