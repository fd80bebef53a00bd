//! Lives of blocks, faults, provenance, uninitialised bytes, bit-fields.

use heapwright_base::DenseId;
use heapwright_memory::{
    Access, Allocation, BlockId, BlockKind, Contents, FaultKind, Life, Memory, MemoryFault,
    MemoryLimit, Origin, UninitialisedBytes, Value,
};
use heapwright_program::{BitRange, DataModel, Place};

const LIMIT: u64 = 1 << 30;

/// Gives every byte the same value and remembers what it was asked.
struct Fixed(u8, Vec<(u64, u64)>);

impl UninitialisedBytes for Fixed {
    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        self.1.push((serial, offset));
        self.0
    }
}

fn unknown() -> Fixed {
    Fixed(0xaa, Vec::new())
}

fn place(line: u32) -> Place {
    Place { file: DenseId::from_index(0), line, column: 1 }
}

fn memory() -> Memory {
    Memory::new(DataModel::Lp64, LIMIT)
}

fn allocate(memory: &mut Memory, kind: BlockKind, size: u64) -> Value {
    let block = memory.allocate(wanted(kind, size)).unwrap();
    memory.pointer_to(block)
}

fn wanted(kind: BlockKind, size: u64) -> Allocation {
    Allocation {
        kind,
        origin: Origin::Anonymous,
        serial: 7,
        size,
        alignment: 16,
        contents: Contents::Uninitialised,
        place: place(1),
    }
}

fn at(pointer: Value, offset: i64) -> Value {
    Value { low: pointer.low.wrapping_add_signed(offset), high: pointer.high }
}

fn number(low: u64) -> Value {
    Value::from_low(low)
}

fn kind<T: std::fmt::Debug>(result: Result<T, Box<MemoryFault>>) -> FaultKind {
    result.expect_err("a fault was expected").kind
}

#[test]
fn a_store_is_read_back_in_parts() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 16);
    memory.store_word::<8>(p, 0x0807_0605_0403_0201).unwrap();
    assert_eq!(memory.load_word::<4>(at(p, 2), &mut unknown()), Ok(0x0605_0403));
    assert_eq!(memory.load_word::<1>(at(p, 7), &mut unknown()), Ok(8));
    assert_eq!(memory.load_bytes(p, 3, &mut unknown()), Ok(0x0003_0201));
    memory.store_bytes(p, 16, u128::MAX - 1).unwrap();
    assert_eq!(memory.load_bytes(p, 16, &mut unknown()), Ok(u128::MAX - 1));
}

#[test]
fn following_nothing_is_a_fault_of_its_kind() {
    let mut memory = memory();
    allocate(&mut memory, BlockKind::Heap, 16);
    assert_eq!(kind(memory.load_word::<4>(number(0), &mut unknown())), FaultKind::NullDereference);
    assert_eq!(kind(memory.store_word::<4>(number(100), 1)), FaultKind::NullDereference);
    let below = number(0u64.wrapping_sub(8));
    assert_eq!(kind(memory.load_word::<8>(below, &mut unknown())), FaultKind::NullDereference);
    assert_eq!(
        kind(memory.load_word::<4>(number(1 << 20), &mut unknown())),
        FaultKind::WildDereference
    );
    let function = allocate(&mut memory, BlockKind::Function, 1);
    assert_eq!(kind(memory.load_word::<1>(function, &mut unknown())), FaultKind::WildDereference);
}

#[test]
fn bounds_are_those_of_the_block_a_pointer_was_made_from() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 16);
    let q = allocate(&mut memory, BlockKind::Heap, 16);
    for offset in [-1, 13, 16, 1 << 40] {
        let fault = memory.load_word::<4>(at(p, offset), &mut unknown()).unwrap_err();
        assert_eq!(fault.kind, FaultKind::OutOfBounds);
        assert_eq!(fault.access, Access::Read { size: 4 });
        assert_eq!(fault.block.unwrap().offset, offset);
    }
    // A pointer to `p` that was moved to where `q` is.
    let astray = Value { low: q.low, high: p.high };
    assert_eq!(kind(memory.store_word::<4>(astray, 1)), FaultKind::OutOfBounds);
    // A number is looked up.
    memory.store_word::<4>(number(q.low), 5).unwrap();
    assert_eq!(memory.load_word::<4>(q, &mut unknown()), Ok(5));
}

#[test]
fn the_dead_are_not_accessed() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 16);
    memory.free(p, place(2)).unwrap();
    let fault = memory.load_word::<4>(at(p, 4), &mut unknown()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::DanglingDereference);
    let block = fault.block.unwrap();
    assert_eq!(
        (block.life, block.allocated, block.released),
        (Life::Freed, place(1), Some(place(2)))
    );
    assert_eq!(kind(memory.store_word::<4>(number(p.low), 0)), FaultKind::DanglingDereference);

    let local = allocate(&mut memory, BlockKind::Stack, 8);
    memory.leave_scope(local.block().unwrap(), place(3));
    assert_eq!(kind(memory.store_pointer(local, p)), FaultKind::DanglingDereference);
}

#[test]
fn only_live_heap_blocks_are_freed_and_only_from_their_start() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 16);
    let local = allocate(&mut memory, BlockKind::Stack, 16);
    let empty = allocate(&mut memory, BlockKind::Heap, 0);
    assert_eq!(memory.free(Value::ZERO, place(1)), Ok(()));
    assert_eq!(kind(memory.free(at(p, 8), place(1))), FaultKind::InvalidFree);
    assert_eq!(kind(memory.free(local, place(1))), FaultKind::InvalidFree);
    assert_eq!(kind(memory.free(number(1 << 20), place(1))), FaultKind::InvalidFree);
    assert_eq!(memory.block_size(p), Ok(16));
    memory.free(number(p.low), place(1)).unwrap();
    assert_eq!(kind(memory.free(p, place(1))), FaultKind::DoubleFree);
    assert_eq!(kind(memory.block_size(p)), FaultKind::DoubleFree);
    assert_eq!(kind(memory.load_word::<1>(empty, &mut unknown())), FaultKind::OutOfBounds);
    memory.free(empty, place(1)).unwrap();
    assert_eq!(memory.live_heap_blocks(), 0);
}

#[test]
fn a_string_is_read_only() {
    let mut memory = memory();
    let text = allocate(&mut memory, BlockKind::String, 3);
    memory.set_initial(text.block().unwrap(), 0, b"hi\0");
    assert_eq!(memory.load_word::<1>(at(text, 1), &mut unknown()), Ok(u64::from(b'i')));
    assert_eq!(kind(memory.store_word::<1>(text, 0)), FaultKind::ReadOnlyWrite);
    assert_eq!(kind(memory.fill(text, 0, 3)), FaultKind::ReadOnlyWrite);
    assert_eq!(kind(memory.store_word::<1>(at(text, 3), 0)), FaultKind::OutOfBounds);
}

#[test]
fn pointers_keep_their_block_in_memory_until_overwritten() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut memory = Memory::new(model, LIMIT);
        let size = model.pointer_size() as i64;
        let p = allocate(&mut memory, BlockKind::Heap, 64);
        let q = allocate(&mut memory, BlockKind::Heap, 4);
        memory.store_pointer(at(p, size), q).unwrap();
        assert_eq!(memory.load_pointer(at(p, size), &mut unknown()), Ok(q));
        let by_number = number(p.low + size as u64);
        assert_eq!(memory.load_pointer(by_number, &mut unknown()), Ok(q));
        memory.store_word::<1>(at(p, size), q.low & 0xff).unwrap();
        assert_eq!(memory.load_pointer(at(p, size), &mut unknown()), Ok(number(q.low)));
        memory.store_pointer(at(p, 1), q).unwrap();
        assert_eq!(memory.load_pointer(at(p, 1), &mut unknown()), Ok(number(q.low)));
        memory.store_pointer(by_number, q).unwrap();
        assert_eq!(memory.load_pointer(at(p, size), &mut unknown()), Ok(q));
    }
}

#[test]
fn a_copy_moves_provenance_and_uninitialised_bytes() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 32);
    let q = allocate(&mut memory, BlockKind::Heap, 200);
    memory.store_pointer(at(p, 8), q).unwrap();
    memory.fill(q, 1, 200).unwrap();
    memory.copy(at(q, 104), at(p, 4), 20).unwrap();
    assert_eq!(memory.stored_pointer(q.block().unwrap(), 108), None, "moved off alignment");
    memory.copy(at(q, 64), p, 24).unwrap();
    assert_eq!(memory.load_pointer(at(q, 72), &mut unknown()), Ok(q));
    assert!(!memory.is_initialised(q.block().unwrap(), 64));
    assert!(memory.is_initialised(q.block().unwrap(), 72));
    assert!(!memory.is_initialised(q.block().unwrap(), 80));
    assert!(memory.is_initialised(q.block().unwrap(), 88));
    // Half a pointer is none.
    memory.copy(at(q, 64), at(p, 0), 12).unwrap();
    assert_eq!(memory.stored_pointer(q.block().unwrap(), 72), None);
}

#[test]
fn an_overlapping_copy_moves_as_if_by_way_of_a_buffer() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 40);
    let targets: Vec<Value> = (0..3).map(|_| allocate(&mut memory, BlockKind::Heap, 1)).collect();
    for (offset, target) in (0..).step_by(8).zip(&targets) {
        memory.store_pointer(at(p, offset), *target).unwrap();
    }
    memory.copy(at(p, 8), p, 24).unwrap();
    for (offset, target) in (8..).step_by(8).zip(&targets) {
        assert_eq!(memory.load_pointer(at(p, offset), &mut unknown()), Ok(*target));
    }
    assert!(memory.copy(Value::ZERO, Value::ZERO, 0).is_ok());
    assert_eq!(kind(memory.copy(Value::ZERO, p, 8)), FaultKind::NullDereference);
    assert_eq!(kind(memory.copy(p, at(p, 33), 8)), FaultKind::OutOfBounds);
}

#[test]
fn uninitialised_bytes_are_asked_for_once_and_stay() {
    for size in [8, 64, 65, 1000] {
        let mut memory = memory();
        let p = allocate(&mut memory, BlockKind::Heap, size);
        memory.store_word::<1>(at(p, 1), 0x11).unwrap();
        let mut inputs = unknown();
        assert_eq!(memory.load_word::<4>(p, &mut inputs), Ok(0xaaaa_11aa));
        assert_eq!(inputs.1, [(7, 0), (7, 2), (7, 3)]);
        assert_eq!(memory.load_word::<4>(p, &mut inputs), Ok(0xaaaa_11aa));
        assert_eq!((inputs.1.len(), memory.uninitialised_reads()), (3, 3));
        memory.fill(p, 0, size).unwrap();
        assert_eq!(memory.load_word::<1>(at(p, size as i64 - 1), &mut inputs), Ok(0));
        assert_eq!(memory.uninitialised_reads(), 3);
    }
}

#[test]
fn reused_storage_is_uninitialised_again() {
    let mut memory = memory();
    for _ in 0..3 {
        let p = allocate(&mut memory, BlockKind::Heap, 128);
        assert!(!memory.is_initialised(p.block().unwrap(), 100));
        memory.store_pointer(at(p, 96), p).unwrap();
        memory.free(p, place(1)).unwrap();
    }
    let q = allocate(&mut memory, BlockKind::Heap, 128);
    memory.store_pointer(q, q).unwrap();
    assert_eq!(memory.stored_pointer(q.block().unwrap(), 96), None);
}

#[test]
fn bit_fields_leave_their_neighbours_alone() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 32);
    memory.fill(p, 0xff, 32).unwrap();
    let field = BitRange { offset: 3, width: 7 };
    memory.store_bits(p, field, 0b101_0101, &mut unknown()).unwrap();
    assert_eq!(memory.load_bits(p, field, &mut unknown()), Ok(0b101_0101));
    assert_eq!(memory.load_word::<2>(p, &mut unknown()), Ok(0b1111_1110_1010_1111));
    let widest = BitRange { offset: 7, width: 128 };
    memory.store_bits(at(p, 8), widest, 5 << 120 | 9, &mut unknown()).unwrap();
    assert_eq!(memory.load_bits(at(p, 8), widest, &mut unknown()), Ok(5 << 120 | 9));
    assert_eq!(kind(memory.load_bits(at(p, 16), widest, &mut unknown())), FaultKind::OutOfBounds);
}

#[test]
fn part_of_an_uninitialised_byte_settles_the_rest() {
    let mut memory = memory();
    let p = allocate(&mut memory, BlockKind::Heap, 4);
    let mut inputs = Fixed(0xff, Vec::new());
    memory.store_bits(p, BitRange { offset: 0, width: 3 }, 0, &mut inputs).unwrap();
    assert_eq!(memory.load_word::<1>(p, &mut inputs), Ok(0xf8));
    assert_eq!(inputs.1, [(7, 0)]);
}

#[test]
fn blocks_of_a_32_bit_machine_fit_its_addresses_and_keep_apart() {
    let mut memory = Memory::new(DataModel::Ilp32, LIMIT);
    let mut end = 0;
    for size in [0, 1, 16, 1000, 100_000] {
        let p = allocate(&mut memory, BlockKind::Heap, size);
        assert!(
            p.low >= end + 64 && p.low.is_multiple_of(16) && p.low + size <= u64::from(u32::MAX)
        );
        end = p.low + size;
    }
    let exhausted = (0..).find_map(|_| {
        let block = memory.allocate(wanted(BlockKind::Stack, 1 << 20));
        block.map(|id| memory.leave_scope(id, place(1))).err()
    });
    assert_eq!(exhausted, Some(MemoryLimit::AddressSpace));
    // What nothing refers to gives its addresses back.
    memory.forget_unreferenced([]);
    assert!(memory.allocate(wanted(BlockKind::Stack, 1 << 20)).is_ok());
}

#[test]
fn too_many_bytes_are_a_limit() {
    let mut memory = Memory::new(DataModel::Lp64, 1 << 20);
    assert_eq!(memory.allocate(wanted(BlockKind::Heap, u64::MAX)), Err(MemoryLimit::Bytes));
    assert_eq!(memory.allocate(wanted(BlockKind::Heap, 1 << 21)), Err(MemoryLimit::Bytes));
    let many = (0..).find_map(|_| memory.allocate(wanted(BlockKind::Heap, 0)).err());
    assert_eq!(many, Some(MemoryLimit::Bytes));
}

#[test]
fn a_forgotten_number_is_used_again_and_a_referenced_one_is_not() {
    let mut memory = memory();
    let keeper = allocate(&mut memory, BlockKind::Static, 8);
    let dead: Vec<Value> = (0..3).map(|_| allocate(&mut memory, BlockKind::Stack, 8)).collect();
    for pointer in &dead {
        memory.leave_scope(pointer.block().unwrap(), place(1));
    }
    memory.store_pointer(keeper, dead[0]).unwrap();
    memory.forget_unreferenced([dead[1]]);
    let next = allocate(&mut memory, BlockKind::Heap, 8);
    assert_eq!(next, dead[2]);
    let after = allocate(&mut memory, BlockKind::Heap, 8);
    assert!(!dead.contains(&after));
    let stale: Vec<BlockId> = memory.blocks().map(|(id, _)| id).collect();
    assert!(stale.contains(&dead[0].block().unwrap()));
}

#[test]
fn a_new_block_may_lie_where_a_dead_one_lay() {
    let mut memory = memory();
    let old = allocate(&mut memory, BlockKind::Heap, 24);
    let neighbour = allocate(&mut memory, BlockKind::Heap, 24);
    assert!(memory.free_addresses(24, 16).is_empty());
    memory.free(old, place(2)).unwrap();
    assert_eq!(memory.free_addresses(24, 16), [old.low]);
    assert_eq!(memory.free_addresses(1 << 20, 16), [], "the neighbour is in the way");
    let new = memory.reoccupy(wanted(BlockKind::Heap, 32), old.low).unwrap();
    let new = memory.pointer_to(new);
    assert_eq!(new.low, old.low);
    assert_ne!(new, old);
    memory.store_word::<8>(new, 5).unwrap();
    assert_eq!(kind(memory.load_word::<8>(old, &mut unknown())), FaultKind::DanglingDereference);
    assert_eq!(kind(memory.free(old, place(3))), FaultKind::DoubleFree);
    assert_eq!(memory.lookup(old.low + 8), new.block(), "a number is the newest block's");
    assert_eq!(memory.lookup(neighbour.low), neighbour.block());
    assert!(memory.free_addresses(24, 16).is_empty(), "it is taken");
}

#[test]
fn equality_is_chosen_where_blocks_need_not_lie_apart() {
    let mut memory = memory();
    let [first, second] = [8, 8].map(|size| allocate(&mut memory, BlockKind::Heap, size));
    let [text, other] = [8, 8].map(|size| allocate(&mut memory, BlockKind::String, size));
    assert!(!memory.is_equality_chosen(first, second));
    assert!(!memory.is_equality_chosen(first, text));
    assert!(!memory.is_equality_chosen(first, number(8)));
    assert!(memory.is_equality_chosen(first, number(1 << 30)));
    assert!(memory.is_equality_chosen(text, other));
    assert!(memory.is_equality_chosen(at(first, 8), second), "one past the end");
    memory.free(first, place(2)).unwrap();
    assert!(memory.is_equality_chosen(first, second));
}

#[test]
fn a_large_block_takes_the_room_of_what_is_touched() {
    const SIZE: u64 = 6 << 30;
    let mut memory = Memory::new(DataModel::Lp64, 8 << 20);
    let block = allocate(&mut memory, BlockKind::Heap, SIZE);
    let (low, high) = (at(block, 8), at(block, SIZE as i64 - 8));
    memory.store_word::<4>(low, 7).unwrap();
    memory.store_pointer(high, block).unwrap();
    assert_eq!(memory.load_word::<4>(low, &mut unknown()).unwrap(), 7);
    assert_eq!(memory.load_pointer(high, &mut unknown()).unwrap(), block);
    let mut fixed = unknown();
    assert_eq!(memory.load_word::<1>(at(block, 5 << 30), &mut fixed).unwrap(), 0xaa);
    assert_eq!(fixed.1, [(7, 5 << 30)], "bytes are asked for by the block's own offset");
    assert_eq!(
        kind(memory.load_word::<1>(at(block, SIZE as i64), &mut unknown())),
        FaultKind::OutOfBounds
    );
    assert!(memory.storage_bytes() < 1 << 20);
    memory.copy(at(block, 1 << 31), at(block, 0), 200_000).unwrap();
    assert_eq!(memory.load_word::<4>(at(block, (1 << 31) + 8), &mut unknown()).unwrap(), 7);
    let too_much = memory.fill(block, 0, SIZE).unwrap_err();
    assert_eq!(too_much.limit, Some(MemoryLimit::Bytes));
    memory.free(block, place(2)).unwrap();
    assert_eq!(kind(memory.load_word::<4>(low, &mut unknown())), FaultKind::DanglingDereference);
}

#[test]
fn what_a_large_block_points_to_is_not_lost() {
    let mut memory = memory();
    let large = allocate(&mut memory, BlockKind::Static, 100 << 20);
    let held = allocate(&mut memory, BlockKind::Heap, 8);
    assert_eq!(memory.unreachable_blocks([]), [held.block().unwrap()]);
    memory.store_pointer(at(large, 50 << 20), held).unwrap();
    assert_eq!(memory.unreachable_blocks([]), []);
}
