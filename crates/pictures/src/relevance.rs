//! Which blocks of a run are drawn where there are too many: those that the fault is about, and what is
//! near to them. The choice is one for all steps, so that no card comes and goes.

use std::collections::{BTreeSet, VecDeque};

use heapwright_trace::{State, Trace, Value};

/// Blocks of a picture; the rest is counted.
const MOST_BLOCKS: usize = 60;

/// The blocks that pictures of a trace show.
pub(crate) fn relevant_blocks(trace: &Trace) -> BTreeSet<u64> {
    let states = || trace.steps.iter().map(|step| &step.state);
    let all: BTreeSet<u64> =
        states().flat_map(|state| &state.blocks).map(|block| block.serial).collect();
    let Some(last) = states().next_back().filter(|_| all.len() > MOST_BLOCKS) else { return all };
    let mut chosen = BTreeSet::new();
    // Nearest to the fault first: its block, what the calls hold from the innermost outwards.
    let seeds = trace.mark.iter().map(|mark| mark.block).chain(held(last));
    spread(last, seeds.collect(), &mut chosen);
    // Then what the last steps looked at, which the calls may have let go since.
    let earlier: Vec<&State> = states().collect();
    for state in earlier.into_iter().rev().skip(1) {
        if chosen.len() >= MOST_BLOCKS {
            break;
        }
        spread(state, held(state).collect(), &mut chosen);
    }
    chosen
}

/// What variables point to, those of the innermost call first.
fn held(state: &State) -> impl Iterator<Item = u64> + '_ {
    state.variables().filter_map(|variable| target(&variable.value))
}

/// Adds blocks and those that they lead to, near ones first, as long as there is room.
fn spread(state: &State, seeds: Vec<u64>, chosen: &mut BTreeSet<u64>) {
    let mut seen: BTreeSet<u64> = BTreeSet::new();
    let mut waiting: VecDeque<u64> = seeds.into();
    // Ends because each block is looked at once.
    while let Some(serial) = waiting.pop_front() {
        if chosen.len() >= MOST_BLOCKS {
            return;
        }
        let Some(block) = state.block(serial).filter(|_| seen.insert(serial)) else { continue };
        chosen.insert(serial);
        waiting.extend(block.cells.iter().filter_map(|cell| target(&cell.value)));
    }
}

fn target(value: &Value) -> Option<u64> {
    value.target().map(|(block, _)| block)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heapwright_trace::{Block, Cell, Frame, Life, Mark, Span, Step, Storage, Variable};

    use super::*;

    fn block(serial: u64, next: Option<u64>) -> Arc<Block> {
        let value = next.map_or(Value::Null, |block| Value::Pointer { block, offset: 0 });
        let cell = Cell { name: "next".to_owned(), offset: 0, size: 8, value };
        Arc::new(Block {
            serial,
            name: format!("node #{serial}"),
            ty: None,
            storage: Storage::Heap,
            life: Life::Alive,
            size: 8,
            allocated: None,
            released: None,
            cells: vec![cell],
        })
    }

    /// One step with a list of so many blocks, the fault being about the last.
    fn trace(length: u64) -> Trace {
        let blocks = (0..length).map(|serial| block(serial, serial.checked_sub(1))).collect();
        let value = Value::Pointer { block: length / 2, offset: 0 };
        let frame = Frame {
            function: "main".to_owned(),
            place: None,
            variables: vec![Variable { name: "p".to_owned(), value }],
        };
        let state = State { frames: vec![frame], blocks, ..State::default() };
        let place = Span { file: String::new(), line: 1, column: 1, end: 1 };
        let step = Step {
            place,
            function: "main".to_owned(),
            depth: 1,
            events: Vec::new(),
            text: String::new(),
            result: String::new(),
            state,
        };
        let mark = Some(Mark { block: length - 1, offset: 0, size: 0 });
        Trace { steps: vec![step], is_cut: false, mark, story: Vec::new() }
    }

    #[test]
    fn a_small_heap_is_drawn_whole() {
        assert_eq!(relevant_blocks(&trace(20)).len(), 20);
    }

    #[test]
    fn of_a_large_heap_the_blocks_near_the_fault_are_drawn() {
        let relevant = relevant_blocks(&trace(1000));
        assert_eq!(relevant.len(), MOST_BLOCKS);
        for near in [999, 998, 500, 499] {
            assert!(relevant.contains(&near), "{near} is near");
        }
        assert!(!relevant.contains(&0));
    }
}
