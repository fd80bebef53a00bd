//! Slicing: variables that no obligation depends on need no invariant.

use std::collections::BTreeSet;

use heapwright_logic::{TermId, Terms};

use crate::ssa::build::Constraint;
use crate::ssa::formula::{CutLoop, Formula, LoopVariable};
use crate::ssa::function::{CutFunction, CutFunctionId, FunctionVariable, GuardedTerm};
use crate::ssa::loops::base_variable;

/// The formula with the loop variables and constraints that matter.
pub(crate) fn slice(mut formula: Formula, constraints: &[Constraint]) -> Formula {
    let mut cone = Cone { seen: vec![false; formula.terms.len()] };
    for obligation in &formula.obligations {
        cone.add(&formula.terms, &[obligation.guard, obligation.condition]);
    }
    let mut used: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut passed: BTreeSet<(CutFunctionId, Side, usize)> = BTreeSet::new();
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    // Ends because each round uses a further variable or constraint.
    loop {
        let before = (used.len(), passed.len(), kept.len());
        for (position, cut) in formula.loops.iter().enumerate() {
            for (number, variable) in cut.variables.iter().enumerate() {
                let base = base_variable(&formula.terms, variable.before);
                if cone.seen[base.index()] && used.insert((position, number)) {
                    cone.add(&formula.terms, &roots_of(cut, variable));
                }
            }
        }
        for (id, function) in formula.functions.enumerated() {
            for (side, number, variable) in sides(function) {
                if side.is_needed(&cone, &formula.terms, variable)
                    && passed.insert((id, side, number))
                {
                    cone.add(&formula.terms, &roots_of_function(function, variable));
                }
            }
        }
        for (position, constraint) in constraints.iter().enumerate() {
            if cone.seen[constraint.subject.index()] && kept.insert(position) {
                cone.add(&formula.terms, &[constraint.fact]);
            }
        }
        if before == (used.len(), passed.len(), kept.len()) {
            break;
        }
    }
    formula.constraints = kept.iter().map(|&position| constraints[position].fact).collect();
    formula.constraints.sort_unstable();
    formula.constraints.dedup();
    for (position, cut) in formula.loops.iter_mut().enumerate() {
        keep(cut, |number| used.contains(&(position, number)));
    }
    for id in formula.functions.ids() {
        let is_kept = |side, number| passed.contains(&(id, side, number));
        keep_passed(&mut formula.functions[id], is_kept);
    }
    formula
}

/// Which of a function's variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Input,
    Output,
}

impl Side {
    /// Whether something depends on what a row about the variable would constrain.
    fn is_needed(self, cone: &Cone, terms: &Terms, variable: &FunctionVariable) -> bool {
        let is_seen = |term: &GuardedTerm| cone.seen[base_variable(terms, term.value).index()];
        match self {
            Side::Input => is_seen(&variable.inside),
            Side::Output => variable.at_calls.iter().any(is_seen),
        }
    }
}

fn sides(function: &CutFunction) -> impl Iterator<Item = (Side, usize, &FunctionVariable)> {
    let inputs = function.inputs.iter().enumerate().map(|(number, it)| (Side::Input, number, it));
    let outputs = function.outputs.iter().enumerate();
    inputs.chain(outputs.map(|(number, it)| (Side::Output, number, it)))
}

fn roots_of_function(function: &CutFunction, variable: &FunctionVariable) -> Vec<TermId> {
    let mut roots = vec![function.entered, function.returned];
    roots.extend(function.calls.iter().flat_map(|call| [call.guard, call.returned]));
    let terms = variable.at_calls.iter().chain([&variable.inside]);
    roots.extend(terms.flat_map(|term| [term.value, term.guard]));
    roots
}

/// Drops the other variables of a function and renumbers what instances say.
fn keep_passed(function: &mut CutFunction, is_kept: impl Fn(Side, usize) -> bool) {
    let positions = |side, variables: &mut Vec<FunctionVariable>| {
        let mut next = 0;
        let mut positions = Vec::new();
        let mut number = 0;
        variables.retain(|_| {
            let kept = is_kept(side, number);
            positions.push(kept.then_some(next));
            next += usize::from(kept);
            number += 1;
            kept
        });
        positions
    };
    let inputs = positions(Side::Input, &mut function.inputs);
    let outputs = positions(Side::Output, &mut function.outputs);
    let renumber = |values: &mut Vec<(usize, GuardedTerm)>, positions: &[Option<usize>]| {
        values.retain_mut(|(position, _)| match positions[*position] {
            Some(new) => {
                *position = new;
                true
            }
            None => false,
        });
    };
    let at_calls = function.calls.iter_mut().map(|call| &mut call.instances);
    for instances in at_calls.chain([&mut function.instances]) {
        for instance in &mut *instances {
            renumber(&mut instance.inputs, &inputs);
            renumber(&mut instance.outputs, &outputs);
        }
        instances.retain(|instance| !(instance.inputs.is_empty() && instance.outputs.is_empty()));
    }
}

struct Cone {
    seen: Vec<bool>,
}

impl Cone {
    fn add(&mut self, terms: &Terms, roots: &[TermId]) {
        let mut pending = roots.to_vec();
        while let Some(term) = pending.pop() {
            if !std::mem::replace(&mut self.seen[term.index()], true) {
                pending.extend(terms.node(term).children());
            }
        }
    }
}

fn roots_of(cut: &CutLoop, variable: &LoopVariable) -> Vec<TermId> {
    let mut roots = vec![cut.head_guard, cut.back_guard, cut.select];
    roots.extend([variable.before, variable.entry, variable.after]);
    roots.extend([variable.guard_before, variable.guard_entry, variable.guard_after]);
    roots.extend(cut.between_guards.iter().chain(&variable.between).chain(&variable.guard_between));
    for instance in &cut.instances {
        roots.push(instance.guard);
    }
    roots
}

/// Drops the other variables and renumbers what instances say.
fn keep(cut: &mut CutLoop, is_kept: impl Fn(usize) -> bool) {
    let mut positions = Vec::new();
    let mut next = 0;
    for number in 0..cut.variables.len() {
        positions.push(is_kept(number).then_some(next));
        next += usize::from(is_kept(number));
    }
    let mut number = 0;
    cut.variables.retain(|_| {
        number += 1;
        positions[number - 1].is_some()
    });
    for instance in &mut cut.instances {
        instance.before.retain_mut(|(position, _)| match positions[*position] {
            Some(new) => {
                *position = new;
                true
            }
            None => false,
        });
    }
    cut.instances.retain(|instance| !instance.before.is_empty());
}
