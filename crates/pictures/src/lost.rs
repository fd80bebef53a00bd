//! Which blocks are lost, and what still points to them: a lost list is lost as a whole, and only its first
//! node has nothing that points to it.
//!
//! The run names one lost block. Whatever points to it is lost too, for otherwise it would not be; so is what
//! it leads to, unless a variable leads there as well.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_trace::{Event, Life, State, Step, Storage, Value};

/// The blocks that a step loses.
#[derive(Default)]
pub(crate) struct Lost {
    /// Each with words that tell why.
    blocks: BTreeMap<u64, &'static str>,
}

impl Lost {
    pub(crate) fn of(step: &Step) -> Lost {
        let named = step.events.iter().find_map(|event| {
            let Event::Lose { block } = event else { return None };
            Some(*block)
        });
        named.map_or_else(Lost::default, |named| Lost::with(&step.state, named))
    }

    /// That nobody can reach a block any more, and why; nothing if somebody can.
    pub(crate) fn words(&self, serial: u64) -> Option<&'static str> {
        self.blocks.get(&serial).copied()
    }

    fn with(state: &State, named: u64) -> Lost {
        let pointers = Pointers::of(state);
        let kept = closure(pointers.roots.iter().copied(), |block| pointers.leaving(block));
        let is_lost = |block: &u64| pointers.alive.contains(block) && !kept.contains(block);
        let near = |block: u64| {
            let both = pointers.leaving(block).chain(pointers.arriving(block));
            both.filter(is_lost).collect::<Vec<_>>().into_iter()
        };
        let blocks = closure(std::iter::once(named), near);
        let heads: Vec<u64> =
            blocks.iter().copied().filter(|block| !pointers.is_held(*block, &blocks)).collect();
        let words = |block: u64| match (heads.contains(&block), pointers.arriving(block).next()) {
            (true, None) => "lost: nothing points here",
            (true, Some(_)) => "lost: only freed memory points here",
            // A ring has no head.
            (false, _) if heads.is_empty() && block == named => "lost: only lost blocks point here",
            (false, _) => "lost too",
        };
        Lost { blocks: blocks.iter().map(|block| (*block, words(*block))).collect() }
    }
}

/// Who points to whom.
#[derive(Default)]
struct Pointers {
    /// What variables, also those that have blocks of their own, point to.
    roots: BTreeSet<u64>,
    /// The heap blocks that are not freed.
    alive: BTreeSet<u64>,
    /// From and to heap blocks, freed ones among them.
    between: BTreeSet<(u64, u64)>,
}

impl Pointers {
    fn of(state: &State) -> Pointers {
        let target = |value: &Value| value.target().map(|(block, _)| block);
        let mut pointers = Pointers::default();
        pointers.roots.extend(state.variables().filter_map(|variable| target(&variable.value)));
        for block in &state.blocks {
            let targets = block.cells.iter().filter_map(|cell| target(&cell.value));
            match (block.storage, block.life) {
                (Storage::Heap, life) => {
                    pointers.between.extend(targets.map(|target| (block.serial, target)));
                    if life == Life::Alive {
                        pointers.alive.insert(block.serial);
                    }
                }
                (Storage::Stack | Storage::Static | Storage::String, Life::Alive) => {
                    pointers.roots.extend(targets);
                }
                // What a variable held that is gone leads nowhere.
                (Storage::Stack | Storage::Static | Storage::String, _) => {}
            }
        }
        pointers
    }

    /// Where a live block leads to; what freed memory holds counts no more.
    fn leaving(&self, from: u64) -> impl Iterator<Item = u64> + '_ {
        let is_alive = self.alive.contains(&from);
        self.between
            .range((from, 0)..=(from, u64::MAX))
            .filter(move |_| is_alive)
            .map(|(_, to)| *to)
    }

    fn arriving(&self, to: u64) -> impl Iterator<Item = u64> + '_ {
        self.between.iter().filter(move |(_, target)| *target == to).map(|(from, _)| *from)
    }

    fn is_held(&self, block: u64, lost: &BTreeSet<u64>) -> bool {
        self.arriving(block).any(|from| lost.contains(&from))
    }
}

/// Whatever the steps lead to from where one begins.
fn closure<I: Iterator<Item = u64>>(
    begin: impl Iterator<Item = u64>,
    next: impl Fn(u64) -> I,
) -> BTreeSet<u64> {
    let mut found: BTreeSet<u64> = begin.collect();
    let mut waiting: Vec<u64> = found.iter().copied().collect();
    // Ends because each block waits once.
    while let Some(block) = waiting.pop() {
        waiting.extend(next(block).filter(|next| found.insert(*next)));
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heapwright_trace::{Block, Cell, Frame, Variable};

    use super::*;

    fn pointer(block: u64) -> Value {
        Value::Pointer { block, offset: 0 }
    }

    fn block(serial: u64, life: Life, targets: &[u64]) -> Arc<Block> {
        let cell = |(index, target): (usize, &u64)| Cell {
            name: format!("link {index}"),
            offset: 8 * index as u64,
            size: 8,
            value: pointer(*target),
        };
        Arc::new(Block {
            serial,
            name: format!("node #{serial}"),
            ty: None,
            storage: Storage::Heap,
            life,
            size: 16,
            allocated: None,
            released: None,
            cells: targets.iter().enumerate().map(cell).collect(),
        })
    }

    /// The words for block 1 to the last one, where a variable points to `held` and block 1 is said to be lost.
    fn words(links: &[&[u64]], freed: &[u64], held: &[u64]) -> Vec<&'static str> {
        let variable = |block: &u64| Variable { name: format!("p{block}"), value: pointer(*block) };
        let frame = Frame {
            function: "main".to_owned(),
            place: None,
            variables: held.iter().map(variable).collect(),
        };
        let numbered = links.iter().zip(1..);
        let blocks = numbered.map(|(targets, serial)| match freed.contains(&serial) {
            true => block(serial, Life::Freed, targets),
            false => block(serial, Life::Alive, targets),
        });
        let state = State { frames: vec![frame], blocks: blocks.collect(), ..State::default() };
        let lost = Lost::with(&state, 1);
        (1..=links.len() as u64).map(|serial| lost.words(serial).unwrap_or("")).collect()
    }

    #[test]
    fn a_list_is_lost_as_a_whole() {
        let list = words(&[&[], &[1], &[2]], &[], &[]);
        assert_eq!(list, ["lost too", "lost too", "lost: nothing points here"]);
    }

    #[test]
    fn what_a_variable_still_leads_to_is_kept() {
        assert_eq!(words(&[&[2], &[3], &[]], &[], &[2]), ["lost: nothing points here", "", ""]);
    }

    #[test]
    fn a_ring_has_no_first_node() {
        let ring = words(&[&[2], &[1]], &[], &[]);
        assert_eq!(ring, ["lost: only lost blocks point here", "lost too"]);
    }

    #[test]
    fn freed_memory_keeps_nothing() {
        let list = words(&[&[], &[1]], &[2], &[2]);
        assert_eq!(list, ["lost: only freed memory points here", ""]);
    }

    #[test]
    fn what_was_lost_elsewhere_is_not_told() {
        assert_eq!(words(&[&[], &[]], &[], &[]), ["lost: nothing points here", ""]);
    }
}
