//! Deriving: which blocks of a heap form an instance of a user's predicate.
//!
//! From a root on, the fields of each node are compared with the cases of its predicate, one after the other. What a
//! parameter is gets known where a field or an instance below tells. A link leads to an empty instance, to a further
//! node, or, once, to the hole. In the end nothing else may hold a node but the root; where something does, the same is
//! tried again with that node left out. Where there are numbers, several cases may fit a node, and only their laws tell
//! which it is: there is a derivation for each, whose laws are still to be proved.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::definition::variance::Variance;
use crate::definition::{Definition, Definitions, Empty, FieldOfNode, Kind, Node, Value};
use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, End, Field, Life};
use crate::heap::incoming::{Referrer, Referrers};
use crate::heap::instance::Instance;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::user::behind::can_be_taken_from_behind;
use crate::summary::user::derivation::{Derivation, DerivedHole};
use crate::summary::user::partial::{OpenHole, Partial, Slot};

/// Where an instance is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Place<'s> {
    pub(crate) state: &'s State,
    pub(crate) referrers: &'s Referrers,
    pub(crate) definitions: &'s Arc<Definitions>,
}

/// Derivations that are looked at where several cases fit.
const MOST_DERIVATIONS: usize = 16;

/// How the blocks can form an instance with a block as its root: in one way at most, but where there are numbers.
pub(crate) fn derive(
    names: &mut Names<'_>,
    place: Place<'_>,
    root: BlockId,
    predicate: usize,
) -> Vec<Derivation> {
    let mut barred = BTreeSet::new();
    let has_laws = place.definitions.have_laws();
    // Ends because each round bars a block.
    loop {
        let most = if has_laws { MOST_DERIVATIONS } else { 1 };
        let mut search = Search { names, place, root, barred: &barred, most };
        let mut partial = Partial::default();
        let definition = &place.definitions.predicates[predicate];
        let arguments = search.slots(definition, &mut partial);
        let below = Below { predicate, arguments: arguments.clone(), depth: 1 };
        let mut found = Vec::new();
        let mut held = Vec::new();
        for partial in search.block(root, &below, partial) {
            let outside = partial.held_from_outside(names, place.referrers, root);
            match outside.is_empty() {
                true => found.extend(settle(names, place, (root, predicate, &arguments), partial)),
                false if held.is_empty() => held = outside,
                false => {}
            }
        }
        if !found.is_empty() || held.is_empty() {
            return found;
        }
        barred.extend(held);
    }
}

/// What an instance is, once all its parameters are known.
fn settle(
    names: &mut Names<'_>,
    place: Place<'_>,
    (root, predicate, arguments): (BlockId, usize, &[Slot]),
    mut partial: Partial,
) -> Option<Derivation> {
    let laws = partial.settle_numbers(&mut names.terms)?;
    if laws.iter().any(|&law| names.truth(law) == Some(false)) {
        return None;
    }
    let arguments = partial.terms(arguments)?;
    let is_inner = |id: &BlockId| *id != root && partial.blocks.contains(id);
    if names.may_refer_to(&arguments).iter().any(is_inner) {
        return None;
    }
    let hole = match &partial.hole {
        None => None,
        Some(open) => {
            let arguments = partial.terms(&open.arguments)?;
            let named = names.may_refer_to(&arguments);
            let names_above = open.above != root && named.contains(&open.above);
            if named.iter().any(|id| *id != open.above && is_inner(id)) {
                return None;
            }
            if names_above && !can_be_taken_from_behind(place.definitions) {
                return None;
            }
            let OpenHole { predicate, value, above, depth, .. } = *open;
            Some(DerivedHole { predicate, arguments, value, above, names_above, depth })
        }
    };
    Some(Derivation { root, predicate, arguments, hole, blocks: partial.blocks, laws })
}

/// What is to be at the end of a link.
#[derive(Clone, Debug)]
struct Below {
    predicate: usize,
    arguments: Vec<Slot>,
    depth: u32,
}

/// A case that a node may be of.
struct Case<'c> {
    id: BlockId,
    below: &'c Below,
    variables: &'c [Slot],
}

struct Search<'a, 'n, 's> {
    names: &'a mut Names<'n>,
    place: Place<'s>,
    root: BlockId,
    /// Blocks that must not become a part.
    barred: &'a BTreeSet<BlockId>,
    /// Ways that are followed.
    most: usize,
}

impl Search<'_, '_, '_> {
    /// A slot for each parameter.
    fn slots(&self, definition: &Definition, partial: &mut Partial) -> Vec<Slot> {
        let bits = |kind: &Kind| match kind {
            Kind::Pointer => self.names.pointer_bits(),
            Kind::Number { bytes } => 8 * *bytes as u32,
        };
        definition.parameters.iter().map(|kind| partial.slot(bits(kind), None)).collect()
    }

    /// A block is the root of what is looked for.
    fn block(&mut self, id: BlockId, below: &Below, mut partial: Partial) -> Vec<Partial> {
        let state = self.place.state;
        let Some(block) = state.blocks.get(&id) else { return Vec::new() };
        let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
        if !is_live_heap || !partial.blocks.insert(id) {
            return Vec::new();
        }
        if let Some(instance) = block.instance() {
            return self.instance((id, instance), below, partial);
        }
        let definitions = self.place.definitions;
        let definition = &definitions.predicates[below.predicate];
        let size = self.names.constant(block.size);
        if !block.is_single() || size != Some(u128::from(definition.size)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for node in &definition.nodes {
            if found.len() < self.most {
                found.extend(self.node((id, block), node, below, &partial));
            }
        }
        found.truncate(self.most);
        found
    }

    /// An instance within the instance: its hole may be filled.
    fn instance(
        &mut self,
        (id, instance): (BlockId, &Instance),
        below: &Below,
        mut partial: Partial,
    ) -> Vec<Partial> {
        let is_ours = Arc::ptr_eq(&instance.definitions, self.place.definitions)
            || instance.definitions == *self.place.definitions;
        if !is_ours || instance.predicate != below.predicate {
            return Vec::new();
        }
        if !self.arguments(instance, below, &mut partial) {
            return Vec::new();
        }
        let ends = self.place.state.block(id).ends();
        partial.told.extend(ends.map(|(end, _)| (id, Field::End(end))));
        let Some(hole) = &instance.hole else { return vec![partial] };
        let definitions = self.place.definitions;
        let arguments = self.slots(&definitions.predicates[hole.predicate], &mut partial);
        for (&slot, &term) in arguments.iter().zip(&hole.arguments) {
            partial.bind(slot, term);
        }
        let inner = Below { predicate: hole.predicate, arguments, depth: below.depth + 1 };
        let (above, value) = (hole.above.unwrap_or(id), hole.value);
        let is_kept = hole.above.is_some_and(|above| self.barred.contains(&above));
        if !is_kept {
            let mut filled = partial.clone();
            filled.blocks.extend(hole.above);
            let filled = self.filled(value, &inner, filled);
            if !filled.is_empty() {
                return filled;
            }
        }
        self.hole(value, &inner, above, partial).into_iter().collect()
    }

    /// Whether an instance has the arguments that are wanted, numbers apart.
    fn arguments(&self, instance: &Instance, below: &Below, partial: &mut Partial) -> bool {
        let definition = instance.definition();
        let bounds = match definition.has_numbers() && instance.hole.is_none() {
            true => self.place.definitions.variances().swap_remove(instance.predicate),
            // What is in a hole has bounds of its own, which would have to follow.
            false => vec![Variance::Exact; definition.parameters.len()],
        };
        let terms = below.arguments.iter().zip(&instance.arguments);
        let mut terms = definition.parameters.iter().zip(bounds).zip(terms);
        terms.all(|((kind, variance), (&slot, &term))| match kind {
            Kind::Pointer => partial.bind(slot, term),
            Kind::Number { .. } => {
                partial.find(slot, term, variance);
                true
            }
        })
    }

    /// A single block is a node of some case.
    fn node(
        &mut self,
        (id, block): (BlockId, &Block),
        node: &Node,
        below: &Below,
        partial: &Partial,
    ) -> Vec<Partial> {
        let mut partial = partial.clone();
        let variables = node.variables.iter().map(|&bytes| partial.slot(8 * bytes as u32, None));
        let variables: Vec<Slot> = variables.collect();
        let mut links: Vec<Option<TermId>> = vec![None; node.links.len()];
        let case = Case { id, below, variables: &variables };
        if !self.fields((block, node), &case, &mut links, &mut partial) {
            return Vec::new();
        }
        let pointer = self.names.pointer_bits();
        let this = self.names.address(id);
        let null = self.names.terms.bit_vector(0, pointer);
        let mut ways = vec![partial];
        for (index, link) in node.links.iter().enumerate() {
            let value = links[index].expect("every link is in a field");
            let mut longer = Vec::new();
            for mut partial in ways {
                let arguments = link.arguments.iter().map(|argument| match *argument {
                    Value::Null => partial.slot(pointer, Some(null)),
                    Value::This => partial.slot(pointer, Some(this)),
                    Value::Parameter(index) => below.arguments[index],
                    Value::Link(index) => partial.slot(pointer, links[index]),
                    Value::Variable(index) => variables[index],
                    Value::Number(_) => unreachable!("arguments have names"),
                });
                let arguments = arguments.collect();
                let depth = below.depth + 1;
                let inner = Below { predicate: link.predicate, arguments, depth };
                let filled = self.filled(value, &inner, partial.clone());
                match filled.is_empty() {
                    false => longer.extend(filled),
                    true => longer.extend(self.hole(value, &inner, id, partial)),
                }
            }
            longer.truncate(self.most);
            ways = longer;
        }
        for partial in &mut ways {
            partial.require(&node.laws, &below.arguments, &variables);
        }
        ways
    }

    /// Whether the fields of a block hold what a case says.
    fn fields(
        &mut self,
        (block, node): (&Block, &Node),
        case: &Case<'_>,
        links: &mut [Option<TermId>],
        partial: &mut Partial,
    ) -> bool {
        let parameters = &self.place.definitions.predicates[case.below.predicate].parameters;
        let this = self.names.address(case.id);
        for field in &node.fields {
            let Some(held) = self.held(block, field) else { return false };
            let number = match field.value {
                Value::Parameter(index) if parameters[index] != Kind::Pointer => {
                    Some(case.below.arguments[index])
                }
                Value::Variable(index) => Some(case.variables[index]),
                Value::Parameter(_)
                | Value::Null
                | Value::This
                | Value::Link(_)
                | Value::Number(_) => None,
            };
            let fits = match (number, field.value) {
                // Who holds a block must stay known.
                (Some(_), _) if self.names.holds_address(held) => false,
                (Some(slot), _) => {
                    partial.find(slot, held, Variance::Exact);
                    true
                }
                (None, Value::Null) => self.names.constant(held) == Some(0),
                (None, Value::This) => held == this,
                (None, Value::Parameter(index)) => partial.bind(case.below.arguments[index], held),
                (None, Value::Link(index)) => *links[index].get_or_insert(held) == held,
                (None, Value::Number(number)) => self.names.constant(held) == Some(number),
                (None, Value::Variable(_)) => unreachable!("it is a number"),
            };
            if !fits {
                return false;
            }
            partial.told.insert((case.id, Field::Cell(field.offset)));
        }
        let is_told = |offset: u64| node.fields.iter().any(|field| field.offset == offset);
        let hides = |(offset, cell): (&u64, &crate::heap::block::Cell)| {
            !is_told(*offset) && self.names.holds_address(cell.value)
        };
        // What no field tells of may be anything, but who holds a block must stay known.
        !block.cells.iter().any(hides) && block.contents == Default::default()
    }

    /// What a field of a node holds, if it is known as one.
    fn held(&mut self, block: &Block, field: &FieldOfNode) -> Option<TermId> {
        if let Some(cell) = block.cells.get(&field.offset) {
            return (cell.size == field.size).then_some(cell.value);
        }
        let is_zero = block.rest == DefaultBytes::Zero;
        let is_zero = is_zero && !block.has_cells_in(field.offset, field.size);
        is_zero.then(|| self.names.terms.bit_vector(0, 8 * field.size as u32))
    }

    /// A link leads to an instance, which may be empty.
    fn filled(&mut self, value: TermId, below: &Below, partial: Partial) -> Vec<Partial> {
        let definition = &self.place.definitions.predicates[below.predicate];
        let is_null = self.names.constant(value) == Some(0);
        let mut found = Vec::new();
        for empty in &definition.empties {
            let is_known_end = match empty.this {
                Empty::Null => is_null,
                Empty::Parameter(index) => partial.value(below.arguments[index]) == Some(value),
            };
            if is_known_end && found.len() < self.most {
                let mut partial = partial.clone();
                partial.require(&empty.laws, &below.arguments, &[]);
                found.push(partial);
            }
        }
        if !found.is_empty() {
            return found;
        }
        if let Some(target) = self.target(value)
            && !self.is_held(target)
        {
            let found = self.block(target, below, partial.clone());
            if !found.is_empty() {
                return found;
            }
        }
        let open = definition.empties.iter().find_map(|empty| match empty.this {
            Empty::Null => None,
            Empty::Parameter(index) => {
                let slot = below.arguments[index];
                partial.value(slot).is_none().then_some((slot, empty))
            }
        });
        let Some((slot, empty)) = open else { return Vec::new() };
        let mut partial = partial;
        partial.bind(slot, value);
        partial.require(&empty.laws, &below.arguments, &[]);
        vec![partial]
    }

    /// The block to whose start a value points.
    fn target(&mut self, value: TermId) -> Option<BlockId> {
        let (target, offset) = self.names.pointer(value)?;
        (self.names.constant(offset) == Some(0)).then_some(target)
    }

    /// Whether a block keeps its name.
    fn is_held(&self, id: BlockId) -> bool {
        let holders = self.place.referrers.get(&id);
        id == self.root
            || self.barred.contains(&id)
            || holders.into_iter().flatten().any(|holder| *holder == Referrer::Root)
    }

    /// A link leads to something that keeps its name: the only one that does.
    fn hole(
        &mut self,
        value: TermId,
        below: &Below,
        above: BlockId,
        mut partial: Partial,
    ) -> Option<Partial> {
        let definitions = self.place.definitions;
        let target = self.target(value).filter(|target| !partial.blocks.contains(target))?;
        let block = self.place.state.blocks.get(&target)?;
        let wanted = &definitions.predicates[below.predicate];
        let has_size = self.names.constant(block.size) == Some(u128::from(wanted.size));
        let has_role = match block.instance() {
            Some(instance) => instance.predicate == below.predicate,
            None => block.is_single(),
        };
        let is_node = block.kind == BlockKind::Heap && block.life == Life::Alive;
        let is_kept = definitions.may_have_hole_of(below.predicate);
        // What could be a part, but is none of this case, is no hole: another case may fit.
        let keeps_its_name = self.is_held(target);
        let fits = has_size && has_role && is_node && is_kept && keeps_its_name;
        if partial.hole.is_some() || !fits {
            return None;
        }
        partial.hole = Some(OpenHole {
            predicate: below.predicate,
            arguments: below.arguments.clone(),
            value,
            above,
            depth: below.depth - 1,
        });
        Some(partial)
    }
}

/// The ends of an instance that tell of its arguments.
pub(crate) fn argument(index: usize) -> End {
    End::Argument(u8::try_from(index).expect("parameters are few"))
}

/// The same of what is in its hole.
pub(crate) fn hole_argument(index: usize) -> End {
    End::HoleArgument(u8::try_from(index).expect("parameters are few"))
}
