//! What every state satisfies, whatever was done to it. Debug builds look after every operation.
//!
//! A state that breaks one of these rules is our mistake, never the program's: the check says which
//! rule, where, and shows the state.

use heapwright_base::DenseId;
use heapwright_logic::{Sort, TermId};
use heapwright_program::{ScalarType, VariableId};

use crate::heap::block::{Block, BlockId, BlockKind, End, Life, Prototype};
use crate::heap::contents::Extent;
use crate::heap::names::Names;
use crate::heap::prototype::is_stand_in;
use crate::heap::role::Summary;
use crate::heap::state::{Frame, State};

/// A rule that is broken.
type Checked = Result<(), String>;

/// Blocks of a state that is looked at after each edge.
const MOST_BLOCKS_AT_A_STEP: usize = 64;

impl Names<'_> {
    /// Looks at a state in debug builds.
    ///
    /// # Panics
    /// When a rule is broken.
    #[inline]
    pub(crate) fn expect_well_formed(&mut self, state: &State) {
        if cfg!(debug_assertions)
            && let Err(problem) = self.well_formed(state)
        {
            panic!("{problem} in\n{}", self.describe(state));
        }
    }

    /// The same after a single edge, which changes neither what nodes can be nor callers. States with very many blocks are
    /// looked at where they meet only: every edge would take as long as all before it together.
    ///
    /// # Panics
    /// When a rule is broken.
    #[inline]
    pub(crate) fn expect_well_formed_step(&mut self, state: &State) {
        if cfg!(debug_assertions)
            && state.blocks.len() <= MOST_BLOCKS_AT_A_STEP
            && let Err(problem) = self.well_formed_step(state)
        {
            panic!("{problem} in\n{}", self.describe(state));
        }
    }

    fn well_formed_step(&mut self, state: &State) -> Checked {
        if let Some(frame) = state.frames.last() {
            self.well_formed_frame(state, frame)?;
        }
        for (&id, block) in state.blocks.iter().filter(|(_, block)| block.is_single()) {
            self.well_formed_block(state, &mut Vec::new(), id, block)?;
        }
        match state.condition.last() {
            Some(&conjunct) => self.names_are_known(state, &[], conjunct, "a condition"),
            None => Ok(()),
        }
    }

    /// Whether a state satisfies all rules, or which not.
    pub(crate) fn well_formed(&mut self, state: &State) -> Checked {
        for frame in &state.frames {
            self.well_formed_frame(state, frame)?;
        }
        for (id, variable) in self.program().variables.enumerated() {
            if self.facts.is_global(id)
                && let Some(value) = state.globals[self.facts.slot(id)]
            {
                self.has_sort_of(value, id)?;
                self.names_are_known(state, &[], value, &variable.name)?;
            }
        }
        // Callers may still have the name of a block that is gone.
        for name in self.terms.free_variables(&state.held_outside().collect::<Vec<_>>()) {
            if self.stand_ins.contains(&name) || self.links.contains(&name) {
                return Err("callers hold a name of nodes".to_owned());
            }
        }
        for (&id, block) in &state.blocks {
            if is_stand_in(id) || id.index() >= state.next_block as usize {
                return Err(format!("{id} is a number that no block was given"));
            }
            self.well_formed_block(state, &mut Vec::new(), id, block)?;
            has_partner(state, id, block)?;
        }
        self.laws_are_of_held_names(state)?;
        self.words_stand_apart(state)?;
        for &conjunct in &state.condition {
            if self.terms.sort(conjunct) != Sort::Boolean {
                return Err("a condition that is no truth value".to_owned());
            }
            self.names_are_known(state, &[], conjunct, "a condition")?;
        }
        Ok(())
    }

    fn well_formed_frame(&mut self, state: &State, frame: &Frame) -> Checked {
        let program = self.program();
        for &id in self.facts.variables_of(frame.function).iter() {
            if let Some(value) = frame.registers[self.facts.slot(id)] {
                self.has_sort_of(value, id)?;
                self.names_are_known(state, &[], value, &program.variables[id].name)?;
            }
        }
        for id in frame.objects.values().chain(&frame.allocas) {
            let block = state.blocks.get(id).ok_or_else(|| format!("a local object is no {id}"))?;
            // A local object of const type can be written no more once it has its value.
            if !matches!(block.kind, BlockKind::Stack | BlockKind::Constant) {
                return Err(format!("a local object is {id}, which is not on the stack"));
            }
        }
        Ok(())
    }

    fn has_sort_of(&self, value: TermId, variable: VariableId) -> Checked {
        let variable = &self.program().variables[variable];
        let sort = match variable.scalar {
            ScalarType::Bool => Sort::Boolean,
            other => Sort::BitVector(self.bits(other)),
        };
        if self.terms.sort(value) == sort {
            return Ok(());
        }
        Err(format!("`{}` has {:?}, not {sort:?}", variable.name, self.terms.sort(value)))
    }

    /// Every block that a term names is there, and no name of a prototype is used outside of it.
    /// Places are offsets, in blocks that have elements.
    fn is_extent(
        &self,
        state: &State,
        prototypes: &[&Prototype],
        (id, block): (BlockId, &Block),
        extent: &Extent,
    ) -> Checked {
        let Extent { from, to, stride, size, beside, law } = extent;
        let other = beside.map_or(id, |beside| beside.block);
        let has_place = |block: &Block| block.life == Life::Alive && block.is_single();
        let is_right = stride.is_power_of_two()
            && stride >= size
            && has_place(block)
            && prototypes.is_empty()
            && state.blocks.get(&other).is_some_and(|other| has_place(other));
        if !is_right {
            return Err(format!("{id} has no place for an extent"));
        }
        for place in [*from, *to].into_iter().chain(beside.map(|beside| beside.distance)) {
            if self.terms.sort(place) != Sort::BitVector(self.pointer_bits()) {
                return Err(format!("a place in {id} is not as wide as a pointer"));
            }
            self.names_are_known(state, prototypes, place, "a place")?;
        }
        match law.iter().all(|&conjunct| self.terms.sort(conjunct) == Sort::Boolean) {
            true => Ok(()),
            false => Err(format!("a law of {id} is no truth value")),
        }
    }

    /// Laws speak of names that the state holds elsewhere too: others may mean something else in another state.
    fn laws_are_of_held_names(&mut self, state: &State) -> Checked {
        if state.blocks.values().all(|block| block.contents.extents.is_empty()) {
            return Ok(());
        }
        let held = self.names_outside(state, &|_| false);
        for (id, block) in &state.blocks {
            for extent in &block.contents.extents {
                for &conjunct in &extent.law {
                    let mut names = self.outer_names_of_law(conjunct);
                    names.retain(|name| !held.contains(name));
                    if let Some(&name) = names.first() {
                        let name = self.terms.as_variable(name).unwrap_or("?");
                        return Err(format!("a law of {id} has {name}, which nothing holds"));
                    }
                }
            }
        }
        Ok(())
    }

    fn names_are_known(
        &self,
        state: &State,
        prototypes: &[&Prototype],
        term: TermId,
        place: &str,
    ) -> Checked {
        for name in self.terms.free_variables(&[term]) {
            let is_known = match self.blocks_of_addresses.get(&name) {
                Some(id) => {
                    state.blocks.contains_key(id)
                        || prototypes.iter().any(|prototype| prototype.blocks.contains_key(id))
                }
                None if self.stand_ins.contains(&name) || self.links.contains(&name) => {
                    prototypes.iter().any(|prototype| self.is_of_kind(prototype, name))
                }
                None => true,
            };
            if !is_known {
                let name = self.terms.as_variable(name).unwrap_or("?");
                return Err(format!("{place} has the unknown name {name}"));
            }
        }
        Ok(())
    }

    fn is_of_kind(&self, prototype: &Prototype, name: TermId) -> bool {
        prototype.numbers.contains(&name) || self.is_neighbour_in_prototype(prototype.height, name)
    }

    fn well_formed_block<'s>(
        &self,
        state: &State,
        prototypes: &mut Vec<&'s Prototype>,
        id: BlockId,
        block: &'s Block,
    ) -> Checked {
        if self.terms.sort(block.size) != Sort::BitVector(self.pointer_bits()) {
            return Err(format!("the size of {id} is not as wide as a pointer"));
        }
        self.names_are_known(state, prototypes, block.size, "a size")?;
        if block.life != Life::Alive && !block.cells.is_empty() {
            return Err(format!("{id} is dead and holds something"));
        }
        for (offset, cell) in &block.cells {
            if self.terms.sort(cell.value) != Sort::BitVector(8 * cell.size as u32) {
                return Err(format!("the cell +{offset} of {id} is not as wide as its value"));
            }
            self.names_are_known(state, prototypes, cell.value, "a cell")?;
        }
        if let Some(zero) = block.zero {
            let is_offset = self.terms.sort(zero.at) == Sort::BitVector(self.pointer_bits());
            if !is_offset || block.life != Life::Alive || !block.is_single() {
                return Err(format!("{id} has no place for a zero"));
            }
            self.names_are_known(state, prototypes, zero.at, "the place of a zero")?;
        }
        for extent in &block.contents.extents {
            self.is_extent(state, prototypes, (id, block), extent)?;
        }
        if block.is_single() {
            self.cells_lie_apart(id, block)?;
        } else {
            has_its_ends(id, block)?;
            let may_end = |next| self.constant(next) == Some(0);
            if block.may_be_empty() && !block.end(End::Next).is_none_or(may_end) {
                return Err(format!("{id} may be empty and does not end in null"));
            }
        }
        for (end, value) in block.ends() {
            let size = block.role.summary().and_then(|summary| summary.end_size(end));
            let bits = size.map_or_else(|| self.pointer_bits(), |size| 8 * size as u32);
            if self.terms.sort(value) != Sort::BitVector(bits) {
                return Err(format!("an end of {id} does not have {bits} bits"));
            }
            self.names_are_known(state, prototypes, value, "an end")?;
        }
        self.is_spelt_well(prototypes, id, block)?;
        for prototype in block.prototypes() {
            prototypes.push(prototype);
            for (&id, block) in &prototype.blocks {
                if !is_stand_in(id) {
                    return Err(format!("{id} is in a kind of nodes and in the state"));
                }
                self.well_formed_block(state, prototypes, id, block)?;
            }
            for &conjunct in &prototype.condition {
                self.names_are_known(state, prototypes, conjunct, "a condition of nodes")?;
            }
            prototypes.pop();
        }
        Ok(())
    }

    /// No byte is in two cells, and none is outside of the block.
    fn cells_lie_apart(&self, id: BlockId, block: &Block) -> Checked {
        let mut end = 0;
        for (&offset, cell) in &block.cells {
            if offset < end {
                return Err(format!("the cell +{offset} of {id} begins in the one before"));
            }
            end = offset.checked_add(cell.size).ok_or_else(|| format!("a cell of {id} is huge"))?;
        }
        match self.constant(block.size) {
            Some(size) if u128::from(end) > size => {
                Err(format!("the last cell of {id} reaches beyond its {size} bytes"))
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// Lists and trees are live heap blocks without cells of their own, and tell what is at their ends.
fn has_its_ends(id: BlockId, block: &Block) -> Checked {
    let is_right = block.role.summary().is_none_or(Summary::is_well_formed);
    let kind = if block.row().is_some() { BlockKind::Elements } else { BlockKind::Heap };
    let is_live_heap = block.kind == kind && block.life == Life::Alive;
    if is_right && is_live_heap && block.cells.is_empty() {
        Ok(())
    } else {
        Err(format!("the ends of {id} do not fit"))
    }
}

/// The two ends of a list or tree know each other.
fn has_partner(state: &State, id: BlockId, block: &Block) -> Checked {
    let Some(partner) = block.partner() else { return Ok(()) };
    let back = state.blocks.get(&partner).and_then(|block| block.partner());
    if back == Some(id) { Ok(()) } else { Err(format!("{partner} is not the other end of {id}")) }
}

#[cfg(test)]
mod tests {
    use crate::testing::program::with_search;

    /// What is wrong with a state that a list's head points into.
    fn problem(blocks: &str) -> Option<String> {
        let text = format!("global head = &b100\n{blocks}");
        let mut problem = None;
        with_search(|search| {
            problem = search.reasoner.names.parse_state(&text).err().map(|error| error.message);
        });
        problem
    }

    fn is_wrong(blocks: &str, with: &str) {
        let problem = problem(blocks);
        assert!(problem.as_ref().is_some_and(|text| text.contains(with)), "{problem:?}");
    }

    #[test]
    fn a_block_with_cells_side_by_side_is_fine() {
        assert_eq!(problem("b100: heap, 16 bytes\n+0/8 = &b100\n+8/4 = 1"), None);
    }

    #[test]
    fn cells_that_overlap_are_noticed() {
        is_wrong("b100: heap, 16 bytes\n+0/8 = 0\n+4/4 = 1", "begins in the one before");
    }

    #[test]
    fn cells_outside_of_their_block_are_noticed() {
        is_wrong("b100: heap, 8 bytes\n+4/8 = 0", "reaches beyond its 8 bytes");
    }

    #[test]
    fn names_of_no_block_are_noticed() {
        is_wrong("b100: heap, 8 bytes\n+0/8 = &b101", "unknown name");
        is_wrong("b101: heap, 8 bytes", "unknown name");
    }

    #[test]
    fn freed_blocks_that_hold_something_are_noticed() {
        is_wrong("b100: heap, 8 bytes, freed\n+0/8 = 0", "is dead and holds something");
    }

    #[test]
    fn ends_that_do_not_know_each_other_are_noticed() {
        is_wrong("b100: heap, 8 bytes, last of b101\nb101: heap, 8 bytes", "the other end");
    }
}
