//! Coverage: whether one abstract state describes all that another does.
//!
//! The states are matched; then the new path condition must imply the known one, and every kind of
//! node of a new segment must be covered by some kind of the known segment in its place.

use std::sync::Arc;

use heapwright_logic::TermId;
use heapwright_program::sign_extend;

use crate::context::Context;
use crate::heap::block::{BlockId, BlockKind, Prototype, Role, Segment};
use crate::heap::incoming::{Referrer, Referrers};
use crate::heap::language::{KindSet, Sequence};
use crate::heap::prototype::{Bank, Fragment};
use crate::heap::state::State;
use crate::precision::Marks;
use crate::reasoning::path_condition::Possible;
use crate::summary::matched::Manner;
use crate::summary::matched::{Chains, Match, Sides};
use crate::summary::mismatch::{Matched, Mismatch, Position};
use crate::summary::prototypes::Own;

/// How a known state relates to a new one.
pub(crate) enum Relation {
    /// It covers the new one.
    Covers,
    /// The same shape: this describes both.
    Generalised(Box<State>),
    Unrelated,
}

/// How a kind of node relates to another.
pub(crate) enum PrototypeRelation {
    /// It covers the new one; this was learnt of names outside.
    Covers(Box<Match>),
    Generalised(Prototype),
    Unrelated,
}

impl Context<'_> {
    /// Relates a known state to a new one at the same place. `eager`: widen at once.
    pub(crate) fn relate(&mut self, known: &State, new: &State, eager: bool) -> Relation {
        match self.relate_one_way((known, new), eager) {
            // One node may be covered by a chain of any length, but cannot be widened to one.
            Relation::Unrelated => match self.relate_one_way((new, known), eager) {
                Relation::Covers => Relation::Generalised(Box::new(new.clone())),
                related => related,
            },
            related => related,
        }
    }

    fn relate_one_way(&mut self, sides: Sides<'_>, eager: bool) -> Relation {
        let (known, new) = sides;
        let Ok(found) = self.compare(sides) else { return Relation::Unrelated };
        if found.is_exact() && self.implies(&known_conjuncts(known), new, &found) {
            return Relation::Covers;
        }
        if self.differ_by_marks(known, &found) || found.mixes_ends() {
            return Relation::Unrelated;
        }
        match self.generalise(
            sides,
            &found,
            &known_conjuncts(known),
            Manner { depth: 0, eager, shapes: true },
        ) {
            Some(general) => {
                self.names.expect_well_formed(&general);
                Relation::Generalised(Box::new(general))
            }
            None => Relation::Unrelated,
        }
    }

    /// Whether the known state describes all that the new one does, or why not.
    pub(crate) fn entails(&mut self, known: &State, new: &State) -> Matched {
        let found = self.compare((known, new))?;
        if let Some(&(position, ..)) = found.differing.first() {
            return Err(Mismatch::Numbers(position));
        }
        if let Some(&(block, _)) = found.forgotten.first() {
            return Err(Mismatch::Arbitrary(block));
        }
        if let Some(chains) = found.looser.first() {
            return Err(Mismatch::Prototypes(chains.known, chains.new));
        }
        if self.implies(&known_conjuncts(known), new, &found) {
            Ok(())
        } else {
            Err(Mismatch::Condition)
        }
    }

    fn compare(&mut self, sides: Sides<'_>) -> Result<Match, Mismatch> {
        self.have_like_outlines(sides)?;
        let mut found = self.match_states(sides)?;
        self.compare_segments(sides, &mut found, 0)?;
        if Context::is_complete(sides, &found) { Ok(found) } else { Err(Mismatch::LeftOver) }
    }

    /// Whether a value may be one by which the program tells nodes apart: it names it.
    pub(crate) fn is_mark(&self, value: TermId) -> bool {
        let Some(bits) = self.names.constant(value) else { return false };
        let number = sign_extend(bits, self.names.terms.width(value));
        self.names.facts.named_constants.contains(&number)
    }

    /// Where constants are marks, whether a number of each node would have to become a constant that
    /// it is known not to be.
    fn excludes_a_mark(&mut self, conjuncts: &[TermId], new: &State, found: &Match) -> bool {
        if self.precision.marks == Marks::Numbers {
            return false;
        }
        let is_marked = |context: &Self, name: &TermId| {
            found.opened.contains(name)
                && found.variables.get(name).is_some_and(|&value| context.is_mark(value))
        };
        let is_excluded = conjuncts.iter().any(|&conjunct| {
            let names = self.names.terms.free_variables(&[conjunct]);
            names.iter().any(|name| is_marked(self, name)) && !self.is_implied(conjunct, new, found)
        });
        self.learnt.by_marks(is_excluded)
    }

    /// Where constants are marks, whether a difference is one of constants in a heap block.
    fn differ_by_marks(&self, known: &State, found: &Match) -> bool {
        let is_marked = self.precision.marks != Marks::Numbers
            && found.differing.iter().any(|(position, a, b)| {
                let block = match position {
                    Position::Cell { block, .. } | Position::End { block, .. } => block,
                    Position::Global(_)
                    | Position::Register(..)
                    | Position::Held(_)
                    | Position::Result => return false,
                };
                let is_heap = known.block(*block).kind == BlockKind::Heap;
                is_heap && (self.is_mark(*a) || self.is_mark(*b))
            });
        self.learnt.by_marks(is_marked)
    }

    /// Compares the kinds of nodes of all segments and trees that were matched.
    fn compare_segments(&mut self, sides: Sides<'_>, found: &mut Match, depth: u32) -> Matched {
        // Comparing kinds may match more blocks, and more segments with them.
        while let Some(chains) = found.segments.pop() {
            let is_covered = match &sides.0.block(chains.known).role.clone() {
                Role::Segment(segment) => {
                    self.is_segment_covered(sides, found, segment, chains, depth)
                }
                Role::Tree(tree) => self.is_tree_covered(sides, found, tree, chains, depth)?,
                Role::Region | Role::LastOf(_) => unreachable!("it has no kinds"),
            };
            if !is_covered {
                found.looser.push(chains);
            }
            self.match_pending(sides, found)?;
        }
        Ok(())
    }

    /// Whether a segment covers the new side's segment or single node.
    fn is_segment_covered(
        &mut self,
        sides: Sides<'_>,
        found: &mut Match,
        segment: &Segment,
        chains: Chains,
        depth: u32,
    ) -> bool {
        let known = &segment.kinds;
        match &sides.1.block(chains.new).role {
            Role::Segment(new) => {
                // All are compared: names may be learnt from each.
                let kinds = new.kinds.iter();
                let readings: Vec<KindSet> = kinds
                    .map(|kind| self.kinds_that_cover(sides, found, segment, kind, depth))
                    .collect();
                let are_covered = readings.iter().all(|reading| !reading.is_empty());
                let order = |segment: &Segment| segment.order.map(|sorted| sorted.order);
                let is_sorted = segment.order.is_none() || order(segment) == order(new);
                are_covered
                    && is_sorted
                    && segment.minimum <= new.minimum
                    && self.is_sequence_covered(found, segment, &new.words(), &readings)
            }
            Role::Region | Role::LastOf(_) => {
                let readings = self.readings(sides.1, found, known, chains);
                let covering = readings.iter().find_map(|kind| {
                    let covering = self.kinds_that_cover(sides, found, segment, kind, depth);
                    (!covering.is_empty()).then_some(covering)
                });
                covering.is_some_and(|covering| {
                    self.is_sequence_covered(found, segment, &Sequence::single(0), &[covering])
                }) && segment.minimum <= 1
            }
            Role::Tree(_) => false,
        }
    }

    /// The kind of a single new node. What it has as its successor may stand in other cells too:
    /// it is the successor where the known kinds have theirs, or wherever it stands.
    pub(crate) fn readings(
        &mut self,
        new: &State,
        found: &mut Match,
        known: &[Arc<Prototype>],
        chains: Chains,
    ) -> Vec<Arc<Prototype>> {
        let id = chains.new;
        let (at, links) = chains.links.expect("a single node has links");
        let holders = self.holders_beside(new, found, id);
        let is_link = |block: BlockId, offset: u64| {
            (block == at && offset == links.next) || (block == id && Some(offset) == links.previous)
        };
        let owned = self.names.payload_beside(new, &holders, id, &is_link);
        // There is one such node: its numbers are as good as the state's.
        let own = (&owned, Own::Blocks);
        let mentions = self.mentions(known);
        let mut kinds =
            vec![self.kind_of(new, (id, at), links, own, &|cell| mentions.contains(&cell))];
        if self.names.holds_address(new.block(at).cells[&links.next].value) {
            let wherever = self.kind_of(new, (id, at), links, own, &|_| true);
            if wherever != kinds[0] {
                kinds.push(wherever);
            }
        }
        found.absorbed.extend(owned);
        kinds
    }

    /// Who holds whom. What is matched for itself is not the node's own, though nothing else may be
    /// seen to hold it: the node of an opened kind is held by its list.
    pub(crate) fn holders_beside(
        &mut self,
        new: &State,
        found: &Match,
        node: BlockId,
    ) -> Referrers {
        let mut holders = self.names.holders(new);
        for &matched in found.back.keys().filter(|&&matched| matched != node) {
            holders.entry(matched).or_default().push(Referrer::Root);
        }
        holders
    }

    /// The kinds of a segment that cover a new one; one of them is enough if any may follow any.
    fn kinds_that_cover(
        &mut self,
        sides: Sides<'_>,
        found: &mut Match,
        segment: &Segment,
        new: &Prototype,
        depth: u32,
    ) -> KindSet {
        if segment.sequence.is_none() {
            let is_covered = self.is_kind_covered(sides, found, &segment.kinds, new, depth);
            return if is_covered { KindSet::all(segment.kinds.len()) } else { KindSet::default() };
        }
        let mut covering = KindSet::default();
        for (index, known) in segment.kinds.iter().enumerate() {
            let known = std::slice::from_ref(known);
            if self.is_kind_covered(sides, found, known, new, depth) {
                covering.insert(index);
            }
        }
        covering
    }

    /// Whether the sequence of a segment allows what a new one does. Notes if its ends may be more.
    fn is_sequence_covered(
        &self,
        found: &mut Match,
        segment: &Segment,
        new: &Sequence,
        readings: &[KindSet],
    ) -> bool {
        let Some(known) = &segment.sequence else { return true };
        found.has_wider_ends |= known.has_more_ends(new, readings);
        known.simulates(new, readings)
    }

    pub(crate) fn is_kind_covered(
        &mut self,
        sides: Sides<'_>,
        found: &mut Match,
        known: &[Arc<Prototype>],
        new: &Prototype,
        depth: u32,
    ) -> bool {
        if known.iter().any(|known| self.is_same_kind(found, known, new)) {
            return true;
        }
        for known in known {
            if let PrototypeRelation::Covers(inner) =
                self.relate_kinds_at(sides, found, (known, new), depth, None)
            {
                found.learn(&inner);
                return true;
            }
        }
        false
    }

    /// Whether a kind of a state covers another one of it.
    pub(crate) fn covers_kind(
        &mut self,
        state: &State,
        found: &Match,
        kinds: (&Prototype, &Prototype),
        depth: u32,
    ) -> bool {
        let relation = self.relate_kinds_at((state, state), found, kinds, depth, None);
        matches!(relation, PrototypeRelation::Covers(_))
    }

    /// Whether two kinds are the same by their form alone.
    fn is_same_kind(&self, found: &Match, known: &Prototype, new: &Prototype) -> bool {
        known == new && (found.is_one_state() || self.names.outer_names(known).is_empty())
    }

    /// Relates a known kind to a new one, and generalises it in some manner.
    pub(crate) fn relate_kinds(
        &mut self,
        sides: Sides<'_>,
        found: &Match,
        kinds: (&Prototype, &Prototype),
        manner: Manner,
    ) -> PrototypeRelation {
        self.relate_kinds_at(sides, found, kinds, manner.depth, Some(manner))
    }

    fn relate_kinds_at(
        &mut self,
        sides: Sides<'_>,
        found: &Match,
        (known_kind, new_kind): (&Prototype, &Prototype),
        depth: u32,
        manner: Option<Manner>,
    ) -> PrototypeRelation {
        if self.is_same_kind(found, known_kind, new_kind) {
            return PrototypeRelation::Covers(Box::new(found.inner()));
        }
        let a = self.names.open_for_comparison(known_kind, Bank::Known, depth);
        let b = self.names.open_for_comparison(new_kind, Bank::New, depth);
        let known = sides.0.with_fragment(&a);
        let new = sides.1.with_fragment(&b);
        let inner_sides = (&known, &new);
        let mut inner = found.inner();
        let own = self.numbers_of(known_kind, &a);
        let own_of_new = self.numbers_of(new_kind, &b);
        inner.levels.extend(own.iter().chain(&own_of_new).map(|&number| (number, depth + 1)));
        inner.opened.extend(own);
        inner.opened_blocks.extend(a.blocks.iter().chain(&b.blocks).map(|(id, _)| *id));
        let its = self.names.neighbours_for_comparison(Bank::Known, depth);
        let of_new = self.names.neighbours_for_comparison(Bank::New, depth);
        inner.variables.insert(its.next, of_new.next);
        inner.variables.insert(its.previous, of_new.previous);
        let Ok(()) = self.match_fragments(inner_sides, &mut inner, (&a, &b), depth) else {
            return PrototypeRelation::Unrelated;
        };
        if inner.is_exact() && self.implies(&a.condition, &new, &inner) {
            return PrototypeRelation::Covers(Box::new(inner));
        }
        let Some(manner) = manner else { return PrototypeRelation::Unrelated };
        if self.differ_by_marks(&known, &inner)
            || self.excludes_a_mark(&a.condition, &new, &inner)
            || inner.mixes_ends()
        {
            return PrototypeRelation::Unrelated;
        }
        let general = self.generalise(inner_sides, &inner, &a.condition, manner.deeper());
        let Some(general) = general else {
            return PrototypeRelation::Unrelated;
        };
        let blocks = a.blocks.iter().map(|(id, _)| (*id, Arc::clone(general.block(*id)))).collect();
        let condition = general.condition.iter().copied().collect();
        let outer = self.names.names_outside(sides.0, &|_| false).into_iter().collect();
        let open = self.names.open_neighbours();
        let fragment = self.names.with_neighbours(&Fragment { blocks, condition }, its, open);
        let kind = self.names.close(&fragment, &outer);
        PrototypeRelation::Generalised(kind)
    }

    /// The names that an opened kind's own numbers got.
    fn numbers_of(&self, kind: &Prototype, opened: &Fragment) -> Vec<TermId> {
        let outer = self.names.outer_names(kind);
        let mut terms = opened.condition.clone();
        for (_, block) in &opened.blocks {
            terms.extend(block.all_terms());
        }
        let mut names = self.names.terms.free_variables(&terms);
        names.retain(|name| {
            !outer.contains(name)
                && !self.names.stand_ins.contains(name)
                && !self.names.blocks_of_addresses.contains_key(name)
        });
        names
    }

    fn match_fragments(
        &mut self,
        sides: Sides<'_>,
        found: &mut Match,
        (a, b): (&Fragment, &Fragment),
        depth: u32,
    ) -> Matched {
        self.pair(sides, found, a.blocks[0].0, b.blocks[0].0)?;
        self.match_pending(sides, found)?;
        self.compare_segments(sides, found, depth + 1)?;
        let all_known = a.blocks.iter().all(|(id, _)| found.partner(*id).is_some());
        let all_new = b.blocks.iter().all(|(id, _)| found.has_new(*id));
        if all_known && all_new { Ok(()) } else { Err(Mismatch::LeftOver) }
    }

    /// Whether the new condition implies conjuncts of the known one under the match.
    fn implies(&mut self, known: &[TermId], new: &State, found: &Match) -> bool {
        known.iter().all(|&conjunct| self.is_implied(conjunct, new, found))
    }

    pub(crate) fn is_implied(&mut self, conjunct: TermId, new: &State, found: &Match) -> bool {
        // Variables without a partner belong to values that the new state does not have; addresses
        // are matched by block, not by number.
        let free = self.names.terms.free_variables(&[conjunct]);
        let is_matched = free.iter().all(|variable| {
            let is_outer = found.is_one_state() && !found.opened.contains(variable);
            (is_outer || found.variables.contains_key(variable))
                && !self.names.blocks_of_addresses.contains_key(variable)
        });
        if !is_matched {
            return false;
        }
        let wanted = self.names.terms.substitute(conjunct, &found.variables);
        if self.names.truth(wanted) == Some(true) || new.condition.contains(&wanted) {
            return true;
        }
        let negation = self.names.terms.not(wanted);
        matches!(self.possible(new, negation), Possible::No)
    }
}

pub(crate) fn known_conjuncts(known: &State) -> Vec<TermId> {
    known.condition.iter().copied().collect()
}
