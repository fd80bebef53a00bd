//! Automata from blocks: an open block becomes a state with one rule, a closed one brings its own states.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_forest_text::{
    Automaton, Base, BlockId, Body, Cell, Known, Parameter, Rule, State, StateId, Term, Value,
};

use crate::abstraction::Component;
use crate::alarm::Doubt;
use crate::fold::plan::{Link, Need, Plan, Sort};
use crate::rework::{Further, Rework};
use crate::value::Held;

/// The tree of a cut point.
pub(crate) fn build(plan: &Plan<'_>, cut: BlockId) -> Result<Component, Doubt> {
    let mut builder = Builder { plan, automaton: Automaton::default(), imported: BTreeMap::new() };
    let (state, arguments) = builder.tree(cut, 0)?;
    // What holds the cut point tells it.
    let told = |value: Held| {
        value.renamed(|base| {
            let up = plan.ups(cut).iter().position(|up| *up == base);
            Value::To(up.map_or(base, |up| Base::Up(cut, up)), 0)
        })
    };
    let parameters = builder.automaton.states[state].parameters.iter();
    let argument = |(parameter, value): (&Parameter, Held)| match parameter {
        Parameter::Plain => told(value),
        Parameter::Hole { .. } => value,
    };
    let arguments = parameters.zip(arguments).map(argument).collect();
    Ok(Component { automaton: builder.automaton, state, arguments })
}

struct Builder<'b, 'f> {
    plan: &'b Plan<'f>,
    automaton: Automaton,
    /// Where the states of other automata are, by address.
    imported: BTreeMap<usize, usize>,
}

/// Links from a cut point down that are followed.
const MOST_DEPTH: usize = 60;

/// Where an argument of a tree in a hole comes from.
#[derive(Clone, Copy)]
enum Filling {
    Told(usize, i64),
    Further(usize),
    Constant(Value<Known>),
}

impl Builder<'_, '_> {
    /// The state of a block, and what it is given.
    fn tree(&mut self, block: BlockId, depth: usize) -> Result<(StateId, Vec<Held>), Doubt> {
        if depth > MOST_DEPTH {
            return Err(Doubt::not_carried("so many blocks apart"));
        }
        match &self.plan.forest.blocks[&block] {
            Body::Open { size, sort, cells } => {
                let plan = self.plan;
                let mut rule = Rule::new();
                for (offset, cell) in cells {
                    let holds = self.term(block, *offset, cell.holds, depth)?;
                    rule.insert(*offset, Cell { width: cell.width, holds });
                }
                let needs = plan.needs(block);
                let parameter = |(base, sort): &(Base, Sort)| match (sort, base) {
                    (Sort::Hole, Base::Block(held)) => {
                        Parameter::Hole { ups: plan.count_ups(block, *held) }
                    }
                    (Sort::Plain | Sort::Hole, _) => Parameter::Plain,
                };
                let parameters = needs.iter().map(parameter).collect();
                let state = State { size: *size, sort: *sort, parameters, rules: [rule].into() };
                let arguments = needs.iter().map(|(base, _)| Value::To(*base, 0)).collect();
                Ok((self.automaton.states.push(state), arguments))
            }
            Body::Closed { automaton, state, arguments } => {
                let state = self.import(automaton, *state);
                let state = self.plain_holes(block, state)?;
                self.fill_holes(block, state, arguments.clone(), depth)
            }
        }
    }

    fn term(
        &mut self,
        block: BlockId,
        offset: u64,
        held: Held,
        depth: usize,
    ) -> Result<Term, Doubt> {
        let plan = self.plan;
        let kids = plan.kids(block);
        let known = |base: Base| known(plan, block, &kids, base);
        let seconds = plan.seconds.kids(block);
        if let (Some(kid), Value::To(_, by)) = (seconds.get(&offset), held) {
            let parameter = position(plan, block, Base::Block(*kid), Sort::Hole);
            return Ok(Term::Hole { parameter, ups: Vec::new(), by });
        }
        let (Some(kid), Value::To(_, by)) = (kids.get(&offset), held) else {
            return Ok(Term::Value(held.renamed(known)));
        };
        if plan.is_cut(*kid) {
            let parameter = position(plan, block, Base::Block(*kid), Sort::Hole);
            let ups = plan.ups(*kid).iter().map(|up| known(*up)).collect();
            return Ok(Term::Hole { parameter, ups, by });
        }
        let (state, arguments) = self.tree(*kid, depth + 1)?;
        let parameters = self.automaton.states[state].parameters.iter();
        let argument = |(parameter, value): (&Parameter, Held)| match (parameter, value) {
            (Parameter::Hole { .. }, Value::To(base, _)) => {
                let mut named = kids.iter().chain(&seconds);
                let known = match named.find(|(_, kid)| base == Base::Block(**kid)) {
                    Some((offset, _)) => Known::Kid(*offset),
                    None => Known::Parameter(position(plan, block, base, Sort::Hole)),
                };
                Value::To(known, 0)
            }
            (Parameter::Plain | Parameter::Hole { .. }, value) => value.renamed(known),
        };
        let arguments = parameters.zip(arguments).map(argument).collect();
        Ok(Term::Tree { state, arguments, by })
    }

    /// Adds the states of another automaton, once.
    fn import(&mut self, automaton: &Arc<Automaton>, state: StateId) -> StateId {
        let next = self.automaton.states.len();
        let address = Arc::as_ptr(automaton) as usize;
        let start = *self.imported.entry(address).or_insert(next);
        if start == next {
            for state in &automaton.states {
                self.automaton.states.push(shifted(state, start));
            }
        }
        StateId::from_index(state.index() + start)
    }

    /// Holes that cannot be handed on become plain parameters.
    fn plain_holes(&mut self, block: BlockId, mut state: StateId) -> Result<StateId, Doubt> {
        for (hole, _) in self.plan.forest.blocks[&block].holes() {
            if !self.plan.seconds.is_plain(Link::Hole(block, hole)) {
                continue;
            }
            state = with_plain(&mut self.automaton, state, hole)?;
        }
        Ok(state)
    }

    /// Blocks in holes that are no cut points become parts of the tree; first those that are given what other holes lead
    /// to.
    fn fill_holes(
        &mut self,
        block: BlockId,
        mut state: StateId,
        mut arguments: Vec<Held>,
        depth: usize,
    ) -> Result<(StateId, Vec<Held>), Doubt> {
        let plan = self.plan;
        let mut holes = plan.forest.blocks[&block].holes();
        holes.retain(|(hole, held)| plan.fills(block, *hole, *held));
        holes.sort_by_key(|(hole, held)| {
            let is_beside = |need: &Need| plan.beside(block, *hole, need.0).is_some();
            !plan.needs(*held).iter().any(is_beside)
        });
        for (hole, held) in holes {
            let (below, given) = self.tree(held, depth + 1)?;
            let mut further: Vec<Further> = Vec::new();
            let mut fillings = Vec::new();
            for (index, value) in given.iter().enumerate() {
                let sort = self.automaton.states[below].parameters[index];
                fillings.push(match value {
                    Value::To(Base::Up(of, up), by) if *of == held => Filling::Told(*up, *by),
                    Value::To(base, _) => {
                        let beside = match sort {
                            Parameter::Hole { .. } => plan.beside(block, hole, *base),
                            Parameter::Plain => None,
                        };
                        if beside.is_none() {
                            arguments.push(*value);
                        }
                        further.push(Further { sort, beside });
                        Filling::Further(further.len() - 1)
                    }
                    _ => Filling::Constant(value.renamed(|_| Value::Any)),
                });
            }
            let rework = Rework {
                becomes: Parameter::Plain,
                further: &further,
                at_hole: &|_, ups, by, values| {
                    let argument = |filling: &Filling| match filling {
                        Filling::Told(up, by) => ups[*up].moved(*by),
                        Filling::Further(index) => values[*index],
                        Filling::Constant(value) => *value,
                    };
                    let arguments = fillings.iter().map(argument).collect();
                    vec![Term::Tree { state: below, arguments, by }]
                },
                instead: &|_, _, _, _| Vec::new(),
            };
            let filled = rework.apply(&mut self.automaton, state, hole);
            state = filled.ok_or_else(|| Doubt::not_carried("links between parts of a tree"))?;
            arguments[hole] = Value::Any;
        }
        Ok((state, arguments))
    }
}

/// The state in which a hole is a plain parameter.
pub(super) fn with_plain(
    automaton: &mut Automaton,
    state: StateId,
    hole: usize,
) -> Result<StateId, Doubt> {
    let rework = Rework {
        becomes: Parameter::Plain,
        further: &[],
        at_hole: &|parameter, _, by, _| {
            vec![Term::Value(Value::To(Known::Parameter(parameter), by))]
        },
        instead: &|_, _, _, _| Vec::new(),
    };
    let plain = rework.apply(automaton, state, hole);
    plain.ok_or_else(|| Doubt::not_carried("links between parts of a tree"))
}

/// How a block knows a base.
fn known(
    plan: &Plan<'_>,
    block: BlockId,
    kids: &BTreeMap<u64, BlockId>,
    base: Base,
) -> Value<Known> {
    let seconds = plan.seconds.kids(block);
    let kid = kids.iter().chain(&seconds).find(|(_, kid)| base == Base::Block(**kid));
    let known = match kid {
        _ if base == Base::Block(block) => Known::Own,
        Some((offset, _)) => Known::Kid(*offset),
        None => Known::Parameter(position(plan, block, base, Sort::Plain)),
    };
    Value::To(known, 0)
}

fn position(plan: &Plan<'_>, block: BlockId, base: Base, sort: Sort) -> usize {
    let found = plan.needs(block).iter().position(|need| *need == (base, sort));
    found.unwrap_or_else(|| panic!("{block} does not know {base:?}"))
}

/// A state whose numbers begin later.
pub(crate) fn shifted(state: &State, by: usize) -> State {
    let mut shifted = state.clone();
    shifted.rules = state
        .rules
        .iter()
        .map(|rule| {
            let mut rule = rule.clone();
            for cell in rule.values_mut() {
                if let Term::Tree { state, .. } = &mut cell.holds {
                    *state = StateId::from_index(state.index() + by);
                }
            }
            rule
        })
        .collect();
    shifted
}
