//! Reworking: states on the way from the top of a tree to a hole get twins in which the hole is something else.

use std::collections::BTreeMap;

use heapwright_forest_text::{Automaton, Known, Parameter, Rule, StateId, Term, Value, hole_in};

type Arguments<'a> = &'a [Value<Known>];
type AtHole<'r> = &'r dyn Fn(Arguments<'_>, i64, usize) -> Vec<Term>;
type Instead<'r> = &'r dyn Fn((StateId, usize), Arguments<'_>, i64, usize) -> Vec<Term>;

/// What becomes of a hole.
pub(crate) struct Rework<'r> {
    /// What the hole's parameter becomes.
    pub(crate) becomes: Parameter,
    /// Further parameters of the states on the way, behind those that they have.
    pub(crate) further: &'r [Parameter],
    /// What is in the place of the hole: given what it is told, its displacement, and the index of the first
    /// further parameter.
    pub(crate) at_hole: AtHole<'r>,
    /// What else may be in the place of a tree on the way: given its state and its parameter for the hole, its
    /// arguments, its displacement, and the parameter of the state above.
    pub(crate) instead: Instead<'r>,
}

impl Rework<'_> {
    /// Adds the twins, and gives that of the state at the top.
    pub(crate) fn apply(&self, automaton: &mut Automaton, top: StateId, hole: usize) -> StateId {
        let mut twins: BTreeMap<(StateId, usize), StateId> = BTreeMap::new();
        let mut pending = Vec::new();
        let first = self.twin(automaton, (top, hole), &mut twins, &mut pending);
        while let Some((state, hole)) = pending.pop() {
            let rules: Vec<Rule> = automaton.states[state].rules.iter().cloned().collect();
            let known = automaton.states[state].parameters.len();
            for rule in rules {
                let Some((offset, terms)) =
                    self.terms(automaton, (&rule, hole, known), &mut twins, &mut pending)
                else {
                    continue;
                };
                for term in terms {
                    let mut twin = rule.clone();
                    twin.get_mut(&offset).expect("it is there").holds = term;
                    automaton.states[twins[&(state, hole)]].rules.insert(twin);
                }
            }
        }
        drop_empty(automaton);
        first
    }

    fn twin(
        &self,
        automaton: &mut Automaton,
        of: (StateId, usize),
        twins: &mut BTreeMap<(StateId, usize), StateId>,
        pending: &mut Vec<(StateId, usize)>,
    ) -> StateId {
        if let Some(twin) = twins.get(&of) {
            return *twin;
        }
        let mut twin = automaton.states[of.0].clone();
        twin.rules.clear();
        twin.parameters[of.1] = self.becomes;
        twin.parameters.extend(self.further);
        let twin = automaton.states.push(twin);
        twins.insert(of, twin);
        pending.push(of);
        twin
    }

    /// Where the hole is in a rule, and what may be there now.
    fn terms(
        &self,
        automaton: &mut Automaton,
        (rule, hole, known): (&Rule, usize, usize),
        twins: &mut BTreeMap<(StateId, usize), StateId>,
        pending: &mut Vec<(StateId, usize)>,
    ) -> Option<(u64, Vec<Term>)> {
        for (offset, cell) in rule {
            match &cell.holds {
                Term::Hole { parameter, ups, by } if *parameter == hole => {
                    return Some((*offset, (self.at_hole)(ups, *by, known)));
                }
                Term::Tree { state, arguments, by } => {
                    let Some(below) = hole_in(automaton, *state, arguments, hole) else { continue };
                    let mut terms = (self.instead)((*state, below), arguments, *by, hole);
                    let twin = self.twin(automaton, (*state, below), twins, pending);
                    let more = (0..self.further.len())
                        .map(|index| Value::To(Known::Parameter(known + index), 0));
                    let arguments = arguments.iter().copied().chain(more).collect();
                    terms.push(Term::Tree { state: twin, arguments, by: *by });
                    return Some((*offset, terms));
                }
                Term::Value(_) | Term::Hole { .. } => {}
            }
        }
        None
    }
}

/// Drops rules with trees of which there are none. Ends because each round drops some.
fn drop_empty(automaton: &mut Automaton) {
    loop {
        let empty: Vec<StateId> =
            automaton.states.ids().filter(|id| automaton.states[*id].rules.is_empty()).collect();
        let mut is_changed = false;
        for state in automaton.states.iter_mut() {
            let before = state.rules.len();
            state.rules.retain(|rule| {
                !rule.values().any(
                    |cell| matches!(&cell.holds, Term::Tree { state, .. } if empty.contains(state)),
                )
            });
            is_changed |= state.rules.len() < before;
        }
        if !is_changed {
            return;
        }
    }
}
