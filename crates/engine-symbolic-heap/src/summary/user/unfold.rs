//! Unfolding: the root comes out of an instance, case by case.
//!
//! Each link of the node is empty in some way or leads to a smaller instance. If there is a hole, one link is the
//! hole or leads to a smaller instance with it. Numbers of the case get new names, and what its laws say is added to the
//! path condition.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::definition::law::Law;
use crate::definition::{Definitions, Empty, EmptyCase, Kind, Link, Node, Value};
use crate::heap::block::{Block, BlockId, Cell, DefaultBytes, Life};
use crate::heap::instance::{Hole, Instance};
use crate::heap::names::Names;
use crate::heap::role::Role;
use crate::heap::state::State;
use crate::reasoning::path_condition::require;

/// How a link of the node goes on that comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// As a case without a node of its predicate, by its index among these.
    Empty(usize),
    Below,
    BelowWithHole,
    Hole,
}

/// An instance from which a node is taken.
pub(super) struct Source {
    pub(super) block: Arc<Block>,
    pub(super) instance: Instance,
}

impl Source {
    pub(super) fn of(state: &State, root: BlockId) -> Source {
        let block = Arc::clone(state.block(root));
        let instance = block.instance().expect("only instances are asked for").clone();
        Source { block, instance }
    }
}

/// Takes out the root of an instance.
pub(crate) fn unfold_root(names: &mut Names<'_>, state: &State, root: BlockId) -> Vec<State> {
    let source = Source::of(state, root);
    let mut states = Vec::new();
    for node in &source.instance.definition().nodes {
        for ways in all_ways(&source.instance, node) {
            states.extend(take_root(names, state.clone(), (root, &source), node, &ways));
        }
    }
    states
}

/// Every way in which the links of the root may go on.
fn all_ways(instance: &Instance, node: &Node) -> Vec<Vec<Way>> {
    let definitions = &instance.definitions;
    let Some(hole) = &instance.hole else { return closed_ways(definitions, node) };
    let mut all = Vec::new();
    for (index, link) in node.links.iter().enumerate() {
        let is_here = link.predicate == hole.predicate;
        let is_below = definitions.leads_to(link.predicate, hole.predicate);
        let here = is_here.then_some(Way::Hole);
        for open in here.into_iter().chain(is_below.then_some(Way::BelowWithHole)) {
            all.extend(ways_around(definitions, node, (index, open)));
        }
    }
    all
}

/// Every way in which the links but one may go on without a hole.
pub(super) fn ways_around(
    definitions: &Definitions,
    node: &Node,
    (index, open): (usize, Way),
) -> Vec<Vec<Way>> {
    let mut rest = node.clone();
    rest.links.remove(index);
    let insert = |mut ways: Vec<Way>| {
        ways.insert(index, open);
        ways
    };
    closed_ways(definitions, &rest).into_iter().map(insert).collect()
}

fn closed_ways(definitions: &Definitions, node: &Node) -> Vec<Vec<Way>> {
    let mut all = vec![Vec::new()];
    for link in &node.links {
        let empties = 0..definitions.predicates[link.predicate].empties.len();
        let ways: Vec<Way> = empties.map(Way::Empty).chain([Way::Below]).collect();
        let longer = |before: &Vec<Way>| {
            let before = before.clone();
            ways.clone().into_iter().map(move |way| before.iter().copied().chain([way]).collect())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The root keeps the block's number. Nothing if it cannot be so.
pub(super) fn take_root(
    names: &mut Names<'_>,
    mut state: State,
    (root, source): (BlockId, &Source),
    node: &Node,
    ways: &[Way],
) -> Option<State> {
    let instance = &source.instance;
    let here = names.address(root);
    let arguments = &instance.arguments;
    let taken = Taken::new(names, (here, arguments), (instance, &source.block), node);
    let mut links = None;
    let block = taken.write(names, &mut state, (node, ways), &mut links);
    let links = links.expect("they are written");
    if let (Some(index), Some(hole)) =
        (ways.iter().position(|way| *way == Way::Hole), instance.hole.as_ref())
    {
        let above = hole.above.map(|above| names.address(above));
        taken.agree(names, &mut state, (&node.links[index], &links), (hole, above))?;
    }
    let hole = instance.hole.as_ref();
    state.blocks.insert(root, Arc::new(block));
    if let (true, Some(above)) = (ways.contains(&Way::Hole), hole.and_then(|hole| hole.above)) {
        // The root is the node that has the hole.
        state.blocks.remove(&above);
        let old = names.address(above);
        names.replace(&mut state, &BTreeMap::from([(old, here)]));
    }
    Some(state)
}

/// A node that comes out.
pub(super) struct Taken<'s> {
    this: TermId,
    /// Those of its own instance.
    arguments: &'s [TermId],
    /// The numbers that its case names.
    variables: Vec<TermId>,
    /// What it is taken from.
    instance: &'s Instance,
    block: &'s Block,
}

impl<'s> Taken<'s> {
    pub(super) fn new(
        names: &mut Names<'_>,
        (this, arguments): (TermId, &'s [TermId]),
        (instance, block): (&'s Instance, &'s Block),
        node: &Node,
    ) -> Taken<'s> {
        let bits = |value: Value| match value {
            Value::Variable(index) => 8 * node.variables[index] as u32,
            value => unreachable!("{value} is known"),
        };
        let mut told: Vec<Option<TermId>> = vec![None; node.variables.len()];
        let solve = |names: &mut Names<'_>, told: &[Option<TermId>]| {
            let known = |value: Value| match value {
                Value::Parameter(index) => Some(arguments[index]),
                Value::Variable(index) => told[index],
                Value::Null | Value::This | Value::Link(_) | Value::Number(_) => None,
            };
            node.laws.iter().find_map(|law| law.solved(&mut names.terms, &bits, &known))
        };
        // Ends because each round tells a number.
        while let Some((Value::Variable(index), number)) = solve(names, &told) {
            told[index] = Some(number);
        }
        let named = told.iter().zip(&node.variables);
        let variables = named
            .map(|(told, &bytes)| told.unwrap_or_else(|| names.fresh("number", 8 * bytes as u32)));
        Taken { this, arguments, variables: variables.collect(), instance, block }
    }

    /// What is in the hole has the arguments that the node's link passes on. Nothing if that cannot be so.
    pub(super) fn agree(
        &self,
        names: &mut Names<'_>,
        state: &mut State,
        (link, links): (&Link, &[TermId]),
        (hole, above): (&Hole, Option<TermId>),
    ) -> Option<()> {
        let wanted = self.values(names, link, links);
        let kinds = &self.instance.definitions.predicates[link.predicate].parameters;
        for (kind, (&wanted, &given)) in kinds.iter().zip(wanted.iter().zip(&hole.arguments)) {
            let may_be = match kind {
                Kind::Number { .. } => {
                    let is_same = names.terms.equal(wanted, given);
                    require(names, state, is_same);
                    true
                }
                Kind::Pointer if Some(given) == above => wanted == self.this,
                Kind::Pointer => !are_different(names, state, wanted, given),
            };
            if !may_be {
                return None;
            }
        }
        Some(())
    }

    /// The node as a block, with new instances where its links go on; tells where they lead.
    pub(super) fn write(
        &self,
        names: &mut Names<'_>,
        state: &mut State,
        (node, ways): (&Node, &[Way]),
        told: &mut Option<Vec<TermId>>,
    ) -> Block {
        let mut links: Vec<Option<TermId>> = vec![None; ways.len()];
        let mut below: Vec<Option<BlockId>> = vec![None; ways.len()];
        for (index, way) in ways.iter().enumerate() {
            match way {
                Way::Below | Way::BelowWithHole => {
                    let id = state.new_block_id();
                    below[index] = Some(id);
                    links[index] = Some(names.address(id));
                }
                Way::Hole => links[index] = self.instance.hole.as_ref().map(|hole| hole.value),
                Way::Empty(_) => {}
            }
        }
        let empty = |index: usize| self.empty(&node.links[index], ways[index]);
        // Each round settles one at least: no link depends on itself.
        for index in (0..ways.len()).cycle().take(ways.len() * ways.len()) {
            if let Some(empty) = empty(index) {
                links[index] = match empty.this {
                    Empty::Null => self.value(names, Value::Null, &links),
                    Empty::Parameter(of) => {
                        self.value(names, node.links[index].arguments[of], &links)
                    }
                };
            }
        }
        let links: Vec<TermId> =
            links.into_iter().map(|link| link.expect("no link depends on itself")).collect();
        obey(names, state, &node.laws, (self.arguments, &self.variables));
        for (index, link) in node.links.iter().enumerate() {
            if let Some(empty) = empty(index) {
                let arguments = self.values(names, link, &links);
                obey(names, state, &empty.laws, (&arguments, &[]));
            }
        }
        for (index, id) in below.iter().enumerate() {
            let Some(id) = *id else { continue };
            let arguments = self.values(names, &node.links[index], &links);
            let hole = self.instance.hole.clone().filter(|_| ways[index] == Way::BelowWithHole);
            self.put_below(names, state, id, (node.links[index].predicate, arguments, hole));
        }
        let known: Vec<Option<TermId>> = links.iter().copied().map(Some).collect();
        let mut block = Block {
            cells: Default::default(),
            rest: DefaultBytes::Uninitialised,
            life: Life::Alive,
            role: Role::default(),
            ..self.block.clone()
        };
        for field in &node.fields {
            let value = match field.value {
                Value::Number(number) => names.terms.bit_vector(number, 8 * field.size as u32),
                other => self.value(names, other, &known).expect("all links are known"),
            };
            block.cells.insert(field.offset, Cell { size: field.size, value });
        }
        *told = Some(links);
        block
    }

    /// The case without a node that a link is of.
    fn empty(&self, link: &Link, way: Way) -> Option<&EmptyCase> {
        match way {
            Way::Empty(case) => {
                Some(&self.instance.definitions.predicates[link.predicate].empties[case])
            }
            Way::Below | Way::BelowWithHole | Way::Hole => None,
        }
    }

    /// An instance below the node.
    fn put_below(
        &self,
        names: &mut Names<'_>,
        state: &mut State,
        id: BlockId,
        (predicate, arguments, hole): (usize, Vec<TermId>, Option<Hole>),
    ) {
        if let Some(above) = hole.as_ref().and_then(|hole| hole.above) {
            state.block_mut(above).make_peer_of(id);
        }
        let instance = Instance { predicate, arguments, hole, ..self.instance.clone() };
        tell_node(names, state, &instance);
        let size = u128::from(instance.definition().size);
        let size = names.terms.bit_vector(size, names.pointer_bits());
        let block = Block {
            size,
            cells: Default::default(),
            rest: DefaultBytes::Uninitialised,
            role: instance.into(),
            ..self.block.clone()
        };
        state.blocks.insert(id, Arc::new(block));
    }

    /// The arguments of what a link leads to.
    pub(super) fn values(
        &self,
        names: &mut Names<'_>,
        link: &Link,
        links: &[TermId],
    ) -> Vec<TermId> {
        let known: Vec<Option<TermId>> = links.iter().copied().map(Some).collect();
        let values = link.arguments.iter();
        values.map(|&of| self.value(names, of, &known).expect("all links are known")).collect()
    }

    fn value(
        &self,
        names: &mut Names<'_>,
        value: Value,
        links: &[Option<TermId>],
    ) -> Option<TermId> {
        match value {
            Value::Null => Some(names.terms.bit_vector(0, names.pointer_bits())),
            Value::This => Some(self.this),
            Value::Parameter(index) => Some(self.arguments[index]),
            Value::Link(index) => links[index],
            Value::Variable(index) => Some(self.variables[index]),
            Value::Number(_) => unreachable!("only fields and laws have constants"),
        }
    }
}

/// The laws of a case hold, with what its parameters and numbers are.
fn obey<'l>(
    names: &mut Names<'_>,
    state: &mut State,
    laws: impl IntoIterator<Item = &'l Law>,
    (parameters, variables): (&[TermId], &[TermId]),
) {
    let term = |value: Value| match value {
        Value::Parameter(index) => Some(parameters[index]),
        Value::Variable(index) => Some(variables[index]),
        Value::Null | Value::This | Value::Link(_) | Value::Number(_) => None,
    };
    for law in laws {
        let formula = law.formula(&mut names.terms, &term);
        require(names, state, formula.expect("laws speak of numbers with names"));
    }
}

/// An instance has a node, which says something of its arguments.
pub(super) fn tell_node(names: &mut Names<'_>, state: &mut State, instance: &Instance) {
    let laws = instance.definition().laws_of_any_node();
    obey(names, state, laws, (&instance.arguments, &[]));
}

/// Whether two pointers are never the same: they point to different blocks that are there, or one to none.
pub(super) fn are_different(
    names: &mut Names<'_>,
    state: &State,
    one: TermId,
    other: TermId,
) -> bool {
    let mut place = |term: TermId| match names.constant(term) {
        Some(0) => Some(None),
        Some(_) => None,
        None => {
            let (id, offset) = names.pointer(term)?;
            let block = state.blocks.get(&id)?;
            let is_there = block.life == Life::Alive && !block.is_peer() && !block.may_be_empty();
            (is_there && names.constant(offset) == Some(0)).then_some(Some(id))
        }
    };
    match (place(one), place(other)) {
        (Some(one), Some(other)) => one != other,
        (Some(_) | None, _) => false,
    }
}
