//! A cut loop in the terms of the domains: its variables at the head and at the end of the body.
//!
//! Besides what the loop changes, rows may speak of values that were computed before the loop and
//! that its body compares something with: the `n` of `i < n`. The formula is built in the order of
//! execution, so a term over variables that were made before the loop's head depends on nothing in
//! the body, and it is the same in all iterations. Only terms over inputs and numbers count: the
//! numbers of blocks have no meaning across a loop's head, so no row may depend on them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::{DenseId, IdVec};
use heapwright_logic::{Evaluator, Sort, Term, TermId, Terms};

use crate::domain::{Object, Point, Scope, Variable, Version};
use crate::ssa::formula::{
    AbstractObjectId, CutLoop, CutLoopId, Formula, Input, InputKind, LoopVariable,
    LoopVariableSource, ValueKind,
};

/// One loop, ready to be talked about.
#[derive(Clone, Debug)]
pub struct Frame {
    pub name: String,
    pub scope: Scope,
    /// Where rows may be assumed: the head when it is reached over the back edge; and, there, the
    /// heads of the further rounds of an unwound body.
    pub starts: Vec<Place>,
    /// Where rows must be shown: the end of the body; and, in the first rounds of an unwound body,
    /// the heads between them.
    pub ends: Vec<Place>,
    /// Other blocks of objects at the head: what was put in place of the witness's fields.
    pub instances: Vec<InstanceVersion>,
}

/// A place in the formula where rows mean something.
#[derive(Clone, Debug)]
pub struct Place {
    /// It is reached.
    pub guard: TermId,
    pub version: Version,
}

#[derive(Clone, Debug)]
pub struct InstanceVersion {
    pub object: AbstractObjectId,
    /// The variables of the object that are known of this block.
    pub known: BTreeSet<usize>,
    pub version: Version,
}

/// What rows are told apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Rows are claimed only where their variables mean something (FMCAD'18, IV-B).
    pub guards: bool,
    /// Besides loops, paths are told apart by conditions on values from before the loop.
    pub conditions: bool,
}

/// More conditions are not told apart.
const MOST_CONDITIONS: usize = 5;

/// More values from before a loop are not looked at.
const MOST_CONSTANTS: usize = 8;

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
                path_names.push(format!("`{}`", formula.terms.display(condition)));
                paths.push(condition);
            }
        }
        let witnesses: IdVec<AbstractObjectId, TermId> =
            formula.objects.iter().map(|object| object.witness).collect();
        let version = |of: &dyn Fn(&LoopVariable) -> (TermId, TermId)| {
            let (values, guards) = variables.iter().map(of).unzip();
            Version { values, guards, paths: paths.clone(), witnesses: witnesses.clone() }
        };
        let before = version(&|variable| (variable.before, variable.guard_before));
        let after = version(&|variable| (variable.after, variable.guard_after));
        let instances = instances(&cut, &before, guarded);
        let terms = &mut formula.terms;
        let repeats = terms.and(cut.head_guard, cut.select);
        let is_first = terms.not(cut.select);
        let mut starts = vec![Place { guard: repeats, version: before }];
        let mut ends = vec![Place { guard: cut.back_guard, version: after }];
        for (round, &guard) in cut.between_guards.iter().enumerate() {
            let version =
                version(&|variable| (variable.between[round], variable.guard_between[round]));
            let guard_repeated = terms.and(guard, cut.select);
            let guard_first = terms.and(guard, is_first);
            starts.push(Place { guard: guard_repeated, version: version.clone() });
            ends.push(Place { guard: guard_first, version });
        }
        let described = variables.iter().enumerate().map(|(index, variable)| Variable {
            name: variable.name.clone(),
            kind: variable.kind,
            source: (index < changed).then_some(variable.what),
            constants: chosen_constants(&formula.terms, variable.after),
        });
        let objects = formula.objects.iter().map(|object| Object {
            name: object.name.clone(),
            is_summary: object.kind.is_summary(),
        });
        let scope = Scope {
            variables: described.collect(),
            pointers: formula.pointers,
            objects: objects.collect(),
            paths: path_names,
        };
        Frame { name: cut.name, scope, starts, ends, instances }
    }

    /// The end of the body.
    pub fn back(&self) -> &Place {
        &self.ends[0]
    }
}

/// What a model says of a version.
pub(super) fn point(version: &Version, evaluator: &mut Evaluator<'_>) -> Point {
    let Version { values, guards, paths, witnesses } = version;
    Point {
        values: values.iter().map(|&value| evaluator.bit_vector(value)).collect(),
        guards: guards.iter().map(|&guard| evaluator.boolean(guard)).collect(),
        paths: paths.iter().map(|&path| evaluator.boolean(path)).collect(),
        witnesses: witnesses.iter().map(|&block| evaluator.bit_vector(block)).collect(),
    }
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
        versions.push(InstanceVersion { object: instance.object, known, version });
    }
    versions
}

/// The loops around this one and before it: whether they are repeated, and their names.
fn paths(formula: &mut Formula, id: CutLoopId) -> (Vec<TermId>, Vec<String>) {
    let (mut terms, mut names) = (Vec::new(), Vec::new());
    let own = formula.loops[id].select;
    for other in formula.loops.ids() {
        let CutLoop { head_guard, select, name, .. } = &formula.loops[other];
        let (head_guard, select) = (*head_guard, *select);
        // Built before this loop: it is around this one, or comes before it.
        if select >= own {
            continue;
        }
        names.push(format!("loop {name}"));
        terms.push(formula.terms.and(head_guard, select));
    }
    (terms, names)
}

/// The terms that a loop's body is made of, and which of them were decided before it.
struct Parts {
    /// With their newest variable, if they have any.
    newest: BTreeMap<TermId, Option<TermId>>,
    /// Those that depend on inputs and numbers of the program alone.
    plain: BTreeSet<TermId>,
    /// The first variable that was made for the loop.
    first: TermId,
}

impl Parts {
    fn of(formula: &Formula, cut: &CutLoop) -> Parts {
        let terms = &formula.terms;
        let mut roots: Vec<TermId> = cut.variables.iter().map(|variable| variable.after).collect();
        roots.push(cut.back_guard);
        roots.extend(formula.obligations.iter().map(|obligation| obligation.condition));
        let numbers = number_variables(formula);
        let mut newest: BTreeMap<TermId, Option<TermId>> = BTreeMap::new();
        let mut plain = BTreeSet::new();
        // Children have smaller numbers, so they come first.
        for term in terms.reachable(&roots) {
            let children = terms.node(term).children();
            let (variable, is_plain) = match terms.node(term) {
                Term::Variable(_) => (Some(term), numbers.contains(&term)),
                _ => (
                    children.into_iter().filter_map(|child| newest[&child]).max(),
                    children.into_iter().all(|child| plain.contains(&child)),
                ),
            };
            newest.insert(term, variable);
            if is_plain {
                plain.insert(term);
            }
        }
        Parts { newest, plain, first: cut.select }
    }

    /// Whether a term is the same in all rounds of the loop, plain, and no constant.
    fn is_old(&self, term: TermId) -> bool {
        let is_old = self.newest[&term].is_some_and(|variable| variable < self.first);
        is_old && self.plain.contains(&term)
    }

    fn is_new(&self, term: TermId) -> bool {
        self.newest[&term].is_some_and(|variable| variable >= self.first)
    }
}

/// The variables of a formula that are inputs, numbers at a loop's head, or loop-select guards.
fn number_variables(formula: &Formula) -> BTreeSet<TermId> {
    let is_number = |kind| matches!(kind, ValueKind::Number { .. } | ValueKind::Boolean);
    let is_program_variable =
        |what| matches!(what, LoopVariableSource::Local(_) | LoopVariableSource::Global(_));
    let inputs = formula.inputs.iter().filter(|input| is_nondeterministic(input));
    let mut numbers: BTreeSet<TermId> = inputs.map(|input| input.value).collect();
    for cut in &formula.loops {
        numbers.insert(cut.select);
        let variables = cut.variables.iter();
        let of_program = variables
            .filter(|variable| is_number(variable.kind) && is_program_variable(variable.what));
        numbers.extend(of_program.map(|variable| variable.before));
    }
    numbers
}

/// Whether an input is a number from outside; a pointer from outside has the width of pointers.
fn is_nondeterministic(input: &Input) -> bool {
    matches!(input.kind, InputKind::Nondeterministic(_) | InputKind::Uninitialised(_))
}

/// Conditions that were decided before the loop and that its body branches on, those first that it
/// uses most.
fn conditions(formula: &Formula, cut: &CutLoop) -> Vec<TermId> {
    let terms = &formula.terms;
    let parts = Parts::of(formula, cut);
    let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
    for &term in parts.newest.keys().filter(|&&term| parts.is_new(term)) {
        for child in terms.node(term).children() {
            let is_atom = matches!(
                terms.node(child),
                Term::Equal(..) | Term::Relation(..) | Term::Variable(_)
            );
            let atom = match terms.node(child) {
                Term::Not(inner) => inner,
                _ if is_atom => child,
                _ => continue,
            };
            if terms.sort(atom) == Sort::Boolean && parts.is_old(atom) {
                *uses.entry(atom).or_default() += 1;
            }
        }
    }
    for other in &formula.loops {
        uses.remove(&other.select);
    }
    let mut ranked: Vec<(Reverse<usize>, TermId)> =
        uses.into_iter().map(|(term, count)| (Reverse(count), term)).collect();
    ranked.sort_unstable();
    ranked.into_iter().take(MOST_CONDITIONS).map(|(_, term)| term).collect()
}

/// Numbers from before the loop that something in it is compared with.
fn constants(formula: &Formula, cut: &CutLoop) -> Vec<LoopVariable> {
    let terms = &formula.terms;
    let parts = Parts::of(formula, cut);
    let widths: BTreeSet<u32> = cut.variables.iter().filter_map(number_width).collect();
    let mut found = BTreeSet::new();
    let mut look = |value: TermId, against: TermId| {
        let is_number = terms.sort(value) != Sort::Boolean && widths.contains(&terms.width(value));
        if is_number && parts.is_old(value) && parts.is_new(against) {
            found.insert(value);
        }
    };
    for &term in parts.newest.keys() {
        match terms.node(term) {
            Term::Equal(a, b) | Term::Relation(_, a, b) => {
                look(a, b);
                look(b, a);
            }
            _ => {}
        }
    }
    found.into_iter().take(MOST_CONSTANTS).map(|value| constant(formula, cut, value)).collect()
}

/// How many constants a term chooses among.
fn chosen_constants(terms: &Terms, term: TermId) -> usize {
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

fn number_width(variable: &LoopVariable) -> Option<u32> {
    match variable.kind {
        ValueKind::Number { bits, .. } => Some(bits),
        ValueKind::Pointer | ValueKind::Boolean | ValueKind::Opaque { .. } => None,
    }
}

/// A value that stays what it is, as a variable.
fn constant(formula: &Formula, cut: &CutLoop, value: TermId) -> LoopVariable {
    let version = formula.versions.iter().find(|version| version.term == value);
    let name = version
        .map_or_else(|| formula.terms.display(value).to_string(), |version| version.name.clone());
    LoopVariable {
        name,
        kind: ValueKind::Number { bits: formula.terms.width(value), signed: true },
        what: LoopVariableSource::Local(DenseId::from_index(0)),
        before: value,
        entry: value,
        between: vec![value; cut.between_guards.len()],
        after: value,
        guard_before: TermId::TRUE,
        guard_entry: TermId::TRUE,
        guard_between: vec![TermId::TRUE; cut.between_guards.len()],
        guard_after: TermId::TRUE,
    }
}
