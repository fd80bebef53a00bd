//! Reworking: states on the way from the top of a tree to a hole get twins in which the hole is something else.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_forest_text::{Automaton, Known, Parameter, Rule, StateId, Term, Value, hole_in};

type Arguments<'a> = &'a [Value<Known>];
type AtHole<'r> = &'r dyn Fn(usize, Arguments<'_>, i64, Arguments<'_>) -> Vec<Term>;
type Instead<'r> = &'r dyn Fn((StateId, usize), Arguments<'_>, i64, usize) -> Vec<Term>;

/// A parameter that states on the way to the hole get, behind those that they have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Further {
    pub(crate) sort: Parameter,
    /// It is what another hole of the top leads to: then it is given from where the link to that is on.
    pub(crate) beside: Option<usize>,
}

/// What becomes of a hole.
pub(crate) struct Rework<'r> {
    /// What the hole's parameter becomes.
    pub(crate) becomes: Parameter,
    pub(crate) further: &'r [Further],
    /// What is in the place of the hole: given its parameter, what it is told, its displacement, and the further values.
    pub(crate) at_hole: AtHole<'r>,
    /// What else may be in the place of a tree on the way: given its state and its parameter for the hole, its
    /// arguments, its displacement, and the parameter of the state above.
    pub(crate) instead: Instead<'r>,
}

/// A state on the way, with its parameter for the hole, and those beside which further values are still found.
type Place = (StateId, usize, Vec<Option<usize>>);

struct Twins {
    known: BTreeMap<Place, StateId>,
    pending: Vec<Place>,
}

impl Rework<'_> {
    /// Adds the twins, and gives that of the state at the top. `None`: a further value cannot be given in some rule.
    pub(crate) fn apply(
        &self,
        automaton: &mut Automaton,
        top: StateId,
        hole: usize,
    ) -> Option<StateId> {
        let mut twins = Twins { known: BTreeMap::new(), pending: Vec::new() };
        let beside = self.further.iter().map(|further| further.beside).collect();
        let first = self.twin(automaton, (top, hole, beside), &mut twins);
        while let Some(place) = twins.pending.pop() {
            let rules: Vec<Rule> = automaton.states[place.0].rules.iter().cloned().collect();
            for rule in rules {
                let (offset, terms) = self.terms(automaton, &rule, &place, &mut twins)?;
                for term in terms {
                    let mut twin = rule.clone();
                    twin.get_mut(&offset).expect("it is there").holds = term;
                    automaton.states[twins.known[&place]].rules.insert(twin);
                }
            }
        }
        drop_empty(automaton);
        Some(first)
    }

    fn twin(&self, automaton: &mut Automaton, place: Place, twins: &mut Twins) -> StateId {
        if let Some(twin) = twins.known.get(&place) {
            return *twin;
        }
        let mut twin = automaton.states[place.0].clone();
        twin.rules.clear();
        twin.parameters[place.1] = self.becomes;
        let given = self.further.iter().zip(&place.2).filter(|(_, beside)| beside.is_none());
        twin.parameters.extend(given.map(|(further, _)| further.sort));
        let twin = automaton.states.push(twin);
        twins.known.insert(place.clone(), twin);
        twins.pending.push(place);
        twin
    }

    /// Where the hole is in a rule, and what may be there now.
    fn terms(
        &self,
        automaton: &mut Automaton,
        rule: &Rule,
        place: &Place,
        twins: &mut Twins,
    ) -> Option<(u64, Vec<Term>)> {
        let (of, hole, beside) = place;
        let known = automaton.states[*of].parameters.len();
        let given = |index: usize| beside[..index].iter().filter(|it| it.is_none()).count();
        // What a further value is here: a parameter, or what the link to the hole beside leads to.
        let value = |index: usize| match beside[index] {
            None => Some(Value::To(Known::Parameter(known + given(index)), 0)),
            Some(other) => Some(Value::To(Known::Kid(link_to(rule, other)?), 0)),
        };
        let all: Vec<Option<Value<Known>>> = (0..beside.len()).map(value).collect();
        for (offset, cell) in rule {
            match &cell.holds {
                Term::Hole { parameter, ups, by } if parameter == hole => {
                    let values: Vec<Value<Known>> = all.into_iter().collect::<Option<_>>()?;
                    return Some((*offset, (self.at_hole)(*parameter, ups, *by, &values)));
                }
                Term::Tree { state, arguments, by } => {
                    let Some(below) = hole_in(automaton, *state, arguments, *hole) else {
                        continue;
                    };
                    let mut terms = (self.instead)((*state, below), arguments, *by, *hole);
                    let down = Down { automaton, state: *state, arguments, hole: below };
                    let next: Vec<Option<usize>> = (0..beside.len())
                        .map(|index| down.beside(beside[index], all[index]))
                        .collect::<Option<_>>()?;
                    let more = all.iter().zip(&next).filter(|it| it.1.is_none());
                    let more = more.filter_map(|it| *it.0);
                    let arguments = arguments.iter().copied().chain(more).collect();
                    let twin = self.twin(automaton, (*state, below, next), twins);
                    terms.push(Term::Tree { state: twin, arguments, by: *by });
                    return Some((*offset, terms));
                }
                Term::Value(_) | Term::Hole { .. } => {}
            }
        }
        None
    }
}

/// A tree on the way.
struct Down<'d> {
    automaton: &'d Automaton,
    state: StateId,
    arguments: Arguments<'d>,
    hole: usize,
}

impl Down<'_> {
    /// Beside which hole of the tree a further value is found: the tree may have a hole for the same block, with a link
    /// nearer to where the value is needed. `Some(None)`: it is given to the tree.
    fn beside(&self, above: Option<usize>, value: Option<Value<Known>>) -> Option<Option<usize>> {
        match (above, value) {
            (Some(other), None) => {
                hole_in(self.automaton, self.state, self.arguments, other).map(Some)
            }
            (Some(_), Some(value)) => {
                let parameters = self.automaton.states[self.state].parameters.iter();
                let mut both = parameters.zip(self.arguments);
                let same = both.position(|(it, to)| *it != Parameter::Plain && *to == value);
                let is_found =
                    |same: &usize| lies_beside(self.automaton, self.state, (*same, self.hole));
                Some(same.filter(is_found))
            }
            (None, _) => Some(None),
        }
    }
}

/// The cell with the link to a hole.
fn link_to(rule: &Rule, hole: usize) -> Option<u64> {
    let is_link = |term: &Term| matches!(term, Term::Hole { parameter, .. } if *parameter == hole);
    rule.iter().find(|(_, cell)| is_link(&cell.holds)).map(|(offset, _)| *offset)
}

/// Whether in every tree the block with the link to one hole is on the way to another: then what hangs in this one can
/// be given what the first leads to.
pub(crate) fn lies_beside(
    automaton: &Automaton,
    top: StateId,
    (named, hole): (usize, usize),
) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![(top, named, hole)];
    while let Some(place @ (state, named, hole)) = pending.pop() {
        if !seen.insert(place) {
            continue;
        }
        for rule in automaton.states[state].rules.iter() {
            if link_to(rule, named).is_some() {
                continue;
            }
            let both = rule.values().find_map(|cell| match &cell.holds {
                Term::Tree { state, arguments, .. } => {
                    let named = hole_in(automaton, *state, arguments, named)?;
                    Some((*state, named, hole_in(automaton, *state, arguments, hole)?))
                }
                Term::Value(_) | Term::Hole { .. } => None,
            });
            match both {
                Some(below) => pending.push(below),
                None => return false,
            }
        }
    }
    true
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
