//! Random accesses, against a memory that keeps every byte with its own history.

use heapwright_base::DenseId;
use heapwright_memory::{
    Allocation, BlockId, BlockKind, Contents, Memory, Origin, UninitialisedBytes, Value,
};
use heapwright_program::{DataModel, Place};

/// splitmix64
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A byte: its value if it has one, and which byte of a pointer to which block it is.
#[derive(Clone, Copy, Default)]
struct Cell {
    byte: Option<u8>,
    part: Option<(BlockId, u64)>,
}

struct Model {
    slot: u64,
    blocks: Vec<(Value, Vec<Cell>)>,
}

/// Uninitialised bytes are this.
const UNKNOWN: u8 = 0x77;

struct Unknown;

impl UninitialisedBytes for Unknown {
    fn uninitialised_byte(&mut self, _serial: u64, _offset: u64) -> u8 {
        UNKNOWN
    }
}

impl Model {
    fn write(&mut self, block: usize, offset: u64, cells: &[Cell]) {
        let target = &mut self.blocks[block].1;
        target[offset as usize..offset as usize + cells.len()].copy_from_slice(cells);
        // Only a whole pointer in an aligned slot keeps its block.
        for slot in target.chunks_mut(self.slot as usize) {
            let first = slot[0].part;
            let is_whole = slot.len() as u64 == self.slot
                && (0..).zip(&*slot).all(|(number, cell)| {
                    cell.part.is_some() && cell.part == first.map(|(id, _)| (id, number))
                });
            if !is_whole {
                slot.iter_mut().for_each(|cell| cell.part = None);
            }
        }
    }

    fn check(&self, memory: &Memory, context: &str) {
        for (pointer, cells) in &self.blocks {
            let id = pointer.block().unwrap();
            for (offset, cell) in (0..).zip(cells) {
                let known = memory.is_initialised(id, offset);
                assert_eq!(known, cell.byte.is_some(), "{context}: {id} at {offset}");
                if let Some(byte) = cell.byte {
                    assert_eq!(memory.bytes(id)[offset as usize], byte, "{context}: {id} {offset}");
                }
                if offset % self.slot == 0 && offset + self.slot <= cells.len() as u64 {
                    let stored = memory.stored_pointer(id, offset).and_then(Value::block);
                    assert_eq!(stored, cell.part.map(|(id, _)| id), "{context}: {id} at {offset}");
                }
            }
        }
    }
}

fn set_up(model: DataModel) -> (Memory, Model) {
    let mut memory = Memory::new(model, 1 << 20);
    let blocks = [5, 16, 40, 64, 65, 200].map(|size| {
        let place = Place { file: DenseId::from_index(0), line: 1, column: 1 };
        let block = memory.allocate(Allocation {
            kind: BlockKind::Heap,
            origin: Origin::Anonymous,
            serial: size,
            size,
            alignment: 16,
            contents: Contents::Uninitialised,
            place,
        });
        (memory.pointer_to(block.unwrap()), vec![Cell::default(); size as usize])
    });
    (memory, Model { slot: model.pointer_size(), blocks: blocks.to_vec() })
}

#[test]
fn random_accesses_agree_with_the_model() {
    for (seed, data_model) in (0..60).zip([DataModel::Lp64, DataModel::Ilp32].into_iter().cycle()) {
        let mut random = Random(seed);
        let (mut memory, mut model) = set_up(data_model);
        for round in 0..300 {
            let block = random.below(6) as usize;
            let (pointer, size) = (model.blocks[block].0, model.blocks[block].1.len() as u64);
            let offset = random.below(size);
            let at = Value { low: pointer.low + offset, high: pointer.high };
            let choice = random.below(8);
            act(&mut memory, &mut model, &mut random, (block, offset, at, choice));
            model.check(&memory, &format!("seed {seed} round {round} choice {choice}"));
        }
    }
}

fn act(
    memory: &mut Memory,
    model: &mut Model,
    random: &mut Random,
    (block, offset, at, choice): (usize, u64, Value, u64),
) {
    let rest = model.blocks[block].1.len() as u64 - offset;
    let plain = |bits: u64, count: u64| -> Vec<Cell> {
        let bytes = bits.to_le_bytes();
        bytes[..count as usize].iter().map(|&byte| Cell { byte: Some(byte), part: None }).collect()
    };
    match choice {
        0 if rest >= 1 => {
            memory.store_word::<1>(at, 0x11).unwrap();
            model.write(block, offset, &plain(0x11, 1));
        }
        1 if rest >= 4 => {
            memory.store_word::<4>(at, 0x2222_3333).unwrap();
            model.write(block, offset, &plain(0x2222_3333, 4));
        }
        2 | 3 => {
            let offset = if choice == 2 { offset / model.slot * model.slot } else { offset };
            if offset + model.slot > model.blocks[block].1.len() as u64 {
                return;
            }
            let at = Value { low: at.low / model.slot * model.slot + offset % model.slot, ..at };
            let target = model.blocks[random.below(6) as usize].0;
            memory.store_pointer(at, target).unwrap();
            let mut cells = plain(target.low, model.slot);
            for (number, cell) in (0..).zip(&mut cells) {
                cell.part = target.block().map(|id| (id, number));
            }
            model.write(block, offset, &cells);
        }
        4 => {
            let count = random.below(rest) + 1;
            memory.fill(at, 9, count).unwrap();
            model.write(block, offset, &vec![Cell { byte: Some(9), part: None }; count as usize]);
        }
        5 if rest >= 2 => {
            memory.load_word::<2>(at, &mut Unknown).unwrap();
            for cell in &mut model.blocks[block].1[offset as usize..offset as usize + 2] {
                cell.byte.get_or_insert(UNKNOWN);
            }
        }
        _ => copy(memory, model, random, (block, offset, at)),
    }
}

fn copy(
    memory: &mut Memory,
    model: &mut Model,
    random: &mut Random,
    (block, offset, at): (usize, u64, Value),
) {
    let source = random.below(6) as usize;
    let (from, length) = (model.blocks[source].0, model.blocks[source].1.len() as u64);
    let mut start = random.below(length);
    if random.below(2) == 0 {
        start = start / model.slot * model.slot + offset % model.slot;
    }
    let room = (model.blocks[block].1.len() as u64 - offset).min(length.saturating_sub(start));
    if room == 0 {
        return;
    }
    let count = random.below(room) + 1;
    let mut cells = model.blocks[source].1[start as usize..(start + count) as usize].to_vec();
    // Bytes that move within their slots' grid, a whole slot at a time, stay parts of pointers.
    let is_congruent = (start ^ offset).is_multiple_of(model.slot);
    for (position, cell) in (offset..).zip(&mut cells) {
        let slot = position / model.slot * model.slot;
        if !is_congruent || slot < offset || slot + model.slot > offset + count {
            cell.part = None;
        }
    }
    memory.copy(at, Value { low: from.low + start, ..from }, count).unwrap();
    model.write(block, offset, &cells);
}
