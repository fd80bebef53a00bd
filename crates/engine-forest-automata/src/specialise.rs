//! Specialising: a state that is given the same thing twice, or a constant, becomes one that is given it once.
//!
//! So a block that knows its parent and the root is given one thing where the parent is the root, and two elsewhere.
//! Without this, equal blocks would have states that differ in what they are given.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_base::IdVec;
use heapwright_forest_text::{
    Automaton, Base, BlockId, Cell, Known, Parameter, Rule, State, StateId, Term, Value,
};

use crate::abstraction::Component;

/// States of an automaton after this.
const MOST_STATES: usize = 300;

/// What each parameter of a state is, in terms of what is left of them.
type Pattern = Vec<Value<Known>>;

/// The same component, whose top is this block, without things that are given twice. If there are too many ways to
/// give things, it stays as it is.
pub(crate) fn specialised(component: Component, own: BlockId) -> Component {
    let states = &component.automaton.states;
    let parameters = &states[component.state].parameters;
    let (arguments, pattern) =
        grouped(parameters, &component.arguments, |base| base == Base::Block(own));
    let mut work = Work { states, made: IdVec::new(), known: BTreeMap::new(), pending: Vec::new() };
    let state = work.state(component.state, pattern);
    while let Some((of, pattern, into)) = work.pending.pop() {
        if work.made.len() > MOST_STATES {
            return component;
        }
        let rules: BTreeSet<Rule> =
            states[of].rules.iter().map(|rule| work.rule(rule, &pattern)).collect();
        work.made[into].rules = rules;
    }
    Component { automaton: Automaton { states: work.made }, state, arguments }
}

struct Work<'w> {
    states: &'w IdVec<StateId, State>,
    made: IdVec<StateId, State>,
    known: BTreeMap<(StateId, Pattern), StateId>,
    pending: Vec<(StateId, Pattern, StateId)>,
}

impl Work<'_> {
    /// The state for another one with this pattern.
    fn state(&mut self, of: StateId, pattern: Pattern) -> StateId {
        if let Some(known) = self.known.get(&(of, pattern.clone())) {
            return *known;
        }
        let original = &self.states[of];
        let mut parameters: BTreeMap<usize, Parameter> = BTreeMap::new();
        for (parameter, value) in original.parameters.iter().zip(&pattern) {
            if let Value::To(Known::Parameter(index), _) = value {
                parameters.insert(*index, *parameter);
            }
        }
        let parameters = parameters.into_values().collect();
        let into = self.made.push(State { parameters, rules: BTreeSet::new(), ..original.clone() });
        self.known.insert((of, pattern.clone()), into);
        self.pending.push((of, pattern, into));
        into
    }

    fn rule(&mut self, rule: &Rule, pattern: &Pattern) -> Rule {
        let renamed = |value: &Value<Known>| {
            value.renamed(|known| match known {
                Known::Parameter(index) => pattern[index],
                Known::Own | Known::Kid(_) => Value::To(known, 0),
            })
        };
        let mut found = Rule::new();
        for (offset, cell) in rule {
            let holds = match &cell.holds {
                Term::Value(value) => Term::Value(renamed(value)),
                Term::Hole { parameter, ups, by } => {
                    let Value::To(Known::Parameter(parameter), _) = pattern[*parameter] else {
                        panic!("a hole is a parameter");
                    };
                    Term::Hole { parameter, ups: ups.iter().map(renamed).collect(), by: *by }
                }
                Term::Tree { state, arguments, by } => {
                    let given: Vec<Value<Known>> = arguments.iter().map(renamed).collect();
                    let parameters = &self.states[*state].parameters;
                    let is_kid = |known| known == Known::Kid(*offset);
                    let (arguments, below) = grouped(parameters, &given, is_kid);
                    Term::Tree { state: self.state(*state, below), arguments, by: *by }
                }
            };
            if holds != Term::Value(Value::Any) {
                found.insert(*offset, Cell { width: cell.width, holds });
            }
        }
        found
    }
}

/// Different arguments, and what each parameter is then. What is the state's own block is known to it anyway.
fn grouped<B: Copy + PartialEq>(
    parameters: &[Parameter],
    given: &[Value<B>],
    is_own: impl Fn(B) -> bool,
) -> (Vec<Value<B>>, Pattern) {
    // Holes come first, so that equal blocks are given things in one order.
    let holes = parameters.iter().zip(given).filter(|it| *it.0 != Parameter::Plain);
    let mut arguments: Vec<(Value<B>, Parameter)> = holes.map(|it| (*it.1, *it.0)).collect();
    let mut pattern = Pattern::new();
    let mut holes = 0;
    for (parameter, value) in parameters.iter().zip(given) {
        if *parameter != Parameter::Plain {
            pattern.push(Value::To(Known::Parameter(holes), 0));
            holes += 1;
            continue;
        }
        let Value::To(base, by) = *value else {
            pattern.push(value.renamed(|_| Value::Any));
            continue;
        };
        if is_own(base) {
            pattern.push(Value::To(Known::Own, by));
            continue;
        }
        let same = (Value::To(base, 0), Parameter::Plain);
        let known = arguments.iter().position(|it| *it == same);
        let index = known.unwrap_or_else(|| {
            arguments.push(same);
            arguments.len() - 1
        });
        pattern.push(Value::To(Known::Parameter(index), by));
    }
    (arguments.into_iter().map(|it| it.0).collect(), pattern)
}
