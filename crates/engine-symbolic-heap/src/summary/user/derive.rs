//! Deriving: which blocks of a heap form an instance of a user's predicate.
//!
//! From a root on, the fields of each node are compared with the cases of its predicate, one after the other. What a
//! parameter is gets known where a field or an instance below tells. A link leads to an empty instance, to a further
//! node, or, once, to the hole. In the end nothing else may hold a node but the root; where something does, the same is
//! tried again with that node left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_logic::TermId;

use crate::definition::{Definitions, Empty, FieldOfNode, Node, Value};
use crate::heap::block::{Block, BlockId, BlockKind, DefaultBytes, End, Field, Life};
use crate::heap::incoming::{Referrer, Referrers};
use crate::heap::instance::Instance;
use crate::heap::names::Names;
use crate::heap::state::State;
use crate::summary::user::behind::can_be_taken_from_behind;

/// Where an instance is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Place<'s> {
    pub(crate) state: &'s State,
    pub(crate) referrers: &'s Referrers,
    pub(crate) definitions: &'s Arc<Definitions>,
}

/// Blocks that form an instance.
#[derive(Clone, Debug)]
pub(crate) struct Derivation {
    pub(crate) root: BlockId,
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<TermId>,
    pub(crate) hole: Option<DerivedHole>,
    /// All of them, the root and stand-ins of filled holes included.
    pub(crate) blocks: BTreeSet<BlockId>,
}

/// A link that leads out.
#[derive(Clone, Debug)]
pub(crate) struct DerivedHole {
    pub(crate) predicate: usize,
    pub(crate) arguments: Vec<TermId>,
    pub(crate) value: TermId,
    /// The node that has the link, or what stands for it.
    pub(crate) above: BlockId,
    /// Whether an argument is its address, and it is not the root.
    pub(crate) names_above: bool,
    /// How many blocks are on the way to it.
    pub(crate) depth: u32,
}

/// The blocks that form an instance with a block as its root, if they do.
pub(crate) fn derive(
    names: &mut Names<'_>,
    place: Place<'_>,
    root: BlockId,
    predicate: usize,
) -> Option<Derivation> {
    let mut barred = BTreeSet::new();
    // Ends because each round bars a block.
    loop {
        let mut search = Search { names, place, root, barred: &barred };
        let mut partial = Partial::default();
        let parameters = place.definitions.predicates[predicate].parameters;
        let arguments: Vec<Slot> = (0..parameters).map(|_| partial.slot(None)).collect();
        let below = Below { predicate, arguments: arguments.clone(), depth: 1 };
        let partial = search.block(root, &below, partial)?;
        let held: Vec<BlockId> = partial.held_from_outside(names, place.referrers, root);
        if held.is_empty() {
            return settle(names, place, (root, predicate, &arguments), partial);
        }
        barred.extend(held);
    }
}

/// What an instance is, once all its parameters are known.
fn settle(
    names: &mut Names<'_>,
    place: Place<'_>,
    (root, predicate, arguments): (BlockId, usize, &[Slot]),
    partial: Partial,
) -> Option<Derivation> {
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
    Some(Derivation { root, predicate, arguments, hole, blocks: partial.blocks })
}

/// A parameter of some instance, which may not be known yet.
type Slot = usize;

#[derive(Clone, Debug, Default)]
struct Partial {
    slots: Vec<Option<TermId>>,
    blocks: BTreeSet<BlockId>,
    /// Fields whose values the definitions tell.
    told: BTreeSet<(BlockId, Field)>,
    hole: Option<OpenHole>,
}

#[derive(Clone, Debug)]
struct OpenHole {
    predicate: usize,
    arguments: Vec<Slot>,
    value: TermId,
    above: BlockId,
    depth: u32,
}

/// What is to be at the end of a link.
#[derive(Clone, Debug)]
struct Below {
    predicate: usize,
    arguments: Vec<Slot>,
    depth: u32,
}

impl Partial {
    fn slot(&mut self, value: Option<TermId>) -> Slot {
        self.slots.push(value);
        self.slots.len() - 1
    }

    /// Whether a parameter is this.
    fn bind(&mut self, slot: Slot, value: TermId) -> bool {
        *self.slots[slot].get_or_insert(value) == value
    }

    fn terms(&self, slots: &[Slot]) -> Option<Vec<TermId>> {
        slots.iter().map(|&slot| self.slots[slot]).collect()
    }

    /// The node that has the hole, if what is in the hole has its address as an argument: it keeps a name.
    fn above(&self, names: &Names<'_>) -> Option<BlockId> {
        let open = self.hole.as_ref()?;
        let arguments = self.terms(&open.arguments)?;
        names.may_refer_to(&arguments).contains(&open.above).then_some(open.above)
    }

    /// Blocks that would lose their names, though something holds them that the definitions do not tell of.
    fn held_from_outside(
        &self,
        names: &Names<'_>,
        referrers: &Referrers,
        root: BlockId,
    ) -> Vec<BlockId> {
        let is_told = |holder: &Referrer| match holder {
            Referrer::Root => false,
            Referrer::Block(id, field) => {
                field.is_some_and(|field| self.told.contains(&(*id, field)))
            }
        };
        let above = self.above(names);
        let keeps_its_name = |id: BlockId| id == root || Some(id) == above;
        let is_held = |id: &&BlockId| {
            !keeps_its_name(**id) && !referrers.get(id).into_iter().flatten().all(is_told)
        };
        self.blocks.iter().filter(is_held).copied().collect()
    }
}

struct Search<'a, 'n, 's> {
    names: &'a mut Names<'n>,
    place: Place<'s>,
    root: BlockId,
    /// Blocks that must not become a part.
    barred: &'a BTreeSet<BlockId>,
}

impl Search<'_, '_, '_> {
    /// A block is the root of what is looked for.
    fn block(&mut self, id: BlockId, below: &Below, mut partial: Partial) -> Option<Partial> {
        let state = self.place.state;
        let block = state.blocks.get(&id)?;
        let is_live_heap = block.kind == BlockKind::Heap && block.life == Life::Alive;
        if !is_live_heap || !partial.blocks.insert(id) {
            return None;
        }
        if let Some(instance) = block.instance() {
            return self.instance((id, instance), below, partial);
        }
        let definition = &self.place.definitions.predicates[below.predicate];
        let size = self.names.constant(block.size);
        if !block.is_single() || size != Some(u128::from(definition.size)) {
            return None;
        }
        definition.nodes.iter().find_map(|node| self.node((id, block), node, below, &partial))
    }

    /// An instance within the instance: its hole may be filled.
    fn instance(
        &mut self,
        (id, instance): (BlockId, &Instance),
        below: &Below,
        mut partial: Partial,
    ) -> Option<Partial> {
        let is_ours = Arc::ptr_eq(&instance.definitions, self.place.definitions)
            || instance.definitions == *self.place.definitions;
        if !is_ours || instance.predicate != below.predicate {
            return None;
        }
        let terms = below.arguments.iter().zip(&instance.arguments);
        if !terms.into_iter().all(|(&slot, &term)| partial.bind(slot, term)) {
            return None;
        }
        let ends = self.place.state.block(id).ends();
        partial.told.extend(ends.map(|(end, _)| (id, Field::End(end))));
        let Some(hole) = &instance.hole else { return Some(partial) };
        let arguments: Vec<Slot> =
            hole.arguments.iter().map(|&term| partial.slot(Some(term))).collect();
        let inner = Below { predicate: hole.predicate, arguments, depth: below.depth + 1 };
        let (above, value) = (hole.above.unwrap_or(id), hole.value);
        let is_kept = hole.above.is_some_and(|above| self.barred.contains(&above));
        if !is_kept {
            let mut filled = partial.clone();
            filled.blocks.extend(hole.above);
            if let Some(filled) = self.filled(value, &inner, filled) {
                return Some(filled);
            }
        }
        self.hole(value, &inner, above, partial)
    }

    /// A single block is a node of some case.
    fn node(
        &mut self,
        (id, block): (BlockId, &Block),
        node: &Node,
        below: &Below,
        partial: &Partial,
    ) -> Option<Partial> {
        let mut partial = partial.clone();
        let this = self.names.address(id);
        let null = self.names.terms.bit_vector(0, self.names.pointer_bits());
        let mut links: Vec<Option<TermId>> = vec![None; node.links.len()];
        for field in &node.fields {
            let held = self.held(block, field)?;
            let fits = match field.value {
                Value::Null => held == null,
                Value::This => held == this,
                Value::Parameter(index) => partial.bind(below.arguments[index], held),
                Value::Link(index) => *links[index].get_or_insert(held) == held,
                Value::Number(number) => self.names.constant(held) == Some(number),
            };
            if !fits {
                return None;
            }
            partial.told.insert((id, Field::Cell(field.offset)));
        }
        let is_told = |offset: u64| node.fields.iter().any(|field| field.offset == offset);
        let hides = |(offset, cell): (&u64, &crate::heap::block::Cell)| {
            !is_told(*offset) && self.names.holds_address(cell.value)
        };
        // What no field tells of may be anything, but who holds a block must stay known.
        if block.cells.iter().any(hides) || block.contents != Default::default() {
            return None;
        }
        for (index, link) in node.links.iter().enumerate() {
            let arguments = link.arguments.iter().map(|argument| match *argument {
                Value::Null => partial.slot(Some(null)),
                Value::This => partial.slot(Some(this)),
                Value::Parameter(index) => below.arguments[index],
                Value::Link(index) => partial.slot(links[index]),
                Value::Number(_) => unreachable!("arguments are pointers"),
            });
            let arguments = arguments.collect();
            let depth = below.depth + 1;
            let inner = Below { predicate: link.predicate, arguments, depth };
            let value = links[index].expect("every link is in a field");
            let filled = self.filled(value, &inner, partial.clone());
            partial = match filled {
                Some(filled) => filled,
                None => self.hole(value, &inner, id, partial)?,
            };
        }
        Some(partial)
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
    fn filled(&mut self, value: TermId, below: &Below, mut partial: Partial) -> Option<Partial> {
        let definition = &self.place.definitions.predicates[below.predicate];
        let is_null = self.names.constant(value) == Some(0);
        let is_known_end = |empty: &Empty| match empty {
            Empty::Null => is_null,
            Empty::Parameter(index) => partial.slots[below.arguments[*index]] == Some(value),
        };
        if definition.empties.iter().any(is_known_end) {
            return Some(partial);
        }
        if let Some(target) = self.target(value)
            && !self.is_held(target)
            && let Some(found) = self.block(target, below, partial.clone())
        {
            return Some(found);
        }
        let ends: Vec<Slot> = definition
            .empties
            .iter()
            .filter_map(|empty| match empty {
                Empty::Null => None,
                Empty::Parameter(index) => Some(below.arguments[*index]),
            })
            .collect();
        let open = ends.into_iter().find(|&slot| partial.slots[slot].is_none())?;
        partial.bind(open, value).then_some(partial)
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
