//! Unfolding from behind: the node that has the hole comes out of an instance.
//!
//! It is the root, or a node of some case whose link is the hole. Then what is left of the instance has its hole
//! above that node. What the node has as its arguments is told by those of the hole, or is the address of the node above
//! it, for which a new block stands.

use std::sync::Arc;

use heapwright_logic::TermId;

use crate::definition::{Definitions, Node, Value};
use crate::heap::block::{BlockId, BlockKind};
use crate::heap::instance::{Hole, Instance};
use crate::heap::names::Names;
use crate::heap::role::Role;
use crate::heap::state::State;
use crate::summary::user::unfold::{Source, Taken, Way, take_root, ways_around};

/// Whether every node that is taken out from behind has arguments that are known: each is passed on by each of its
/// links, or is always the address of the node above.
pub(crate) fn can_be_taken_from_behind(definitions: &Definitions) -> bool {
    definitions.predicates.iter().enumerate().all(|(predicate, item)| {
        let is_passed = |node: &Node, index: usize| {
            let wanted = Value::Parameter(index);
            node.links.iter().all(|link| link.arguments.contains(&wanted))
        };
        (0..item.parameters.len()).all(|index| {
            is_address_of_above(definitions, predicate, index)
                || item.nodes.iter().all(|node| is_passed(node, index))
        })
    })
}

/// Whether a parameter is the address of the node above wherever there is one.
fn is_address_of_above(definitions: &Definitions, predicate: usize, index: usize) -> bool {
    let nodes = definitions.predicates.iter().flat_map(|item| &item.nodes);
    let mut links = nodes.flat_map(|node| &node.links).filter(|link| link.predicate == predicate);
    links.all(|link| link.arguments[index] == Value::This)
}

/// Takes out the node that has the hole, for which `above` stands.
pub(crate) fn unfold_above_hole(
    names: &mut Names<'_>,
    state: &State,
    above: BlockId,
) -> Vec<State> {
    let root = state.block(above).peer_of().expect("only peers are asked for");
    let source = Source::of(state, root);
    let definitions = Arc::clone(&source.instance.definitions);
    let wanted = source.instance.hole.as_ref().expect("peers are of holes").predicate;
    let mut states = Vec::new();
    for (predicate, item) in definitions.predicates.iter().enumerate() {
        for node in &item.nodes {
            let here = node.links.iter().enumerate().filter(|(_, link)| link.predicate == wanted);
            for (index, _) in here {
                for ways in ways_around(&definitions, node, (index, Way::Hole)) {
                    if predicate == source.instance.predicate {
                        states.extend(take_root(
                            names,
                            state.clone(),
                            (root, &source),
                            node,
                            &ways,
                        ));
                    }
                    let place = Behind { root, above, predicate, index };
                    states.extend(place.take(names, state.clone(), &source, (node, &ways)));
                }
            }
        }
    }
    states
}

/// Where a node is taken out: it is of a predicate, and one of its links is the hole.
struct Behind {
    root: BlockId,
    above: BlockId,
    predicate: usize,
    index: usize,
}

impl Behind {
    /// The node gets the number that stood for it. Nothing if it cannot be so.
    fn take(
        &self,
        names: &mut Names<'_>,
        mut state: State,
        source: &Source,
        (node, ways): (&Node, &[Way]),
    ) -> Option<State> {
        let instance = &source.instance;
        let hole = instance.hole.as_ref()?;
        let above_it = state.new_block_id();
        let arguments = self.arguments(names, instance, node, above_it)?;
        let this = names.address(self.above);
        let names_above = names.may_refer_to(&arguments).contains(&above_it);
        let stand_in = state.block(self.above).as_ref().clone();
        let size = u128::from(instance.definitions.predicates[self.predicate].size);
        let size = names.terms.bit_vector(size, names.pointer_bits());
        let mut like = source.block.as_ref().clone();
        like.size = size;
        let taken = Taken::new(names, (this, &arguments), (instance, &like), node);
        let mut links = None;
        let block = taken.write(names, &mut state, (node, ways), &mut links);
        let links = links.expect("they are written");
        taken.agree(names, &mut state, (&node.links[self.index], &links), (hole, Some(this)))?;
        state.blocks.insert(self.above, Arc::new(block));
        if names_above {
            let mut stand_in = stand_in;
            stand_in.kind = BlockKind::Heap;
            stand_in.role = Role::peer_of(self.root);
            state.blocks.insert(above_it, Arc::new(stand_in));
        }
        let hole = Hole {
            predicate: self.predicate,
            arguments,
            value: this,
            above: names_above.then_some(above_it),
        };
        let rest = Instance { hole: Some(hole), ..instance.clone() };
        state.block_mut(self.root).role = rest.into();
        Some(state)
    }

    /// The arguments of the node, by what its link passes on.
    fn arguments(
        &self,
        names: &mut Names<'_>,
        instance: &Instance,
        node: &Node,
        above_it: BlockId,
    ) -> Option<Vec<TermId>> {
        let hole = instance.hole.as_ref()?;
        let definitions = &instance.definitions;
        let passed = &node.links[self.index].arguments;
        let parameters = definitions.predicates[self.predicate].parameters.len();
        (0..parameters)
            .map(|index| {
                if is_address_of_above(definitions, self.predicate, index) {
                    return Some(names.address(above_it));
                }
                let wanted = Value::Parameter(index);
                let place = passed.iter().position(|&value| value == wanted)?;
                Some(hole.arguments[place])
            })
            .collect()
    }
}
