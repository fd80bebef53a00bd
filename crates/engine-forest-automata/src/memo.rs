//! Memo: trees that were closed or joined before are not made again.
//!
//! Most forests that arrive at a loop head are made of trees that arrived there before, next to other ones. So what
//! became of a tree is remembered, whatever its blocks were called. Equal automata are one value here, and whether two
//! trees were joined before is asked of their addresses.

use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_forest_text::{Automaton, Base, BlockId, Body, StateId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::abstraction::{Component, Likeness, abstracted, joined, trimmed};
use crate::alarm::Doubt;
use crate::fold::MOST_PARAMETERS;
use crate::specialise::specialised;
use crate::value::Held;

/// Trees that are remembered; they may be large.
const MOST_TREES: usize = 4_000;

#[derive(Debug)]
pub(crate) struct Memo {
    likeness: Likeness,
    automata: FxHashSet<Arc<Automaton>>,
    /// What became of trees as they were built, or why nothing did.
    closed: FxHashMap<Component, Result<Body, &'static str>>,
    joined: FxHashMap<[Top; 2], Join>,
}

/// An automaton by its address, and the state at the top.
type Top = (usize, StateId);

#[derive(Debug)]
struct Join {
    made: Body,
    /// Keeps their addresses from being used again.
    #[expect(dead_code, reason = "it is held, not read")]
    of: [Arc<Automaton>; 2],
}

impl Memo {
    pub(crate) fn new(likeness: Likeness) -> Memo {
        let (closed, joined) = (FxHashMap::default(), FxHashMap::default());
        Memo { likeness, automata: FxHashSet::default(), closed, joined }
    }

    /// The tree of a cut point, without things that are given twice, and with states that look alike made one.
    pub(crate) fn closed(&mut self, built: Component, own: BlockId) -> Result<Body, Doubt> {
        let mut names = Names(vec![Base::Block(own)]);
        let arguments = built.arguments.iter().map(|value| names.short(*value)).collect();
        let key = trimmed(Component { arguments, ..built });
        if !self.closed.contains_key(&key) {
            let component = specialised(key.clone(), BlockId::from_index(0));
            let component = abstracted(component, self.likeness);
            let made = match () {
                // Two second links to one place may need a hole twice, which no rule can say.
                () if !component.automaton.is_sound() => {
                    Err("a block that two links hand on at one place")
                }
                () if most_parameters(&component.automaton) > MOST_PARAMETERS => {
                    Err("blocks that know of so many others")
                }
                () => Ok(self.body(component)),
            };
            if self.closed.len() >= MOST_TREES {
                self.closed.clear();
            }
            self.closed.insert(key.clone(), made);
        }
        match &self.closed[&key] {
            Ok(made) => Ok(names.long(made.clone())),
            Err(why) => Err(Doubt::not_carried(*why)),
        }
    }

    /// A tree that stands for both, whose tops look alike and are given the same.
    pub(crate) fn joined(&mut self, one: &Body, other: &Body) -> Body {
        let (
            Body::Closed { automaton, state, arguments },
            Body::Closed { automaton: more, state: top, .. },
        ) = (one, other)
        else {
            return one.clone();
        };
        let address = |automaton: &Arc<Automaton>| Arc::as_ptr(automaton) as usize;
        let key = [(address(automaton), *state), (address(more), *top)];
        if key[0] == key[1] {
            return one.clone();
        }
        if !self.joined.contains_key(&key) {
            let places = (0..arguments.len()).map(BlockId::from_index);
            let places: Vec<Held> = places.map(|it| Value::To(Base::Block(it), 0)).collect();
            let component = |automaton: &Automaton, state: StateId| Component {
                automaton: automaton.clone(),
                state,
                arguments: places.clone(),
            };
            let both = [component(automaton, *state), component(more, *top)];
            let made = self.body(joined(&both[0], &both[1], self.likeness));
            let of = [Arc::clone(automaton), Arc::clone(more)];
            self.joined.insert(key, Join { made, of });
        }
        let mut made = self.joined[&key].made.clone();
        for value in made.values_mut() {
            if let Value::To(Base::Block(place), _) = *value {
                *value = arguments[place.index()];
            }
        }
        made
    }

    fn body(&mut self, component: Component) -> Body {
        let Component { automaton, state, arguments } = component;
        let known = self.automata.get(&automaton).cloned();
        let automaton = known.unwrap_or_else(|| {
            let automaton = Arc::new(automaton);
            self.automata.insert(Arc::clone(&automaton));
            automaton
        });
        Body::Closed { automaton, state, arguments }
    }
}

fn most_parameters(automaton: &Automaton) -> usize {
    automaton.states.iter().map(|state| state.parameters.len()).max().unwrap_or(0)
}

/// What the arguments of a tree name, in the order in which they come; its own block first.
struct Names(Vec<Base>);

impl Names {
    /// A value with numbers in the place of names.
    fn short(&mut self, value: Held) -> Held {
        value.renamed(|base| {
            let known = self.0.iter().position(|name| *name == base);
            let index = known.unwrap_or_else(|| {
                self.0.push(base);
                self.0.len() - 1
            });
            Value::To(Base::Block(BlockId::from_index(index)), 0)
        })
    }

    /// A tree with the names that its arguments had.
    fn long(&self, mut body: Body) -> Body {
        for value in body.values_mut() {
            *value = value.renamed(|base| match base {
                Base::Block(index) => Value::To(self.0[index.index()], 0),
                Base::Up(..) => panic!("only numbers are given in the place of names"),
            });
        }
        body
    }
}
