//! Which blocks are lost: through cycles, hidden in integers, one past the end, packed.

use heapwright_base::DenseId;
use heapwright_memory::{
    Allocation, BlockKind, Contents, Memory, Origin, UninitialisedBytes, Value,
};
use heapwright_program::{DataModel, Place};

struct Zeros;

impl UninitialisedBytes for Zeros {
    fn uninitialised_byte(&mut self, _serial: u64, _offset: u64) -> u8 {
        0
    }
}

fn memory() -> Memory {
    Memory::new(DataModel::Lp64, 1 << 30)
}

fn allocate(memory: &mut Memory, kind: BlockKind, size: u64) -> Value {
    let block = memory.allocate(Allocation {
        kind,
        origin: Origin::Anonymous,
        serial: 0,
        size,
        alignment: 16,
        contents: Contents::Uninitialised,
        place: Place { file: DenseId::from_index(0), line: 1, column: 1 },
    });
    memory.pointer_to(block.unwrap())
}

fn node(memory: &mut Memory) -> Value {
    allocate(memory, BlockKind::Heap, 16)
}

fn at(pointer: Value, offset: u64) -> Value {
    Value { low: pointer.low.wrapping_add(offset), high: pointer.high }
}

fn lost(memory: &Memory, roots: &[Value]) -> Vec<Value> {
    let blocks = memory.unreachable_blocks(roots.iter().copied());
    blocks.into_iter().map(|id| memory.pointer_to(id)).collect()
}

#[test]
fn a_chain_is_kept_by_its_head() {
    let mut memory = memory();
    let (a, b, c) = (node(&mut memory), node(&mut memory), node(&mut memory));
    memory.store_pointer(a, b).unwrap();
    memory.store_pointer(b, c).unwrap();
    assert_eq!(lost(&memory, &[a]), []);
    assert_eq!(lost(&memory, &[b]), [a]);
    assert_eq!(lost(&memory, &[]), [a, b, c]);
}

#[test]
fn a_cycle_does_not_keep_itself() {
    let mut memory = memory();
    let (a, b) = (node(&mut memory), node(&mut memory));
    memory.store_pointer(a, b).unwrap();
    memory.store_pointer(b, a).unwrap();
    assert_eq!(lost(&memory, &[]), [a, b]);
    assert_eq!(lost(&memory, &[at(b, 8)]), []);
}

#[test]
fn static_and_live_stack_blocks_are_roots() {
    let mut memory = memory();
    let (global, local) =
        (allocate(&mut memory, BlockKind::Static, 8), allocate(&mut memory, BlockKind::Stack, 8));
    let (a, b) = (node(&mut memory), node(&mut memory));
    memory.store_pointer(global, a).unwrap();
    memory.store_pointer(local, b).unwrap();
    assert_eq!(lost(&memory, &[]), []);
    let place = Place { file: DenseId::from_index(0), line: 2, column: 1 };
    memory.leave_scope(local.block().unwrap(), place);
    assert_eq!(lost(&memory, &[]), [b]);
}

#[test]
fn a_number_within_a_block_keeps_it() {
    let mut memory = memory();
    let global = allocate(&mut memory, BlockKind::Static, 32);
    let a = node(&mut memory);
    memory.store_word::<8>(global, a.low + 3).unwrap();
    assert_eq!(lost(&memory, &[]), []);
    memory.store_word::<8>(global, a.low + 16).unwrap();
    assert_eq!(lost(&memory, &[]), []);
    memory.store_word::<8>(global, a.low + 17).unwrap();
    assert_eq!(lost(&memory, &[]), [a]);
    memory.store_word::<8>(global, a.low - 1).unwrap();
    assert_eq!(lost(&memory, &[]), [a]);
    assert_eq!(lost(&memory, &[Value::from_low(a.low)]), []);
    // In a packed struct.
    memory.store_pointer(at(global, 3), a).unwrap();
    assert_eq!(lost(&memory, &[]), []);
}

#[test]
fn a_pointer_past_the_end_keeps_its_block() {
    let mut memory = memory();
    let global = allocate(&mut memory, BlockKind::Static, 8);
    let a = node(&mut memory);
    memory.store_pointer(global, at(a, 16)).unwrap();
    assert_eq!(lost(&memory, &[]), []);
}

#[test]
fn a_pointer_that_has_left_its_block_keeps_nothing() {
    let mut memory = memory();
    let global = allocate(&mut memory, BlockKind::Static, 8);
    let a = node(&mut memory);
    memory.store_pointer(global, at(a, 17)).unwrap();
    assert_eq!(lost(&memory, &[]), [a]);
    assert_eq!(lost(&memory, &[at(a, 1000)]), [a]);
    assert_eq!(lost(&memory, &[at(a, 0u64.wrapping_sub(8))]), [a]);
}

#[test]
fn pointers_whose_bytes_go_apart_are_noted() {
    let mut memory = memory();
    let global = allocate(&mut memory, BlockKind::Static, 32);
    let a = node(&mut memory);
    memory.store_pointer(global, a).unwrap();
    memory.copy(at(global, 8), global, 8).unwrap();
    memory.store_word::<8>(at(global, 8), 0).unwrap();
    memory.store_word::<1>(at(global, 8), 1).unwrap();
    assert_eq!(memory.address_reads(), 0);
    memory.copy(at(global, 16), global, 5).unwrap();
    assert_eq!(memory.address_reads(), 1);
    memory.copy(at(global, 17), global, 8).unwrap();
    assert_eq!(memory.address_reads(), 2);
}

#[test]
fn what_is_left_of_a_pointer_is_noted_until_it_is_written_over() {
    let mut memory = memory();
    let global = allocate(&mut memory, BlockKind::Static, 32);
    let a = node(&mut memory);
    memory.store_pointer(global, a).unwrap();
    assert!(!memory.has_torn_pointers());
    for byte in 0..8 {
        memory.store_word::<1>(at(global, byte), 0xAB).unwrap();
        assert_eq!(memory.has_torn_pointers(), byte < 7, "byte {byte}");
    }
    assert_eq!(memory.load_word::<8>(global, &mut Zeros).unwrap(), 0xABAB_ABAB_ABAB_ABAB);
    assert_eq!(memory.address_reads(), 0);
    memory.store_pointer(global, a).unwrap();
    memory.store_word::<4>(global, 0).unwrap();
    // A copy of what is left is what is left.
    memory.copy(at(global, 8), global, 8).unwrap();
    memory.store_word::<8>(global, 0).unwrap();
    assert!(memory.has_torn_pointers());
    assert_eq!(memory.address_reads(), 0);
    let rest = memory.load_pointer(at(global, 8), &mut Zeros).unwrap();
    assert_eq!((rest.block(), memory.address_reads()), (None, 1));
    assert_eq!(memory.load_word::<1>(at(global, 15), &mut Zeros).unwrap(), a.low >> 56);
    assert_eq!(memory.address_reads(), 2);
    // Two stores that meet within a pointer, and one across two of them.
    memory.store_word::<8>(at(global, 8), 0).unwrap();
    memory.store_pointer(at(global, 16), a).unwrap();
    memory.store_pointer(at(global, 24), a).unwrap();
    memory.store_word::<8>(at(global, 20), 0).unwrap();
    assert!(memory.has_torn_pointers());
    memory.store_word::<4>(at(global, 16), 0).unwrap();
    memory.store_word::<4>(at(global, 28), 0).unwrap();
    assert!(!memory.has_torn_pointers());
}
