//! What runs show of the heap: which words of blocks are links, and what linked blocks form.
//!
//! Some runs are stopped at loop heads, where structures are whole more often than elsewhere, and the blocks of the heap
//! are looked at. What is seen proves nothing.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_interpreter::{Environment, Executable, Limits, Machine, SeededInputs};
use heapwright_memory::{BlockId, Memory, Value};
use heapwright_program::analysis::Charts;

use crate::fact::{Link, LinkWay, Linked, Structure};
use crate::violation::run_settings;
use crate::{Deadline, Task};

/// How many different heaps are enough, and how large they are.
const ENOUGH: usize = 8;
const SMALLEST: usize = 2;
const LARGEST: usize = 16;
const SEEDS: u64 = 16;
const EDGES: u64 = 2_000;
/// Bytes of a block that are looked at.
const MOST_BYTES: u64 = 256;

/// The links of one heap: from a block, by an offset, to a block.
type Heap = BTreeMap<(BlockId, u64), BlockId>;

/// Heaps that were seen, with the sizes of their blocks.
#[derive(Debug, Default)]
struct Seen {
    heaps: Vec<(Heap, BTreeMap<BlockId, u64>)>,
}

/// Runs the program a few times, and tells how the blocks of its heap are linked; nothing of blocks without links.
#[must_use]
pub fn see_links(task: &Task, deadline: &Deadline) -> Vec<Linked> {
    let mut settings = run_settings(task);
    settings.compile.keep_locations = true;
    settings.notes = 0;
    settings.limits = Limits { steps: EDGES * 8, memory: 16 << 20, ..Limits::default() };
    let executable = Executable::compile(&task.program, &settings.compile);
    let charts = Charts::of(&task.program);
    let mut seen = Seen::default();
    for seed in 0..SEEDS {
        let environment = Environment::silent(SeededInputs::new(seed));
        let mut machine = Machine::new(&executable, &settings, environment);
        for _ in 0..EDGES {
            if machine.step().is_some() {
                break;
            }
            let is_head = machine.location().is_some_and(|(at, place)| charts.is_head(at, place));
            if is_head {
                seen.look(machine.memory());
            }
        }
        if seen.heaps.len() >= ENOUGH || deadline.is_over() {
            break;
        }
    }
    seen.linked()
}

impl Seen {
    fn look(&mut self, memory: &Memory) {
        let count = memory.live_heap_blocks();
        if !(SMALLEST..=LARGEST).contains(&count) || self.heaps.len() >= ENOUGH {
            return;
        }
        let sizes: BTreeMap<BlockId, u64> =
            memory.live_heap().map(|(id, block)| (id, block.size)).collect();
        let mut heap = Heap::new();
        for (&id, &size) in &sizes {
            for offset in offsets(memory, size) {
                let target = lead(memory, (id, offset)).filter(|target| sizes.contains_key(target));
                heap.extend(target.map(|target| ((id, offset), target)));
            }
        }
        let is_new = !heap.is_empty() && self.heaps.iter().all(|(known, _)| *known != heap);
        if is_new {
            self.heaps.push((heap, sizes));
        }
    }

    fn linked(&self) -> Vec<Linked> {
        let sizes: BTreeSet<u64> =
            self.heaps.iter().flat_map(|(_, sizes)| sizes.values().copied()).collect();
        let linked = sizes.into_iter().map(|size| self.linked_of(size));
        linked.filter(|linked| !linked.links.is_empty()).collect()
    }

    fn linked_of(&self, size: u64) -> Linked {
        let chains: Vec<Heap> = self.heaps.iter().map(|heap| chain(heap, size)).collect();
        let own: BTreeSet<u64> = chains.iter().flat_map(Heap::keys).map(|it| it.1).collect();
        let from = self.heaps.iter().flat_map(|(heap, sizes)| {
            heap.keys().filter(move |(id, _)| sizes.get(id) == Some(&size))
        });
        let all: BTreeSet<u64> = from.map(|it| it.1).collect();
        let way = |offset: u64| match own.contains(&offset) {
            false => LinkWay::Away,
            true => {
                back_of(&chains, &own, offset).map_or(LinkWay::Onward, |of| LinkWay::Back { of })
            }
        };
        let links: Vec<Link> =
            all.into_iter().map(|offset| Link { offset, way: way(offset) }).collect();
        let structure = structure(&chains, &links);
        Linked { size, links, structure }
    }
}

/// The links between blocks of one size.
fn chain((heap, sizes): &(Heap, BTreeMap<BlockId, u64>), size: u64) -> Heap {
    let is_of_size = |id: &BlockId| sizes.get(id) == Some(&size);
    let among = heap.iter().filter(|((from, _), to)| is_of_size(from) && is_of_size(to));
    among.map(|(link, to)| (*link, *to)).collect()
}

/// The link that leads here, if a link always leads back where that one comes from. Of two that undo each other, the
/// first leads onward.
fn back_of(chains: &[Heap], own: &BTreeSet<u64>, back: u64) -> Option<u64> {
    let undoes = |back: u64, onward: u64| {
        let mut links = chains.iter().flat_map(|heap| {
            let onward = heap.iter().filter(move |((_, offset), _)| *offset == onward);
            onward.map(move |((from, _), to)| heap.get(&(*to, back)) == Some(from))
        });
        links.all(|is_undone| is_undone)
    };
    let is_back = |onward: &&u64| {
        **onward != back && undoes(back, **onward) && (**onward < back || !undoes(**onward, back))
    };
    own.iter().find(is_back).copied()
}

fn structure(chains: &[Heap], links: &[Link]) -> Structure {
    let onward: Vec<u64> =
        links.iter().filter(|link| link.way == LinkWay::Onward).map(|link| link.offset).collect();
    let is_shared = |heap: &Heap| {
        let targets = heap.iter().filter(|((_, offset), _)| onward.contains(offset));
        let mut known = BTreeSet::new();
        !targets.map(|(_, to)| *to).all(|to| known.insert(to))
    };
    let is_ring = |heap: &Heap| {
        let goes_round = |start: BlockId| {
            let mut at = start;
            // Ends because a heap has few blocks.
            (0..LARGEST).any(|_| match onward.first().and_then(|next| heap.get(&(at, *next))) {
                Some(to) => {
                    at = *to;
                    at == start
                }
                None => false,
            })
        };
        heap.keys().any(|(id, _)| goes_round(*id))
    };
    match onward.len() {
        0 => Structure::Single,
        1 if chains.iter().any(is_ring) => Structure::Ring,
        _ if chains.iter().any(is_shared) => Structure::Shared,
        1 => Structure::List,
        _ => Structure::Tree,
    }
}

/// The places of words in a block.
fn offsets(memory: &Memory, size: u64) -> impl Iterator<Item = u64> {
    let word = memory.model().pointer_size();
    (0..size.min(MOST_BYTES) / word).map(move |index| index * word)
}

/// The block whose start a word holds.
fn lead(memory: &Memory, (block, offset): (BlockId, u64)) -> Option<BlockId> {
    let base = memory.block(block).base;
    let word = memory.plain_load_pointer(Value::pointer(base + offset, block))?;
    let target = word.block()?;
    (memory.block(target).base == word.low && memory.block(target).is_live_heap()).then_some(target)
}
