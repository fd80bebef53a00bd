//! Slicing: variables that no obligation depends on need no invariant.

use std::collections::BTreeSet;

use heapwright_logic::{TermId, Terms};

use crate::ssa::build::Constraint;
use crate::ssa::formula::{CutLoop, Formula, LoopVariable};
use crate::ssa::loops::base_variable;

/// The formula with the loop variables and constraints that matter.
pub(crate) fn slice(mut formula: Formula, constraints: &[Constraint]) -> Formula {
    let mut cone = Cone { seen: vec![false; formula.terms.len()] };
    for obligation in &formula.obligations {
        cone.add(&formula.terms, &[obligation.guard, obligation.condition]);
    }
    let mut used: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    // Ends because each round uses a further variable or constraint.
    loop {
        let before = (used.len(), kept.len());
        for (position, cut) in formula.loops.iter().enumerate() {
            for (number, variable) in cut.variables.iter().enumerate() {
                let base = base_variable(&formula.terms, variable.before);
                if cone.seen[base.index()] && used.insert((position, number)) {
                    cone.add(&formula.terms, &roots_of(cut, variable));
                }
            }
        }
        for (position, constraint) in constraints.iter().enumerate() {
            if cone.seen[constraint.subject.index()] && kept.insert(position) {
                cone.add(&formula.terms, &[constraint.fact]);
            }
        }
        if before == (used.len(), kept.len()) {
            break;
        }
    }
    formula.constraints = kept.iter().map(|&position| constraints[position].fact).collect();
    formula.constraints.sort_unstable();
    formula.constraints.dedup();
    for (position, cut) in formula.loops.iter_mut().enumerate() {
        keep(cut, |number| used.contains(&(position, number)));
    }
    formula
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
