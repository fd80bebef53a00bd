//! What rows are about, in the terms of the domains: where they may be assumed, and where they must be
//! shown. For a cut loop, its variables at the head and at the end of the body. (For the contexts and
//! summaries of functions, see `passing`.)
//!
//! Besides what the loop changes, rows may speak of values from before it: see `older`.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::IdVec;
use heapwright_logic::{Evaluator, Term, TermId, Terms};

use crate::domain::{Object, Point, Scope, Split, Variable, Version};
use crate::ssa::base_variable;
use crate::ssa::formula::{AbstractObjectId, CutLoop, CutLoopId, Formula, LoopVariable, Spot};
use crate::synthesis::older::{conditions, constants};

/// What the rows of a frame are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// The invariant of a loop.
    Loop,
    /// The calling context of a function.
    Context,
    /// The summary of a function.
    Summary,
}

/// A place of the program that rows are about.
#[derive(Clone, Debug)]
pub struct Frame {
    pub kind: FrameKind,
    /// Of the loop or function.
    pub name: String,
    pub scope: Scope,
    /// Where rows may be assumed. For a loop: the head when it is reached over the back edge; and,
    /// there, the heads of the further rounds of an unwound body.
    pub starts: Vec<Place>,
    /// Where rows must be shown. For a loop: the end of the body; and, in the first rounds of an
    /// unwound body, the heads between them.
    pub ends: Vec<Place>,
    /// The variables of second witnesses, each with that of the first one.
    pub twins: BTreeMap<usize, usize>,
}

/// A place in the formula where rows mean something.
#[derive(Clone, Debug)]
pub struct Place {
    /// It is reached.
    pub guard: TermId,
    pub version: Version,
    /// Other blocks of objects: what is put in place of the witness's fields. Only where rows are
    /// assumed.
    pub instances: Vec<InstanceVersion>,
}

#[derive(Clone, Debug)]
pub struct InstanceVersion {
    pub object: AbstractObjectId,
    /// A pointer to the block's start.
    pub block: Option<TermId>,
    /// The variables of the object that are known of this block.
    pub known: BTreeSet<usize>,
    pub version: Version,
}

impl InstanceVersion {
    /// This block in place of one of the object's witnesses, in a version of others. `twins` are the
    /// variables of second witnesses with those of first ones.
    pub fn put(&self, version: &mut Version, is_second: bool, twins: &BTreeMap<usize, usize>) {
        let places: Vec<(usize, usize)> = if is_second {
            twins.iter().map(|(&second, &first)| (second, first)).collect()
        } else {
            self.known.iter().map(|&first| (first, first)).collect()
        };
        for (to, from) in places.into_iter().filter(|(_, from)| self.known.contains(from)) {
            version.values[to] = self.version.values[from];
            version.guards[to] = self.version.guards[from];
        }
        if let Some(block) = self.block {
            let blocks = if is_second { &mut version.seconds } else { &mut version.witnesses };
            blocks[self.object] = block;
        }
    }
}

/// What rows are told apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Rows are claimed only where their variables mean something (FMCAD'18, IV-B).
    pub guards: bool,
    /// Besides loops, paths are told apart by conditions on values from before the loop.
    pub conditions: bool,
}

impl Frame {
    pub fn new(formula: &mut Formula, id: CutLoopId, style: Style) -> Frame {
        let guarded = style.guards;
        let cut = formula.loops[id].clone();
        let mut variables: Vec<LoopVariable> =
            cut.variables.iter().map(|variable| with_guards(variable, guarded)).collect();
        let changed = variables.len();
        variables.extend(constants(formula, &cut));
        let (mut paths, mut path_names) = paths(formula, id);
        if style.conditions {
            for condition in conditions(formula, &cut) {
                let text = formula.terms.display(condition).to_string();
                path_names.push(Split::by_condition(&text));
                paths.push(condition);
            }
        }
        let witnesses: IdVec<AbstractObjectId, TermId> =
            formula.objects.iter().map(|object| object.witness).collect();
        let seconds = formula.objects.iter();
        let seconds: IdVec<AbstractObjectId, TermId> =
            seconds.map(|object| object.second.unwrap_or(object.witness)).collect();
        let version = |of: &dyn Fn(&LoopVariable) -> (TermId, TermId)| {
            let (values, guards) = variables.iter().map(of).unzip();
            let (witnesses, seconds) = (witnesses.clone(), seconds.clone());
            Version { values, guards, paths: paths.clone(), witnesses, seconds }
        };
        let before = version(&|variable| (variable.before, variable.guard_before));
        let after = version(&|variable| (variable.after, variable.guard_after));
        let instances = instances(&cut, &before, guarded);
        let terms = &mut formula.terms;
        let repeats = terms.and(cut.head_guard, cut.select);
        let is_first = terms.not(cut.select);
        let mut starts = vec![Place { guard: repeats, version: before, instances }];
        let mut ends = vec![Place::plain(cut.back_guard, after)];
        for (round, &guard) in cut.between_guards.iter().enumerate() {
            let version =
                version(&|variable| (variable.between[round], variable.guard_between[round]));
            let guard_repeated = terms.and(guard, cut.select);
            let guard_first = terms.and(guard, is_first);
            starts.push(Place::plain(guard_repeated, version.clone()));
            ends.push(Place::plain(guard_first, version));
        }
        let described = variables.iter().enumerate().map(|(index, variable)| Variable {
            name: variable.name.clone(),
            kind: variable.kind,
            source: (index < changed).then_some(variable.what),
            object: variable.what.object().filter(|_| index < changed),
            spot: variable.spot,
            constants: chosen_constants(&formula.terms, variable.after),
        });
        let mut scope = scope(formula, described.collect(), path_names);
        scope.has_links = formula.objects.iter().any(|object| object.second.is_some());
        let twins = twins(&formula.terms, &variables);
        Frame { kind: FrameKind::Loop, name: cut.name, scope, starts, ends, twins }
    }

    /// The end of the body.
    pub fn back(&self) -> &Place {
        &self.ends[0]
    }
}

impl Place {
    /// Without instances.
    pub(super) fn plain(guard: TermId, version: Version) -> Place {
        Place { guard, version, instances: Vec::new() }
    }
}

/// What a template is laid out over.
pub(super) fn scope(formula: &Formula, variables: Vec<Variable>, paths: Vec<Split>) -> Scope {
    let objects = formula.objects.iter().map(|object| Object {
        name: object.name.clone(),
        has_second: object.second.is_some(),
        is_summary: object.kind.is_summary(),
    });
    let objects = objects.collect();
    Scope { variables, pointers: formula.pointers, objects, has_links: false, paths }
}

/// What a model says of a version.
pub(super) fn point(version: &Version, evaluator: &mut Evaluator<'_>) -> Point {
    let Version { values, guards, paths, witnesses, seconds } = version;
    Point {
        values: values.iter().map(|&value| evaluator.bit_vector(value)).collect(),
        guards: guards.iter().map(|&guard| evaluator.boolean(guard)).collect(),
        paths: paths.iter().map(|&path| evaluator.boolean(path)).collect(),
        witnesses: witnesses.iter().map(|&block| evaluator.bit_vector(block)).collect(),
        seconds: seconds.iter().map(|&block| evaluator.bit_vector(block)).collect(),
    }
}

/// The variables of second witnesses, each with that of the first one: they read one array.
fn twins(terms: &Terms, variables: &[LoopVariable]) -> BTreeMap<usize, usize> {
    let of_spot = |spot| {
        variables.iter().enumerate().filter(move |(_, variable)| variable.spot == spot).map(
            |(index, variable)| (index, (variable.what, base_variable(terms, variable.before))),
        )
    };
    let seconds = of_spot(Spot::Second);
    let twin = |(second, read)| {
        let first = of_spot(Spot::First).find(|&(_, other)| other == read)?.0;
        Some((second, first))
    };
    seconds.filter_map(twin).collect()
}

fn with_guards(variable: &LoopVariable, guarded: bool) -> LoopVariable {
    if guarded {
        return variable.clone();
    }
    LoopVariable {
        guard_before: TermId::TRUE,
        guard_entry: TermId::TRUE,
        guard_between: vec![TermId::TRUE; variable.guard_between.len()],
        guard_after: TermId::TRUE,
        ..variable.clone()
    }
}

/// The blocks besides the witnesses of which rows may be assumed.
fn instances(cut: &CutLoop, before: &Version, guarded: bool) -> Vec<InstanceVersion> {
    let mut versions = Vec::new();
    for instance in &cut.instances {
        let mut version = before.clone();
        let mut known = BTreeSet::new();
        for &(position, value) in &instance.before {
            version.values[position] = value;
            version.guards[position] = if guarded { instance.guard } else { TermId::TRUE };
            known.insert(position);
        }
        version.witnesses[instance.object] = instance.block;
        let block = Some(instance.block);
        versions.push(InstanceVersion { object: instance.object, block, known, version });
    }
    versions
}

/// The loops around this one and before it: whether they are repeated, and their names.
fn paths(formula: &mut Formula, id: CutLoopId) -> (Vec<TermId>, Vec<Split>) {
    let (mut terms, mut names) = (Vec::new(), Vec::new());
    let region = formula.loops[id].older.start;
    for other in formula.loops.ids() {
        let CutLoop { head_guard, select, name, older, .. } = &formula.loops[other];
        let (head_guard, select) = (*head_guard, *select);
        // In the same function, around this loop or before it.
        if other >= id || older.start != region {
            continue;
        }
        names.push(Split::by_loop(name));
        terms.push(formula.terms.and(head_guard, select));
    }
    (terms, names)
}

/// How many constants a term chooses among.
pub(super) fn chosen_constants(terms: &Terms, term: TermId) -> usize {
    let mut seen = BTreeSet::new();
    let mut pending = vec![term];
    let mut constants = 0;
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Term::IfThenElse(_, then, otherwise) => pending.extend([then, otherwise]),
            _ if terms.is_constant(term) => constants += 1,
            _ => {}
        }
    }
    constants
}
