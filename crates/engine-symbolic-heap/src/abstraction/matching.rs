//! Matching two states: which block and which value of one stands where in the other.
//!
//! The walk goes block by block from the variables on. A variable of the known state stands for
//! whatever the new one has in its place. Numbers that cannot be matched are noted, and so are
//! segments whose nodes may be of more kinds; any other difference is a difference of shape.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::Context;
use crate::heap::state::{Block, BlockId, Cell, End, Field, Outside, Rest, Role, State};
use crate::summary::list::links::Links;
use crate::summary::prototype::level;

/// Where a value stands in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    Global(usize),
    Register(usize, usize),
    Held(usize),
    Result,
    Cell { block: BlockId, offset: u64, size: u64 },
    End { block: BlockId, end: End },
}

/// A segment of the known side, and what stands in its place on the new side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chains {
    pub(crate) known: BlockId,
    pub(crate) new: BlockId,
    /// Of a single new node, with the block that has the link to the next.
    pub(crate) links: Option<(BlockId, Links)>,
}

/// What matching two states found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Match {
    /// Known block to new block, and back. The two ends of a known segment may be one new block.
    blocks: FxHashMap<BlockId, BlockId>,
    pub(crate) back: FxHashMap<BlockId, BlockId>,
    pending: Vec<(BlockId, BlockId)>,
    /// Known variable to new term.
    pub(crate) variables: BTreeMap<TermId, TermId>,
    /// Both states are the same one: only names of opened kinds are matched.
    one_state: bool,
    /// Numbers of opened kinds of the known side.
    pub(crate) opened: FxHashSet<TermId>,
    /// Numbers of opened kinds of either side, with how many kinds around them are opened.
    pub(crate) levels: FxHashMap<TermId, u32>,
    /// Blocks of opened kinds, of either side.
    pub(crate) opened_blocks: FxHashSet<BlockId>,
    /// Places in the known state whose number does not cover the new state's, with both.
    pub(crate) differing: Vec<(Position, TermId, TermId)>,
    /// Cells of the known state whose bytes are arbitrary in the new one.
    pub(crate) forgotten: Vec<(BlockId, u64)>,
    /// Segments whose kinds are still to be compared, with the new side's segment or single node.
    pub(crate) segments: Vec<Chains>,
    /// Segments that do not cover the new side's.
    pub(crate) looser: Vec<Chains>,
    /// A known segment allows more kinds at its ends than what it covers.
    pub(crate) has_wider_ends: bool,
    /// Blocks of the new side that belong to a node which a known segment covers.
    pub(crate) absorbed: FxHashSet<BlockId>,
}

impl Match {
    /// For comparing kinds within one state.
    pub(crate) fn of_one_state() -> Match {
        Match { one_state: true, ..Match::default() }
    }

    pub(crate) fn is_one_state(&self) -> bool {
        self.one_state
    }

    /// The same names, and nothing that was found to differ: what an inner comparison starts from.
    pub(crate) fn inner(&self) -> Match {
        Match {
            differing: Vec::new(),
            forgotten: Vec::new(),
            segments: Vec::new(),
            looser: Vec::new(),
            has_wider_ends: false,
            absorbed: FxHashSet::default(),
            ..self.clone()
        }
    }

    /// Takes over what an inner comparison learnt of names outside it.
    pub(crate) fn learn(&mut self, inner: &Match) {
        let is_inner =
            |a: &BlockId| inner.opened_blocks.contains(a) && !self.opened_blocks.contains(a);
        let learnt: Vec<(BlockId, BlockId)> =
            inner.blocks.iter().filter(|(a, _)| !is_inner(a)).map(|(&a, &b)| (a, b)).collect();
        for (a, b) in learnt {
            self.blocks.entry(a).or_insert(b);
            self.back.entry(b).or_insert(a);
        }
        for (&a, &b) in inner.variables.iter() {
            if !inner.opened.contains(&a) || self.opened.contains(&a) {
                self.variables.insert(a, b);
            }
        }
    }

    pub(crate) fn partner(&self, known: BlockId) -> Option<BlockId> {
        if self.one_state && !self.opened_blocks.contains(&known) {
            return Some(known);
        }
        self.blocks.get(&known).copied()
    }

    pub(crate) fn has_new(&self, new: BlockId) -> bool {
        self.back.contains_key(&new) || self.absorbed.contains(&new)
    }

    /// Whether numbers differ, and the ends of a segment too: numbers may tell how it begins or ends.
    pub(crate) fn mixes_ends(&self) -> bool {
        self.has_wider_ends && !self.differing.is_empty()
    }

    /// Whether all that matters of the new state is in the known one, conditions apart.
    pub(crate) fn is_exact(&self) -> bool {
        self.differing.is_empty() && self.forgotten.is_empty() && self.looser.is_empty()
    }
}

/// The known state and the new one.
pub(crate) type Sides<'s> = (&'s State, &'s State);

impl Context<'_> {
    /// Matches two states at the same place; the kinds of segments are still to be compared.
    pub(crate) fn match_states(&mut self, (known, new): Sides<'_>) -> Option<Match> {
        if known.frames.len() != new.frames.len() {
            return None;
        }
        let sides = (known, new);
        let mut found = Match::default();
        for (&a, &b) in known.function_blocks.iter().zip(new.function_blocks.iter()) {
            self.pair(sides, &mut found, a, b)?;
        }
        for (a, b) in known.static_blocks.iter().zip(new.static_blocks.iter()) {
            if let (Some(a), Some(b)) = (a, b) {
                self.pair(sides, &mut found, *a, *b)?;
            }
        }
        self.match_slots(sides, (&known.globals, &new.globals), Position::Global, &mut found)?;
        self.match_outside(sides, &mut found)?;
        for (index, (a, b)) in known.frames.iter().zip(new.frames.iter()).enumerate() {
            if a.function != b.function
                || a.location != b.location
                || a.target != b.target
                || a.allocas.len() != b.allocas.len()
                || !a.objects.keys().eq(b.objects.keys())
            {
                return None;
            }
            let position = |slot| Position::Register(index, slot);
            self.match_slots(sides, (&a.registers, &b.registers), position, &mut found)?;
            for (x, y) in a.objects.values().zip(b.objects.values()) {
                self.pair(sides, &mut found, *x, *y)?;
            }
            for (x, y) in a.allocas.iter().zip(b.allocas.iter()) {
                self.pair(sides, &mut found, *x, *y)?;
            }
        }
        self.match_pending(sides, &mut found)?;
        Some(found)
    }

    /// Whether no block of either state was left over: it would be forgotten, or made up.
    pub(crate) fn is_complete((known, new): Sides<'_>, found: &Match) -> bool {
        new.blocks.keys().all(|&block| found.has_new(block))
            && known.blocks.keys().all(|block| found.blocks.contains_key(block))
    }

    pub(crate) fn match_pending(&mut self, sides: Sides<'_>, found: &mut Match) -> Option<()> {
        while let Some((a, b)) = found.pending.pop() {
            self.match_blocks(sides, (a, b), found)?;
        }
        Some(())
    }

    pub(crate) fn pair(
        &self,
        (known, new): Sides<'_>,
        found: &mut Match,
        a: BlockId,
        b: BlockId,
    ) -> Option<()> {
        // What each node has for itself is never what others hold as well, be it other nodes of
        // the same inner list.
        let is_own = found.opened_blocks.contains(&a);
        if is_own != found.opened_blocks.contains(&b) || level(a) != level(b) {
            return None;
        }
        if found.one_state && !is_own {
            return (a == b).then_some(());
        }
        match (found.blocks.get(&a), found.back.get(&b)) {
            (Some(&partner), _) if partner == b => Some(()),
            (None, None) => {
                found.blocks.insert(a, b);
                found.back.insert(b, a);
                found.pending.push((a, b));
                Some(())
            }
            // A single node is the first and the last of what stands for it.
            (None, Some(&other))
                if known.blocks.get(&a)?.partner() == Some(other)
                    && new.blocks.get(&b)?.role == Role::Region =>
            {
                found.blocks.insert(a, b);
                found.pending.push((a, b));
                Some(())
            }
            _ => None,
        }
    }

    fn match_slots(
        &mut self,
        sides: Sides<'_>,
        (known, new): (&[Option<TermId>], &[Option<TermId>]),
        position: impl Fn(usize) -> Position,
        found: &mut Match,
    ) -> Option<()> {
        for (slot, (a, b)) in known.iter().zip(new).enumerate() {
            match (a, b) {
                (Some(a), Some(b)) => {
                    self.match_values(sides, position(slot), (*a, *b), found)?;
                }
                // Nothing is known of a value that is not there.
                (None, _) => {}
                (Some(_), None) => return None,
            }
        }
        Some(())
    }

    /// What callers hold whose frames are cut off.
    fn match_outside(&mut self, sides: Sides<'_>, found: &mut Match) -> Option<()> {
        let (a, b) = match (&sides.0.outside, &sides.1.outside) {
            (Some(a), Some(b)) => (Arc::clone(a), Arc::clone(b)),
            (None, None) => return Some(()),
            (Some(_), None) | (None, Some(_)) => return None,
        };
        if a.function != b.function || a.held.len() != b.held.len() {
            return None;
        }
        for (index, (&x, &y)) in a.held.iter().zip(&b.held).enumerate() {
            self.match_values(sides, Position::Held(index), (x, y), found)?;
        }
        self.match_slots(sides, (&[a.result], &[b.result]), |_| Position::Result, found)
    }

    fn match_blocks(
        &mut self,
        sides: Sides<'_>,
        (a, b): (BlockId, BlockId),
        found: &mut Match,
    ) -> Option<()> {
        let (known, new) = sides;
        let (x, y) = (Arc::clone(known.blocks.get(&a)?), Arc::clone(new.blocks.get(&b)?));
        if x.kind != y.kind || x.life != y.life || !self.match_forms((&x, &y), found) {
            return None;
        }
        match (&x.role, &y.role) {
            (Role::Region, Role::Region) => self.match_cells(sides, (a, &x, &y), found),
            (Role::LastOf(first), Role::LastOf(other)) => self.pair(sides, found, *first, *other),
            (Role::LastOf(first), Role::Region) => self.pair(sides, found, *first, b),
            (Role::Segment(s), Role::Segment(t)) => {
                if s.head != t.head || s.last.is_some() != t.last.is_some() {
                    return None;
                }
                if let (Some(l), Some(m)) = (s.last, t.last) {
                    self.pair(sides, found, l, m)?;
                }
                found.segments.push(Chains { known: a, new: b, links: None });
                self.match_ends(sides, (a, &x, &y), None, found)
            }
            (Role::Segment(s), Role::Region) => {
                let links = match self.compound_links(sides.1, found, s, b) {
                    Some(links) => links,
                    None => (b, self.links_like(sides.1, found, s, b)?),
                };
                if let Some(last) = s.last {
                    self.pair(sides, found, last, b)?;
                }
                found.segments.push(Chains { known: a, new: b, links: Some(links) });
                self.match_ends(sides, (a, &x, &y), Some(links), found)
            }
            (Role::Tree(s), Role::Tree(t)) => {
                if s.links != t.links || s.hole.is_some() != t.hole.is_some() {
                    return None;
                }
                if let (Some(l), Some(m)) = (s.above, t.above) {
                    self.pair(sides, found, l, m)?;
                }
                found.segments.push(Chains { known: a, new: b, links: None });
                self.match_ends(sides, (a, &x, &y), None, found)
            }
            // Which of its links leads on is seen when the nodes below it are looked at.
            (Role::Tree(tree), Role::Region) => {
                found.segments.push(Chains { known: a, new: b, links: None });
                self.match_parent(sides, (a, &y), tree, found)
            }
            _ => None,
        }
    }

    /// Whether two values look like a match at first sight.
    pub(crate) fn may_match(&mut self, found: &Match, (known, new): (TermId, TermId)) -> bool {
        match (self.pointer(known), self.pointer(new)) {
            (Some((a, _)), Some((b, _))) => match (found.partner(a), found.back.get(&b)) {
                (Some(partner), _) => partner == b,
                (None, other) => other.is_none(),
            },
            (None, None) => self.terms.is_constant(known) == self.terms.is_constant(new),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// The ends of a segment, and those of the new side's segment or single node.
    fn match_ends(
        &mut self,
        sides: Sides<'_>,
        (id, x, y): (BlockId, &Block, &Block),
        links: Option<(BlockId, Links)>,
        found: &mut Match,
    ) -> Option<()> {
        let is_sorted = self.is_sorted_alike(x, y);
        if !is_sorted && links.is_some() {
            return None;
        }
        for (end, known) in x.ends() {
            let is_of_order = matches!(end, End::First | End::Last);
            // Where the new side is not sorted, the order is given up later.
            if is_of_order && !is_sorted {
                continue;
            }
            let other = match links {
                None => y.end(end),
                Some(_) if is_of_order => self.sorted_cell(x, y).map(|cell| cell.value),
                Some((at, links)) if end == End::Next => {
                    sides.1.block(at).field(Field::Cell(links.next))
                }
                Some((_, links)) => y.field(Field::Cell(links.previous?)),
            };
            let position = Position::End { block: id, end };
            self.match_values(sides, position, (known, other?), found)?;
        }
        Some(())
    }

    fn match_cells(
        &mut self,
        sides: Sides<'_>,
        (id, x, y): (BlockId, &Block, &Block),
        found: &mut Match,
    ) -> Option<()> {
        for (&offset, a) in &x.cells {
            let position = Position::Cell { block: id, offset, size: a.size };
            match y.cells.get(&offset) {
                Some(b) if a.size == b.size => {
                    self.match_values(sides, position, (a.value, b.value), found)?;
                }
                _ if overlaps(y, offset, a.size) => return None,
                _ => match y.rest {
                    Rest::Zero => {
                        let zero = self.terms.bit_vector(0, 8 * a.size as u32);
                        self.match_values(sides, position, (a.value, zero), found)?;
                    }
                    Rest::Uninitialised if !self.holds_address(a.value) => {
                        found.forgotten.push((id, offset));
                    }
                    Rest::Uninitialised | Rest::Initial(_) => return None,
                },
            }
        }
        for (&offset, b) in y.cells.iter().filter(|(offset, _)| !x.cells.contains_key(*offset)) {
            if overlaps(x, offset, b.size) {
                return None;
            }
            match x.rest {
                Rest::Zero => {
                    let zero = self.terms.bit_vector(0, 8 * b.size as u32);
                    let position = Position::Cell { block: id, offset, size: b.size };
                    self.match_values(sides, position, (zero, b.value), found)?;
                }
                // What the known block never read is arbitrary there: any number is covered.
                Rest::Uninitialised if !self.holds_address(b.value) => {}
                Rest::Uninitialised | Rest::Initial(_) => return None,
            }
        }
        Some(())
    }

    pub(crate) fn match_values(
        &mut self,
        sides: Sides<'_>,
        position: Position,
        (a, b): (TermId, TermId),
        found: &mut Match,
    ) -> Option<()> {
        if self.terms.sort(a) != self.terms.sort(b) {
            return None;
        }
        if let Sort::BitVector(_) = self.terms.sort(a) {
            match (self.pointer(a), self.pointer(b)) {
                (Some((block, offset)), Some((other, other_offset))) => {
                    self.pair(sides, found, block, other)?;
                    if self.match_terms((offset, other_offset), found) {
                        return Some(());
                    }
                    // Pointers into one block at different offsets are different shapes.
                    return None;
                }
                (None, None) => {}
                (Some(_), None) | (None, Some(_)) => return None,
            }
        }
        if !self.match_terms((a, b), found) {
            if self.holds_address(a) || self.holds_address(b) {
                return None;
            }
            found.differing.push((position, a, b));
        }
        Some(())
    }

    /// Whether a term has a number of an opened kind in it.
    pub(crate) fn has_own_number(&self, found: &Match, term: TermId) -> bool {
        !found.opened.is_empty()
            && self.terms.free_variables(&[term]).iter().any(|name| found.opened.contains(name))
    }

    /// Whether the new term has a number of a kind further in than the known number.
    fn is_deeper(&self, found: &Match, (known, new): (TermId, TermId)) -> bool {
        let level = |name: &TermId| found.levels.get(name).copied().unwrap_or(0);
        !found.levels.is_empty()
            && self.terms.free_variables(&[new]).iter().any(|name| level(name) > level(&known))
    }

    /// Whether the new term is the known one with terms for its variables; remembers which.
    pub(crate) fn match_terms(&mut self, (a, b): (TermId, TermId), found: &mut Match) -> bool {
        if self.terms.sort(a) != self.terms.sort(b) {
            return false;
        }
        match (self.terms.node(a), self.terms.node(b)) {
            (Term::Variable(_), _) if !self.blocks_of_addresses.contains_key(&a) => {
                if found.one_state && !found.opened.contains(&a) {
                    return a == b;
                }
                if let Some(&known) = found.variables.get(&a) {
                    return known == b;
                }
                // An address must not hide in a number, nor a number that each node has for itself
                // in one that all nodes share.
                let fits = !self.holds_address(b) && !self.is_deeper(found, (a, b));
                if fits {
                    found.variables.insert(a, b);
                }
                fits
            }
            (x, y) => {
                if x.children().as_slice().is_empty() {
                    return a == b && !self.blocks_of_addresses.contains_key(&a);
                }
                let same_kind =
                    x.map_children(|_| TermId::TRUE) == y.map_children(|_| TermId::TRUE);
                same_kind
                    && x.children()
                        .into_iter()
                        .zip(y.children())
                        .all(|(a, b)| self.match_terms((a, b), found))
            }
        }
    }

    /// Whether some block's address is in a term, or what stands for the link to a neighbour.
    pub(crate) fn holds_address(&self, term: TermId) -> bool {
        let variables = self.terms.free_variables(&[term]);
        variables.iter().any(|variable| {
            self.blocks_of_addresses.contains_key(variable) || self.links.contains(variable)
        })
    }
}

/// Puts a value where a position says.
pub(crate) fn put(state: &mut State, position: Position, value: TermId) {
    match position {
        Position::Global(slot) => Arc::make_mut(&mut state.globals)[slot] = Some(value),
        Position::Register(frame, slot) => {
            Arc::make_mut(&mut state.frames[frame].registers)[slot] = Some(value);
        }
        Position::Held(index) => outside_mut(state).held[index] = value,
        Position::Result => outside_mut(state).result = Some(value),
        Position::Cell { block, offset, size } => {
            state.block_mut(block).cells.insert(offset, Cell { size, value });
        }
        Position::End { block, end } => state.block_mut(block).set_field(Field::End(end), value),
    }
}

fn outside_mut(state: &mut State) -> &mut Outside {
    Arc::make_mut(state.outside.as_mut().expect("a state with callers that are cut off"))
}

/// Whether some cell of a block has a byte of a range.
fn overlaps(block: &Block, offset: u64, size: u64) -> bool {
    let before = block.cells.range(..offset).next_back();
    before.is_some_and(|(&start, cell)| start + cell.size > offset)
        || block.cells.range(offset..offset + size).next().is_some()
}
