//! What rows say of a summarised function: its calling context and its summary.
//!
//! The context is assumed where the function is entered and shown at an arbitrary call; the summary is
//! shown where the function returns and assumed behind each call. That one arbitrary call stands for all
//! keeps the questions small: which one it is, is free. A summary tells apart conditions on the inputs
//! that the function's body decides on, as in "`n <= 0`, or the result is at most `n`".

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::IdVec;
use heapwright_logic::{Term, TermId, Terms};

use crate::domain::{Split, Variable, Version};
use crate::ssa::formula::{AbstractObjectId, Formula, Spot};
use crate::ssa::function::{
    CutFunction, CutFunctionId, FunctionInstance, FunctionVariable, GuardedTerm,
};
use crate::synthesis::frame::{
    Frame, FrameKind, InstanceVersion, Place, Style, chosen_constants, scope,
};
use crate::synthesis::older::{atom, most_used};

/// More conditions are not told apart.
const MOST_CONDITIONS: usize = 4;

impl Frame {
    /// What is so whenever the function is called.
    pub fn context(formula: &mut Formula, id: CutFunctionId, style: Style) -> Frame {
        let passing = Passing::new(formula, id, style);
        let inside: Vec<GuardedTerm> =
            passing.function.inputs.iter().map(|input| input.inside).collect();
        let version = passing.version(&inside);
        let instances = passing.instances(&passing.function.instances, &version, Parts::Inputs);
        let start = Place { guard: passing.function.entered, version, instances };
        let end = passing.arbitrary_call(formula, &inside);
        let inputs = passing.function.inputs.iter();
        let variables = inputs.map(|input| described(formula, input, Role::Varies)).collect();
        Frame {
            kind: FrameKind::Context,
            name: passing.function.name.clone(),
            scope: scope(formula, variables, Vec::new()),
            starts: vec![start],
            ends: vec![end],
            twins: BTreeMap::new(),
        }
    }

    /// How what the function leaves depends on what it got.
    pub fn summary(formula: &mut Formula, id: CutFunctionId, style: Style) -> Frame {
        let passing = Passing::new(formula, id, style);
        let function = &passing.function;
        let all = || function.inputs.iter().chain(&function.outputs);
        let inside: Vec<GuardedTerm> = all().map(|variable| variable.inside).collect();
        let conditions = conditions(&formula.terms, function);
        let splits = passing.splits(&formula.terms, &conditions);
        let mut starts = Vec::new();
        for (number, call) in function.calls.iter().enumerate() {
            let values: Vec<GuardedTerm> =
                all().map(|variable| variable.at_calls[number]).collect();
            let mut version = passing.version(&values);
            let bound = passing.binding(&formula.terms, number);
            let paths = conditions.iter();
            version.paths = paths.map(|&it| formula.terms.substitute(it, &bound)).collect();
            let instances = passing.instances(&call.instances, &version, Parts::All);
            starts.push(Place { guard: call.returned, version, instances });
        }
        let version = Version { paths: conditions, ..passing.version(&inside) };
        let end = Place::plain(function.returned, version);
        let inputs = function.inputs.iter().map(|it| described(formula, it, Role::Given));
        let outputs = function.outputs.iter().map(|it| described(formula, it, Role::Varies));
        let variables = inputs.chain(outputs).collect();
        Frame {
            kind: FrameKind::Summary,
            name: function.name.clone(),
            scope: scope(formula, variables, splits),
            starts,
            ends: vec![end],
            twins: BTreeMap::new(),
        }
    }
}

/// A function, ready to be talked about.
struct Passing {
    function: CutFunction,
    witnesses: IdVec<AbstractObjectId, TermId>,
    is_guarded: bool,
}

/// Which variables a frame has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    Inputs,
    All,
}

/// Whether rows are about a variable, or only relate others to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Varies,
    Given,
}

impl Passing {
    fn new(formula: &Formula, id: CutFunctionId, style: Style) -> Passing {
        Passing {
            function: formula.functions[id].clone(),
            witnesses: formula.objects.iter().map(|object| object.witness).collect(),
            is_guarded: style.guards,
        }
    }

    fn guard(&self, term: GuardedTerm) -> TermId {
        if self.is_guarded { term.guard } else { TermId::TRUE }
    }

    fn version(&self, values: &[GuardedTerm]) -> Version {
        Version {
            values: values.iter().map(|term| term.value).collect(),
            guards: values.iter().map(|&term| self.guard(term)).collect(),
            paths: Vec::new(),
            witnesses: self.witnesses.clone(),
            seconds: self.witnesses.clone(),
        }
    }

    fn instances(
        &self,
        instances: &[FunctionInstance],
        version: &Version,
        parts: Parts,
    ) -> Vec<InstanceVersion> {
        let first_output = self.function.inputs.len();
        let mut versions = Vec::new();
        for FunctionInstance { object, inputs, outputs } in instances {
            let mut version = version.clone();
            let mut known = BTreeSet::new();
            let outputs = outputs.iter().map(|&(position, term)| (first_output + position, term));
            let outputs = outputs.filter(|_| parts == Parts::All);
            for (position, term) in inputs.iter().copied().chain(outputs) {
                version.values[position] = term.value;
                version.guards[position] = self.guard(term);
                known.insert(position);
            }
            versions.push(InstanceVersion { object: *object, block: None, known, version });
        }
        versions
    }

    /// Conditions in words.
    fn splits(&self, terms: &Terms, conditions: &[TermId]) -> Vec<Split> {
        let inputs = self.function.inputs.iter();
        let mut names: Vec<(String, String)> = inputs
            .map(|input| (terms.display(input.inside.value).to_string(), given_name(&input.name)))
            .collect();
        // Some names begin with others.
        names.sort_by_key(|(variable, _)| Reverse(variable.len()));
        let split = |&condition: &TermId| {
            let text = terms.display(condition).to_string();
            let named = names.iter().fold(text, |text, (from, to)| text.replace(from, to));
            Split::by_condition(&named)
        };
        conditions.iter().map(split).collect()
    }

    /// What the free variables of inputs are at a call.
    fn binding(&self, terms: &Terms, call: usize) -> BTreeMap<TermId, TermId> {
        let inputs = self.function.inputs.iter();
        let plain = inputs.filter(|input| terms.as_variable(input.inside.value).is_some());
        plain.map(|input| (input.inside.value, input.at_calls[call].value)).collect()
    }

    /// The state before some call; which one is free.
    fn arbitrary_call(&self, formula: &mut Formula, inside: &[GuardedTerm]) -> Place {
        let CutFunction { inputs, calls, .. } = &self.function;
        let terms = &mut formula.terms;
        let mut chosen: Option<Place> = None;
        for (number, call) in calls.iter().enumerate() {
            let values: Vec<GuardedTerm> =
                inputs.iter().map(|input| input.at_calls[number]).collect();
            let this = Place::plain(call.guard, self.version(&values));
            let Some(Place { guard, version, .. }) = chosen else {
                chosen = Some(this);
                continue;
            };
            let is_this = call.is_meant;
            let mut choose = |these: Vec<TermId>, others: Vec<TermId>| -> Vec<TermId> {
                let pairs = these.into_iter().zip(others);
                pairs.map(|(this, other)| terms.if_then_else(is_this, this, other)).collect()
            };
            let guard = choose(vec![this.guard], vec![guard])[0];
            let values = choose(this.version.values, version.values);
            let guards = choose(this.version.guards, version.guards);
            chosen = Some(Place::plain(guard, Version { values, guards, ..version }));
        }
        chosen.unwrap_or_else(|| Place::plain(TermId::FALSE, self.version(inside)))
    }
}

/// Conditions on inputs that a function's outputs depend on, those first that are used most.
fn conditions(terms: &Terms, function: &CutFunction) -> Vec<TermId> {
    let inputs: BTreeSet<TermId> = function.inputs.iter().map(|input| input.inside.value).collect();
    let mut roots: Vec<TermId> = function.outputs.iter().map(|it| it.inside.value).collect();
    roots.push(function.returned);
    let mut given: BTreeSet<TermId> = BTreeSet::new();
    let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
    // Children have smaller numbers, so they come first.
    for term in terms.reachable(&roots) {
        let children = terms.node(term).children();
        let is_given = match terms.node(term) {
            Term::Variable(_) => inputs.contains(&term),
            _ => children.into_iter().all(|child| given.contains(&child)),
        };
        if is_given {
            given.insert(term);
            continue;
        }
        let atoms = children.into_iter().filter_map(|child| atom(terms, child));
        for atom in atoms.filter(|atom| given.contains(atom) && !terms.is_constant(*atom)) {
            *uses.entry(atom).or_default() += 1;
        }
    }
    most_used(uses, MOST_CONDITIONS)
}

/// An input's name, as a summary speaks of it.
fn given_name(name: &str) -> String {
    format!("old {name}")
}

fn described(formula: &Formula, variable: &FunctionVariable, role: Role) -> Variable {
    let FunctionVariable { name, kind, what, inside, .. } = variable;
    let name = match role {
        Role::Varies => name.clone(),
        Role::Given => given_name(name),
    };
    Variable {
        name,
        kind: *kind,
        source: (role == Role::Varies).then_some(*what),
        object: what.object(),
        spot: Spot::First,
        constants: chosen_constants(&formula.terms, inside.value),
    }
}
