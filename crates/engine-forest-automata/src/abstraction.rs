//! Abstraction: states of an automaton become one if their blocks look alike, to some height.
//!
//! The top of a tree stays apart. What blocks look like: their size, what their states are given, which cells
//! hold pointers and which numbers. With height 2, also what their kids look like, and so on. The states of the
//! result are in an order that depends on these looks alone, so that equal sets of trees mostly are equal values.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_base::{DenseId, IdVec};
use heapwright_forest_text::{
    Automaton, Cell, Known, Parameter, Rule, State, StateId, Term, Value,
};

use crate::value::Held;

/// A tree of a forest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Component {
    pub(crate) automaton: Automaton,
    pub(crate) state: StateId,
    pub(crate) arguments: Vec<Held>,
}

/// What a cell of a block looks like.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Look {
    Pointer,
    Constant(Value<Known>),
}

pub(crate) type Looks = Vec<(u64, u64, Look)>;

/// What the cells of a rule look like.
pub(crate) fn looks(rule: &Rule) -> Looks {
    let look = |cell: &Cell<Term>| match &cell.holds {
        Term::Value(Value::Bits(0)) if cell.width >= 4 => Look::Pointer,
        Term::Value(value @ (Value::Bits(_) | Value::Function(_))) => Look::Constant(*value),
        Term::Value(Value::Any | Value::Object(..) | Value::To(..)) => Look::Pointer,
        Term::Tree { .. } | Term::Hole { .. } => Look::Pointer,
    };
    rule.iter().map(|(offset, cell)| (*offset, cell.width, look(cell))).collect()
}

/// Which states become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Likeness {
    /// Blocks that look alike to this height.
    pub(crate) height: usize,
    /// Blocks whose distances from the top leave the same remainder when divided by this.
    pub(crate) period: usize,
    pub(crate) ways: Ways,
}

/// Whether blocks differ that words at different offsets lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ways {
    Same,
    Different,
}

/// Where in a tree a block is: how far below the top, divided by the period, and the offset of the word that leads to it.
type Whereabouts = (usize, Option<u64>);

/// A coarser component, whose top is its first state.
pub(crate) fn abstracted(component: Component, likeness: Likeness) -> Component {
    let component = without_unused(with_own_top(component));
    let (component, places) = by_place(component, likeness);
    let reached = reached(&component.automaton, component.state);
    let classes = classes(&component, (&reached, &places), likeness.height);
    let mut states: IdVec<StateId, State> = IdVec::new();
    let mut members: Vec<(usize, StateId)> =
        classes.iter().map(|(id, class)| (*class, *id)).collect();
    members.sort_unstable();
    for (class, member) in members {
        let state = &component.automaton.states[member];
        let rules = state.rules.iter().map(|rule| {
            let mut rule = rule.clone();
            for cell in rule.values_mut() {
                if let Term::Tree { state, .. } = &mut cell.holds {
                    *state = StateId::from_index(classes[state]);
                }
            }
            rule
        });
        match states.len() == class {
            true => {
                states.push(State { rules: rules.collect(), ..state.clone() });
            }
            false => states[StateId::from_index(class)].rules.extend(rules),
        }
    }
    let (automaton, state) = (Automaton { states }, StateId::from_index(0));
    Component { automaton, state, arguments: component.arguments }
}

/// The same component without states that its top does not lead to, in the order in which it leads to them.
pub(crate) fn trimmed(component: Component) -> Component {
    let Component { mut automaton, state: top, arguments } = component;
    let mut numbers = BTreeMap::from([(top, StateId::from_index(0))]);
    let mut order = VecDeque::from([top]);
    let mut states = IdVec::new();
    while let Some(id) = order.pop_front() {
        let state = &mut automaton.states[id];
        let rules = std::mem::take(&mut state.rules).into_iter().map(|mut rule| {
            for cell in rule.values_mut() {
                if let Term::Tree { state, .. } = &mut cell.holds {
                    let next = StateId::from_index(numbers.len());
                    *state = *numbers.entry(*state).or_insert_with_key(|state| {
                        order.push_back(*state);
                        next
                    });
                }
            }
            rule
        });
        let rules = rules.collect();
        let parameters = std::mem::take(&mut state.parameters);
        states.push(State { parameters, rules, ..*state });
    }
    Component { automaton: Automaton { states }, state: StateId::from_index(0), arguments }
}

/// One that stands for the trees of both, whose tops look alike.
pub(crate) fn joined(one: &Component, other: &Component, likeness: Likeness) -> Component {
    let mut states: IdVec<StateId, State> = one.automaton.states.iter().cloned().collect();
    let by = states.len();
    for state in &other.automaton.states {
        states.push(crate::fold::shifted(state, by));
    }
    let top = StateId::from_index(other.state.index() + by);
    let more = states[top].rules.clone();
    states[one.state].rules.extend(more);
    let automaton = Automaton { states };
    let both = Component { automaton, state: one.state, arguments: one.arguments.clone() };
    let joined = abstracted(both, likeness);
    debug_assert!(joined.automaton.is_sound(), "{:?}", joined.automaton);
    joined
}

/// The top gets a state of its own, which nothing below leads to.
fn with_own_top(mut component: Component) -> Component {
    let top = component.automaton.states[component.state].clone();
    component.state = component.automaton.states.push(top);
    component
}

/// The same trees by states that know where in a tree they are, as far as that matters; with what they know.
fn by_place(
    component: Component,
    likeness: Likeness,
) -> (Component, BTreeMap<StateId, Whereabouts>) {
    let Likeness { period, ways, .. } = likeness;
    if period < 2 && ways == Ways::Same {
        return (component, BTreeMap::new());
    }
    let Component { automaton, state: top, arguments } = component;
    let mut states: IdVec<StateId, State> = IdVec::new();
    let first: (StateId, Whereabouts) = (top, (0, None));
    let mut numbers = BTreeMap::from([(first, StateId::from_index(0))]);
    let mut order = VecDeque::from([first]);
    while let Some((id, (distance, _))) = order.pop_front() {
        let state = &automaton.states[id];
        let rules = state.rules.iter().map(|rule| {
            let mut rule = rule.clone();
            for (offset, cell) in &mut rule {
                if let Term::Tree { state, .. } = &mut cell.holds {
                    let way = (ways == Ways::Different).then_some(*offset);
                    let next = StateId::from_index(numbers.len());
                    let place = (*state, ((distance + 1) % period, way));
                    *state = *numbers.entry(place).or_insert_with_key(|key| {
                        order.push_back(*key);
                        next
                    });
                }
            }
            rule
        });
        let rules = rules.collect();
        states.push(State { rules, ..state.clone() });
    }
    let places = numbers.into_iter().map(|((_, place), id)| (id, place)).collect();
    let state = StateId::from_index(0);
    (Component { automaton: Automaton { states }, state, arguments }, places)
}

fn reached(automaton: &Automaton, top: StateId) -> BTreeSet<StateId> {
    let mut reached = BTreeSet::from([top]);
    let mut pending = vec![top];
    while let Some(state) = pending.pop() {
        for cell in automaton.states[state].rules.iter().flat_map(|rule| rule.values()) {
            if let Term::Tree { state, .. } = &cell.holds
                && reached.insert(*state)
            {
                pending.push(*state);
            }
        }
    }
    reached
}

/// The class of each state, numbered from 0, which is the top alone.
fn classes(
    component: &Component,
    (reached, places): (&BTreeSet<StateId>, &BTreeMap<StateId, Whereabouts>),
    height: usize,
) -> BTreeMap<StateId, usize> {
    let states = &component.automaton.states;
    let first = |id: &StateId| {
        let state = &states[*id];
        let looks: BTreeSet<Looks> = state.rules.iter().map(looks).collect();
        let place = places.get(id);
        (*id != component.state, place, (state.size, state.sort), &state.parameters, looks)
    };
    let mut classes = numbered(reached, first);
    for _ in 1..height {
        let outline = |id: &StateId| {
            let below = |term: &Term| match term {
                Term::Tree { state, .. } => Some((classes[state], None)),
                Term::Value(value) => Some((0, Some(*value))),
                Term::Hole { .. } => None,
            };
            let outline =
                |rule: &Rule| -> Vec<_> { rule.values().map(|cell| below(&cell.holds)).collect() };
            let outlines: BTreeSet<Vec<_>> = states[*id].rules.iter().map(outline).collect();
            (classes[id], outlines)
        };
        classes = numbered(reached, outline);
    }
    classes
}

/// Classes of equal keys, in the order of keys.
fn numbered<K: Ord>(
    states: &BTreeSet<StateId>,
    key: impl Fn(&StateId) -> K,
) -> BTreeMap<StateId, usize> {
    let mut keyed: Vec<(K, StateId)> = states.iter().map(|id| (key(id), *id)).collect();
    keyed.sort_unstable();
    let mut numbers = BTreeMap::new();
    let mut number = 0;
    for (index, (key, id)) in keyed.iter().enumerate() {
        number += usize::from(index > 0 && *key != keyed[index - 1].0);
        numbers.insert(*id, number);
    }
    numbers
}

/// Drops parameters that no rule uses.
fn without_unused(component: Component) -> Component {
    let used = used_parameters(&component.automaton);
    if used.iter().flatten().all(|is_used| *is_used) {
        return component;
    }
    let Component { automaton, state: top, arguments } = component;
    let index_of = |state: StateId, index: usize| {
        used[state][..index].iter().filter(|is_used| **is_used).count()
    };
    let keep = |state: StateId, values: &mut Vec<Value<Known>>| {
        let mut flags = used[state].iter();
        values.retain(|_| *flags.next().expect("one for each"));
    };
    let mut states = IdVec::new();
    for id in automaton.states.ids() {
        let state = &automaton.states[id];
        let renamed = |value: &mut Value<Known>| {
            if let Value::To(Known::Parameter(index), _) = value {
                *index = index_of(id, *index);
            }
        };
        let rules = state.rules.iter().map(|rule| {
            let mut rule = rule.clone();
            for cell in rule.values_mut() {
                match &mut cell.holds {
                    Term::Value(value) => renamed(value),
                    Term::Tree { state, arguments, .. } => {
                        keep(*state, arguments);
                        arguments.iter_mut().for_each(renamed);
                    }
                    Term::Hole { parameter, ups, .. } => {
                        *parameter = index_of(id, *parameter);
                        ups.iter_mut().for_each(renamed);
                    }
                }
            }
            rule
        });
        let rules = rules.collect();
        let flags = used[id].iter();
        let parameters = state.parameters.iter().zip(flags).filter(|it| *it.1).map(|it| *it.0);
        states.push(State { parameters: parameters.collect(), rules, ..state.clone() });
    }
    let flags = used[top].iter();
    let arguments = arguments.into_iter().zip(flags).filter(|it| *it.1).map(|it| it.0).collect();
    Component { automaton: Automaton { states }, state: top, arguments }
}

/// Which parameters some rule uses, there or further down.
fn used_parameters(automaton: &Automaton) -> IdVec<StateId, Vec<bool>> {
    let holes = |state: &State| state.parameters.iter().map(|it| *it != Parameter::Plain).collect();
    let mut used: IdVec<StateId, Vec<bool>> = automaton.states.iter().map(holes).collect();
    // Ends because flags are only set.
    loop {
        let mut is_changed = false;
        for (id, state) in automaton.states.enumerated() {
            for cell in state.rules.iter().flat_map(|rule| rule.values()) {
                let (values, below): (&[Value<Known>], _) = match &cell.holds {
                    Term::Value(value) => (std::slice::from_ref(value), None),
                    Term::Hole { ups, .. } => (ups, None),
                    Term::Tree { state, arguments, .. } => (arguments, Some(*state)),
                };
                for (at, value) in values.iter().enumerate() {
                    if let Value::To(Known::Parameter(index), _) = *value
                        && below.is_none_or(|below| used[below][at])
                    {
                        is_changed |= !std::mem::replace(&mut used[id][index], true);
                    }
                }
            }
        }
        if !is_changed {
            return used;
        }
    }
}
