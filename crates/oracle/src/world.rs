//! Worlds: what the implementation decides in a run where C leaves it open.
//!
//! Each differs from the plainest world in one kind of choice, so that a disagreement names what it
//! rests on; two differ in all kinds, for what needs several.

use heapwright_interpreter::ChoiceKind;

/// How choices fall in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// Every choice is 0: blocks lie where none has been, equal literals are one.
    Plain,
    /// Every choice is this number.
    All(u32),
    /// A new block lies where one died: the latest death is 1.
    Addresses(u32),
    /// Some new blocks lie where others died, as the seed says.
    SomeAddresses,
    /// Literals are one with those that they are the end of (2), or apart (3).
    Literals(u32),
    /// Allocations of no bytes give null.
    Nulls,
    /// `realloc` to no bytes gives what an allocation of no bytes gives.
    Blocks,
}

impl World {
    /// All but the plain one; the first tells whether there is anything to choose.
    pub(crate) const OTHERS: [World; 9] = [
        World::All(1),
        World::Addresses(1),
        World::Addresses(2),
        World::Literals(3),
        World::Nulls,
        World::Blocks,
        World::SomeAddresses,
        World::Literals(2),
        World::All(2),
    ];

    /// What is chosen, if `roll` is the seed's number for this choice.
    pub(crate) fn choose(self, kind: ChoiceKind, roll: usize) -> u32 {
        let is_address = matches!(kind, ChoiceKind::Address { .. });
        match self {
            World::Plain => 0,
            World::All(number) => number,
            World::Addresses(number) if is_address => number,
            // Mostly the latest deaths: that is what allocators take.
            World::SomeAddresses if is_address => [0, 1, 0, 2, 1, 3, 1, 4][roll % 8],
            World::Literals(number) if kind == ChoiceKind::Literals => number,
            World::Nulls => u32::from(matches!(kind, ChoiceKind::Null { .. })),
            World::Blocks => u32::from(matches!(kind, ChoiceKind::Block { .. })),
            World::Addresses(_) | World::SomeAddresses | World::Literals(_) => 0,
        }
    }
}
