//! Simulation: a state of the claim over a closed block, whose trees are then all trees of the claim.
//!
//! For each rule of the block's state there is one of the claim's that holds the same and has states below that
//! simulate those below. What the claim's parameters are is told in terms of the block's own parameters, or of
//! the forest's names where these come down from the top unchanged. Where the block's tree has a hole and the claim a
//! tree, that tree is to be laid over the block in the hole.

use std::collections::{BTreeMap, BTreeSet};

use crate::automaton::{Automaton, Known, Parameter, Rule, StateId, Term, Value};
use crate::describes::{Binding, Course, Laid, Search};
use crate::fillings::Filling;
use crate::forest::{Base, BlockId, Body};
use crate::pair::{Image, Pair};

/// Trees of the claim over blocks in holes.
type Filled = BTreeMap<BlockId, (StateId, Vec<Binding>)>;

#[derive(Clone, Debug)]
struct Progress {
    course: Course,
    assumed: BTreeSet<Pair>,
    filled: Filled,
}

/// What names are and what fills holes.
type Settled = (BTreeMap<Base, Value<Base>>, Filled);

struct Simulation<'s> {
    claimed: &'s Automaton,
    other: &'s Automaton,
    filling: &'s Filling,
    known: &'s BTreeMap<Base, Value<Base>>,
    tries: &'s mut u32,
    /// Pairs that were found not to be, with what was settled then. What was assumed does not matter: it only helps.
    failed: BTreeMap<Pair, Vec<Settled>>,
}

impl Search<'_> {
    /// The course behind a tree over a closed block.
    pub(crate) fn simulated(
        &mut self,
        mut course: Course,
        laid: &Laid,
        filling: &Filling,
    ) -> Option<Course> {
        let Body::Closed { automaton, state, arguments } = &self.other.blocks[&laid.over] else {
            return None;
        };
        for binding in &laid.bindings {
            self.expect_same_ups(&mut course, *binding);
        }
        let image = |(parameter, binding): (&Parameter, &Binding)| match parameter {
            // A hole is known by its name alone.
            Parameter::Hole { .. } => Image::Outside(*binding),
            Parameter::Plain => match course.resolve(*binding) {
                Binding::Is(value) => known_as(value, arguments, automaton, *state),
                it @ (Binding::Name(..) | Binding::Any | Binding::Unknown) => Image::Outside(it),
            },
        };
        let parameters = &laid.automaton.states[laid.state].parameters;
        let images = parameters.iter().zip(&laid.bindings).map(image).collect();
        let tops = arguments.iter().map(|value| Some(*value)).collect();
        let own = Some(laid.over);
        let pair = Pair { over: *state, claimed: laid.state, images, tops, own };
        let (claimed, other) = (&*laid.automaton, &**automaton);
        let (known, tries, failed) = (&self.known, &mut self.tries, BTreeMap::new());
        let mut simulation = Simulation { claimed, other, filling, known, tries, failed };
        let progress = Progress { course, assumed: BTreeSet::new(), filled: BTreeMap::new() };
        let mut found = simulation.pair(pair, progress)?;
        for (over, (state, bindings)) in found.filled {
            let automaton = laid.automaton.clone();
            found.course.put(Laid { automaton, state, bindings, over }).then_some(())?;
        }
        Some(found.course)
    }

    /// What a block in a hole is told is probably told in the same order; the hole says so later, or not.
    fn expect_same_ups(&self, course: &mut Course, binding: Binding) {
        if let Binding::Name(name @ Base::Up(held, index), _) = binding
            && !course.names.contains_key(&name)
            && let Some(&Value::To(Base::Block(block), 0)) = course.names.get(&Base::Block(held))
            && let Some((holder, parameter)) = self.other.holder(block)
            && let Body::Closed { automaton, state, .. } = &self.other.blocks[&holder]
            && let Parameter::Hole { ups } = automaton.states[*state].parameters[parameter]
            && index < ups
        {
            course.names.insert(name, Value::To(Base::Up(block, index), 0));
        }
    }
}

/// A value of the forest, by a parameter if one is that.
fn known_as(
    value: Value<Base>,
    arguments: &[Value<Base>],
    automaton: &Automaton,
    state: StateId,
) -> Image {
    let parameters = &automaton.states[state].parameters;
    let outside = Image::Outside(Binding::Is(value));
    let Value::To(base, at) = value else { return outside };
    let found = arguments.iter().enumerate().find_map(|(index, argument)| match argument {
        Value::To(other, by) if *other == base && parameters[index] == Parameter::Plain => {
            Some(Image::Known(Value::To(Known::Parameter(index), at.checked_sub(*by)?)))
        }
        Value::Any | Value::Bits(_) | Value::Object(..) | Value::Function(_) | Value::To(..) => {
            None
        }
    });
    found.unwrap_or(outside)
}

impl Simulation<'_> {
    fn pair(&mut self, pair: Pair, mut progress: Progress) -> Option<Progress> {
        *self.tries = self.tries.saturating_sub(1);
        let (over, claimed) = (&self.other.states[pair.over], &self.claimed.states[pair.claimed]);
        if *self.tries == 0 || over.size != claimed.size {
            return None;
        }
        // What follows from itself holds: the trees are finite.
        if !progress.assumed.insert(pair.clone()) {
            return Some(progress);
        }
        let is_now =
            |settled: &Settled| settled.0 == progress.course.names && settled.1 == progress.filled;
        if self.failed.get(&pair).is_some_and(|failed| failed.iter().any(is_now)) {
            return None;
        }
        let settled = (progress.course.names.clone(), progress.filled.clone());
        for rule in &over.rules {
            // Rules that look alike first: most automata come from one another.
            let mut rules: Vec<&Rule> =
                claimed.rules.iter().filter(|it| may_hold(it, rule)).collect();
            rules.sort_by_key(|it| *it != rule);
            // Progress has to be copied only where another rule is left.
            let last = rules.pop();
            let mut rules = rules.into_iter();
            let further = rules.find_map(|it| self.rule(&pair, rule, it, progress.clone()));
            let Some(further) = further.or_else(|| self.rule(&pair, rule, last?, progress)) else {
                self.failed.entry(pair).or_default().push(settled);
                return None;
            };
            progress = further;
        }
        Some(progress)
    }

    fn rule(
        &mut self,
        pair: &Pair,
        over: &Rule,
        claimed: &Rule,
        mut progress: Progress,
    ) -> Option<Progress> {
        let mut below = Vec::new();
        for (offset, cell) in claimed {
            let held = over.get(offset).filter(|held| held.width == cell.width);
            match (&cell.holds, held.map(|held| &held.holds)) {
                (Term::Value(Value::Any), _) => {}
                (Term::Value(value), Some(Term::Value(held))) => {
                    pair.is_same(*value, (over, *held), &mut progress.course).then_some(())?;
                }
                (
                    Term::Tree { state, arguments, by },
                    Some(Term::Tree { state: over, arguments: given, by: at }),
                ) if by == at => {
                    below.push(((*state, arguments.as_slice()), (*over, given.as_slice())));
                }
                (
                    Term::Tree { state, arguments, by },
                    Some(Term::Hole { parameter, ups, by: at }),
                ) if by == at => {
                    let hole = (over, *parameter, ups.as_slice());
                    self.fill(pair, (*state, arguments), hole, &mut progress)?;
                }
                (
                    Term::Hole { parameter, ups, by },
                    Some(Term::Hole { parameter: other, ups: told, by: at }),
                ) if by == at => {
                    let hole = (over, *other, told.as_slice());
                    self.hole(pair, (*parameter, ups), hole, &mut progress)?;
                }
                (Term::Value(_) | Term::Tree { .. } | Term::Hole { .. }, _) => return None,
            }
        }
        for (claimed, below) in below {
            let pair = self.below((pair, over), claimed, below);
            progress = self.pair(pair, progress)?;
        }
        Some(progress)
    }

    /// A tree of the claim where the other has a hole.
    fn fill(
        &self,
        pair: &Pair,
        (state, arguments): (StateId, &[Value<Known>]),
        (rule, parameter, ups): (&Rule, usize, &[Value<Known>]),
        progress: &mut Progress,
    ) -> Option<()> {
        let block = pair.block_of(parameter)?;
        (self.filling.get(&block) == Some(&Some(state))).then_some(())?;
        let outside = |value: &Value<Known>| pair.outside(*value, rule, (block, ups), self.known);
        let filled = (state, arguments.iter().map(outside).collect::<Vec<Binding>>());
        (*progress.filled.entry(block).or_insert(filled.clone()) == filled).then_some(())
    }

    /// A hole of the claim where the other has one.
    fn hole(
        &self,
        pair: &Pair,
        (parameter, ups): (usize, &[Value<Known>]),
        (rule, other, told): (&Rule, usize, &[Value<Known>]),
        progress: &mut Progress,
    ) -> Option<()> {
        let (name, held) = match pair.images[parameter] {
            Image::Outside(name @ Binding::Name(Base::Block(held), 0)) => (name, held),
            // A kid of a block above, which is told nothing.
            Image::Outside(Binding::Is(kid)) => {
                let place = Value::To(Base::Block(pair.block_of(other)?), 0);
                return (kid == place && ups.is_empty()).then_some(());
            }
            Image::Known(kid) => {
                let place = Value::To(Known::Parameter(other), 0);
                return (kid == place && ups.is_empty()).then_some(());
            }
            Image::Outside(Binding::Name(..) | Binding::Any | Binding::Unknown) => return None,
        };
        let block = pair.block_of(other)?;
        (self.filling.get(&block) == Some(&None)).then_some(())?;
        progress.course.unify(name, Value::To(Base::Block(block), 0)).then_some(())?;
        for (index, up) in ups.iter().enumerate() {
            let name = Binding::Name(Base::Up(held, index), 0);
            match pair.outside(*up, rule, (block, told), self.known) {
                Binding::Is(value) if progress.course.unify(name, value) => {}
                Binding::Is(_) | Binding::Name(..) | Binding::Any | Binding::Unknown => {
                    return None;
                }
            }
        }
        Some(())
    }

    /// The pair of two trees below a pair.
    fn below(
        &self,
        (pair, rule): (&Pair, &Rule),
        (claimed, images): (StateId, &[Value<Known>]),
        (over, arguments): (StateId, &[Value<Known>]),
    ) -> Pair {
        let parameters = &self.other.states[over].parameters;
        let hole = |value: Image| match value {
            Image::Known(value) => {
                let mut both = arguments.iter().zip(parameters);
                let found = both.position(|it| *it.0 == value && *it.1 != Parameter::Plain);
                found.map_or_else(
                    || Image::Outside(pair.top(rule, value)),
                    |index| Image::Known(Value::To(Known::Parameter(index), 0)),
                )
            }
            outside @ Image::Outside(_) => outside,
        };
        let plain = |value: Image| match value {
            Image::Known(value) => {
                let found = arguments.iter().enumerate().find_map(|(index, argument)| {
                    match (argument, value) {
                        (Value::To(known, by), Value::To(other, at))
                            if *known == other && parameters[index] == Parameter::Plain =>
                        {
                            Some(Value::To(Known::Parameter(index), at.checked_sub(*by)?))
                        }
                        (_, _) => None,
                    }
                });
                found.map_or_else(|| Image::Outside(pair.top(rule, value)), Image::Known)
            }
            outside @ Image::Outside(_) => outside,
        };
        let image = |(parameter, value): (&Parameter, &Value<Known>)| match parameter {
            Parameter::Plain => plain(pair.image(*value)),
            Parameter::Hole { .. } => hole(pair.image(*value)),
        };
        let top = |value: &Value<Known>| match pair.top(rule, *value) {
            Binding::Is(value) => Some(value),
            Binding::Name(..) | Binding::Any | Binding::Unknown => None,
        };
        let tops = arguments.iter().map(top).collect();
        let parameters = &self.claimed.states[claimed].parameters;
        let images = parameters.iter().zip(images).map(image).collect();
        Pair { over, claimed, images, tops, own: None }
    }
}

/// Whether the cells of a rule of the claim can hold what those of another rule hold, as far as that is seen at once.
pub(crate) fn may_hold(claimed: &Rule, over: &Rule) -> bool {
    claimed.iter().all(|(offset, cell)| {
        let held = over.get(offset).filter(|held| held.width == cell.width);
        match (&cell.holds, held.map(|held| &held.holds)) {
            (Term::Value(Value::Any), _) => true,
            (Term::Value(Value::Bits(bits)), Some(Term::Value(Value::Bits(held)))) => bits == held,
            (Term::Value(Value::To(Known::Own | Known::Kid(_), _)), Some(Term::Value(held))) => {
                matches!(held, Value::To(..))
            }
            (Term::Value(_), Some(Term::Value(_))) => true,
            (Term::Tree { .. }, Some(Term::Tree { .. } | Term::Hole { .. })) => true,
            (Term::Hole { .. }, Some(Term::Hole { .. })) => true,
            (Term::Value(_) | Term::Tree { .. } | Term::Hole { .. }, _) => false,
        }
    })
}
