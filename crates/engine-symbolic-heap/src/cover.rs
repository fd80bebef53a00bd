//! Coverage: whether one abstract state describes all that another does, and what describes both.
//!
//! Two states are matched block by block from their variables on. Where the shapes agree, values
//! are matched: a variable of the known state stands for whatever the new one has in its place, and
//! the new path condition must imply the known one. Where only numbers differ, both are generalised.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Sort, Term, TermId};
use rustc_hash::FxHashMap;

use crate::condition::Possible;
use crate::context::Context;
use crate::state::{Block, BlockId, BlockKind, Each, Range, Rest, Role, State};

/// Where a value stands in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Global(usize),
    Register(usize, usize),
    Cell(BlockId, u64),
}

/// What matching two states found.
struct Match {
    /// Known block to new block, and back.
    blocks: FxHashMap<BlockId, BlockId>,
    back: FxHashMap<BlockId, BlockId>,
    pending: Vec<(BlockId, BlockId)>,
    /// Known variable to new term.
    variables: BTreeMap<TermId, TermId>,
    /// Positions in the known state whose number does not cover the new state's, with both.
    differing: Vec<(Position, TermId, TermId)>,
    /// Segments of the new state with a shorter minimum, or wider numbers, than the known one.
    looser: Vec<(BlockId, BlockId)>,
}

/// How a known state relates to a new one.
pub(crate) enum Relation {
    /// It covers the new one.
    Covers,
    /// The same shape: this describes both.
    Generalised(Box<State>),
    Unrelated,
}

impl Context<'_> {
    /// Relates a known state to a new one at the same place. `eager`: widen at once.
    pub(crate) fn relate(&mut self, known: &State, new: &State, eager: bool) -> Relation {
        let Some(found) = self.match_states(known, new) else { return Relation::Unrelated };
        if found.differing.is_empty() && found.looser.is_empty() && self.implies(known, new, &found)
        {
            return Relation::Covers;
        }
        if self.marks && found.differing.iter().any(|differing| self.is_mark(known, differing)) {
            return Relation::Unrelated;
        }
        Relation::Generalised(Box::new(self.generalise(known, new, &found, eager)))
    }

    /// Whether the new state is covered.
    pub(crate) fn is_covered(&mut self, known: &State, new: &State) -> bool {
        match self.match_states(known, new) {
            Some(found) => {
                found.differing.is_empty()
                    && found.looser.is_empty()
                    && self.implies(known, new, &found)
            }
            None => false,
        }
    }

    /// Whether the difference is one of constants in a heap block.
    fn is_mark(&self, known: &State, (position, a, b): &(Position, TermId, TermId)) -> bool {
        let Position::Cell(block, _) = position else { return false };
        let is_heap = known.block(*block).kind == BlockKind::Heap;
        is_heap && (self.terms.is_constant(*a) || self.terms.is_constant(*b))
    }

    fn match_states(&mut self, known: &State, new: &State) -> Option<Match> {
        if known.frames.len() != new.frames.len() {
            return None;
        }
        let mut found = Match {
            blocks: FxHashMap::default(),
            back: FxHashMap::default(),
            pending: Vec::new(),
            variables: BTreeMap::new(),
            differing: Vec::new(),
            looser: Vec::new(),
        };
        for (&a, &b) in known.function_blocks.iter().zip(new.function_blocks.iter()) {
            self.pair(&mut found, a, b)?;
        }
        for (a, b) in known.static_blocks.iter().zip(new.static_blocks.iter()) {
            if let (Some(a), Some(b)) = (a, b) {
                self.pair(&mut found, *a, *b)?;
            }
        }
        self.match_slots(&known.globals, &new.globals, Position::Global, &mut found)?;
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
            self.match_slots(&a.registers, &b.registers, position, &mut found)?;
            for (x, y) in a.objects.values().zip(b.objects.values()) {
                self.pair(&mut found, *x, *y)?;
            }
            for (x, y) in a.allocas.iter().zip(b.allocas.iter()) {
                self.pair(&mut found, *x, *y)?;
            }
        }
        while let Some((a, b)) = found.pending.pop() {
            self.match_blocks(known, new, a, b, &mut found)?;
        }
        // A block of the new state that has no partner would be forgotten.
        let all = new.blocks.keys().all(|block| found.back.contains_key(block));
        (all && known.blocks.len() == new.blocks.len()).then_some(found)
    }

    fn pair(&self, found: &mut Match, a: BlockId, b: BlockId) -> Option<()> {
        match (found.blocks.get(&a), found.back.get(&b)) {
            (Some(&known), _) if known == b => Some(()),
            (None, None) => {
                found.blocks.insert(a, b);
                found.back.insert(b, a);
                found.pending.push((a, b));
                Some(())
            }
            _ => None,
        }
    }

    fn match_slots(
        &mut self,
        known: &[Option<TermId>],
        new: &[Option<TermId>],
        position: impl Fn(usize) -> Position,
        found: &mut Match,
    ) -> Option<()> {
        for (slot, (a, b)) in known.iter().zip(new).enumerate() {
            match (a, b) {
                (Some(a), Some(b)) => self.match_values(position(slot), *a, *b, found)?,
                // Nothing is known of a value that is not there.
                (None, _) => {}
                (Some(_), None) => return None,
            }
        }
        Some(())
    }

    fn match_blocks(
        &mut self,
        known: &State,
        new: &State,
        a: BlockId,
        b: BlockId,
        found: &mut Match,
    ) -> Option<()> {
        let (x, y) = (Arc::clone(known.blocks.get(&a)?), Arc::clone(new.blocks.get(&b)?));
        if x.kind != y.kind || x.life != y.life || x.rest != y.rest {
            return None;
        }
        self.match_sizes(x.size, y.size, found)?;
        match (&x.role, &y.role) {
            (Role::Region, Role::Region) => {}
            (Role::LastOf(first), Role::LastOf(other)) => self.pair(found, *first, *other)?,
            (Role::Segment(s), Role::Segment(t)) => {
                if s.next != t.next
                    || s.head != t.head
                    || s.own != t.own
                    || s.previous.map(|(offset, _)| offset) != t.previous.map(|(offset, _)| offset)
                {
                    return None;
                }
                if let (Some((_, l)), Some((_, m))) = (s.previous, t.previous) {
                    self.pair(found, l, m)?;
                }
                let is_covered = s.minimum <= t.minimum && self.each_covers(new, &x, &y);
                if !is_covered {
                    found.looser.push((a, b));
                }
            }
            _ => return None,
        }
        self.match_cells(&x, &y, a, found)
    }

    /// Whether the numbers of the new segment's nodes lie in the known one's ranges.
    fn each_covers(&mut self, new: &State, x: &Block, y: &Block) -> bool {
        let Role::Segment(s) = &x.role else { return true };
        s.each.iter().all(|(&offset, each)| {
            each.range.contains(self.number_range(new, y, offset, each.size))
        }) && {
            let Role::Segment(t) = &y.role else { return true };
            let is_gap =
                |offset: &u64| x.rest == Rest::Uninitialised && !x.cells.contains_key(offset);
            t.each.keys().all(|offset| s.each.contains_key(offset) || is_gap(offset))
        }
    }

    fn number_range(&mut self, state: &State, block: &Block, offset: u64, size: u64) -> Range {
        if let Role::Segment(segment) = &block.role
            && let Some(each) = segment.each.get(&offset)
        {
            return each.range;
        }
        match block.cells.get(&offset) {
            Some(cell) => self.range(state, cell.value),
            None => Range::full(8 * size as u32),
        }
    }

    fn match_cells(&mut self, x: &Block, y: &Block, id: BlockId, found: &mut Match) -> Option<()> {
        let each = |block: &Block, offset: u64| match &block.role {
            Role::Segment(segment) => segment.each.contains_key(&offset),
            Role::Region | Role::LastOf(_) => false,
        };
        let mut expected = 0;
        for (offset, a) in &x.cells {
            match y.cells.get(offset) {
                Some(b) if a.size == b.size => {
                    expected += 1;
                    self.match_values(Position::Cell(id, *offset), a.value, b.value, found)?;
                }
                Some(_) => return None,
                None if each(y, *offset) => {}
                None => return None,
            }
        }
        // What the known block never read is arbitrary there: any number is covered.
        let is_arbitrary = |offset: u64, value: TermId| {
            x.rest == Rest::Uninitialised
                && !x.cells.contains_key(&offset)
                && !self
                    .terms
                    .free_variables(&[value])
                    .iter()
                    .any(|variable| self.blocks_of_addresses.contains_key(variable))
        };
        let uncovered = y
            .cells
            .iter()
            .filter(|(offset, cell)| !each(x, **offset) && !is_arbitrary(**offset, cell.value))
            .count();
        (uncovered == expected).then_some(())
    }

    fn match_sizes(&mut self, a: TermId, b: TermId, found: &mut Match) -> Option<()> {
        if a == b {
            return Some(());
        }
        self.match_terms(a, b, &mut found.variables).then_some(())
    }

    fn match_values(
        &mut self,
        position: Position,
        a: TermId,
        b: TermId,
        found: &mut Match,
    ) -> Option<()> {
        if self.terms.sort(a) != self.terms.sort(b) {
            return None;
        }
        if let Sort::BitVector(_) = self.terms.sort(a) {
            match (self.pointer(a), self.pointer(b)) {
                (Some((block, offset)), Some((other, other_offset))) => {
                    self.pair(found, block, other)?;
                    if self.match_terms(offset, other_offset, &mut found.variables) {
                        return Some(());
                    }
                    // Pointers into one block at different offsets are different shapes.
                    return None;
                }
                (None, None) => {}
                (Some(_), None) | (None, Some(_)) => return None,
            }
        }
        if !self.match_terms(a, b, &mut found.variables) {
            found.differing.push((position, a, b));
        }
        Some(())
    }

    /// Whether `b` is `a` with terms for its variables; remembers which.
    fn match_terms(
        &mut self,
        a: TermId,
        b: TermId,
        variables: &mut BTreeMap<TermId, TermId>,
    ) -> bool {
        if self.terms.sort(a) != self.terms.sort(b) {
            return false;
        }
        match (self.terms.node(a), self.terms.node(b)) {
            (Term::Variable(_), _) if !self.blocks_of_addresses.contains_key(&a) => {
                if let Some(&known) = variables.get(&a) {
                    return known == b;
                }
                // An address must not hide in a number.
                let hides_address = self
                    .terms
                    .free_variables(&[b])
                    .iter()
                    .any(|variable| self.blocks_of_addresses.contains_key(variable));
                if !hides_address {
                    variables.insert(a, b);
                }
                !hides_address
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
                        .all(|(a, b)| self.match_terms(a, b, variables))
            }
        }
    }

    /// Whether the new condition implies the known one under the match.
    fn implies(&mut self, known: &State, new: &State, found: &Match) -> bool {
        known.condition.iter().all(|&conjunct| self.is_implied(conjunct, new, found))
    }

    fn is_implied(&mut self, conjunct: TermId, new: &State, found: &Match) -> bool {
        // Variables without a partner belong to values that the new state does not have; addresses
        // are matched by block, not by number.
        let free = self.terms.free_variables(&[conjunct]);
        let is_matched = free.iter().all(|variable| {
            found.variables.contains_key(variable)
                && !self.blocks_of_addresses.contains_key(variable)
        });
        if !is_matched {
            return false;
        }
        let wanted = self.terms.substitute(conjunct, &found.variables);
        if self.truth(wanted) == Some(true) || new.condition.contains(&wanted) {
            return true;
        }
        let negation = self.terms.not(wanted);
        matches!(self.possible(new, negation), Possible::No)
    }

    /// A state that describes both: the known one, with variables where numbers differ and without
    /// what the new path condition does not imply.
    fn generalise(&mut self, known: &State, new: &State, found: &Match, eager: bool) -> State {
        self.statistics.generalised += 1;
        let mut general = known.clone();
        general.model = None;
        self.weaken_condition(known, new, found, eager, &mut general);
        let mut fresh: FxHashMap<(TermId, TermId), TermId> = FxHashMap::default();
        for &(position, a, b) in &found.differing {
            // Numbers that are equal in both states stay equal.
            let value = match fresh.get(&(a, b)) {
                Some(&value) => value,
                None => {
                    let value = self.joined_number(known, new, (a, b), eager, &mut general);
                    fresh.insert((a, b), value);
                    value
                }
            };
            put(&mut general, position, value);
        }
        for &(a, b) in &found.looser {
            let (x, y) = (Arc::clone(known.block(a)), Arc::clone(new.block(b)));
            self.loosen(known, new, (&x, &y), eager, general.block_mut(a));
        }
        self.project(&mut general);
        general
    }

    /// Keeps what the new condition implies; of the rest, ranges that hold in both.
    fn weaken_condition(
        &mut self,
        known: &State,
        new: &State,
        found: &Match,
        eager: bool,
        general: &mut State,
    ) {
        let mut loose: Vec<TermId> = Vec::new();
        let mut kept: Vec<TermId> = Vec::new();
        for &conjunct in &known.condition {
            if self.is_implied(conjunct, new, found) {
                kept.push(conjunct);
            } else {
                loose.extend(self.terms.free_variables(&[conjunct]));
            }
        }
        general.condition = kept.into_iter().collect();
        loose.sort_unstable();
        loose.dedup();
        for variable in loose {
            let Some(&partner) = found.variables.get(&variable) else { continue };
            if !matches!(self.terms.sort(variable), Sort::BitVector(_)) {
                continue;
            }
            let bits = self.terms.width(variable);
            let (old, extra) = (self.range(known, variable), self.range(new, partner));
            self.assume_range(general, variable, widened(old, extra, bits, eager));
        }
    }

    fn joined_number(
        &mut self,
        known: &State,
        new: &State,
        (a, b): (TermId, TermId),
        eager: bool,
        general: &mut State,
    ) -> TermId {
        if self.terms.sort(a) == Sort::Boolean {
            // A plain variable, so that it covers any truth value the next time.
            return self.fresh_truth("either");
        }
        let bits = self.terms.width(a);
        let (old, extra) = (self.range(known, a), self.range(new, b));
        let range = widened(old, extra, bits, eager);
        let value = self.fresh("number", bits);
        self.assume_range(general, value, range);
        value
    }

    fn loosen(
        &mut self,
        known: &State,
        new: &State,
        (x, y): (&Block, &Block),
        eager: bool,
        target: &mut Block,
    ) {
        let (Role::Segment(s), Role::Segment(t)) = (&x.role, &y.role) else { return };
        let mut segment = s.clone();
        segment.minimum = s.minimum.min(t.minimum);
        // What the known segment leaves open stays open.
        let is_gap = |offset: &u64| {
            x.rest == Rest::Uninitialised
                && !x.cells.contains_key(offset)
                && !s.each.contains_key(offset)
        };
        let offsets: Vec<(u64, u64)> = s
            .each
            .iter()
            .chain(&t.each)
            .filter(|(offset, _)| !is_gap(offset))
            .map(|(&offset, each)| (offset, each.size))
            .collect();
        for (offset, size) in offsets {
            let old = self.number_range(known, x, offset, size);
            let extra = self.number_range(new, y, offset, size);
            let range = widened(old, extra, 8 * size as u32, eager);
            target.cells.remove(&offset);
            if target.rest == Rest::Uninitialised && range == Range::full(8 * size as u32) {
                segment.each.remove(&offset);
            } else {
                segment.each.insert(offset, Each { size, range });
            }
        }
        target.role = Role::Segment(segment);
    }
}

/// The hull of two ranges; a bound that moved goes to a landmark further out.
fn widened(old: Range, extra: Range, bits: u32, eager: bool) -> Range {
    let hull = old.hull(extra);
    if !eager {
        return hull;
    }
    let full = Range::full(bits);
    let mut range = hull;
    if hull.low < old.low {
        range.low = [0, -1, -128].into_iter().find(|&mark| mark <= hull.low).unwrap_or(full.low);
    }
    if hull.high > old.high {
        range.high = [0, 1].into_iter().find(|&mark| mark >= hull.high).unwrap_or(full.high);
    }
    range
}

fn put(state: &mut State, position: Position, value: TermId) {
    match position {
        Position::Global(slot) => Arc::make_mut(&mut state.globals)[slot] = Some(value),
        Position::Register(frame, slot) => {
            Arc::make_mut(&mut state.frames[frame].registers)[slot] = Some(value);
        }
        Position::Cell(block, offset) => {
            if let Some(cell) = state.block_mut(block).cells.get_mut(&offset) {
                cell.value = value;
            }
        }
    }
}
