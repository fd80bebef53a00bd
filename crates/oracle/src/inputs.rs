//! Inputs that look for trouble: first what a step's model lists, then what a seed stands for.
//!
//! The first seeds are pure (all zeros, all ones, …), so that the plainest executions are always
//! among the runs; the others mix small numbers, the constants that the program compares with and
//! the ends of types.

use std::rc::Rc;

use heapwright_engine::listed_inputs;
use heapwright_interpreter::{ChoiceKind, DrawnInput, Inputs, ListedInputs, SeededInputs};
use heapwright_program::{Place, ScalarType, VariableId};

use crate::world::World;

/// Seeds with fixed answers; the mixtures come after them.
pub(crate) const PURE: u64 = 8;

pub(crate) struct Adversary {
    seed: u64,
    /// Integers drawn so far.
    count: u64,
    dictionary: Rc<[u128]>,
    random: SeededInputs,
    listed: ListedInputs,
    world: World,
}

impl Adversary {
    pub(crate) fn new(seed: u64, dictionary: &Rc<[u128]>) -> Adversary {
        Adversary {
            seed,
            count: 0,
            dictionary: Rc::clone(dictionary),
            random: SeededInputs::new(seed),
            listed: ListedInputs::zeros(),
            world: World::Plain,
        }
    }

    /// The same after the inputs of a step.
    pub(crate) fn after(mut self, inputs: &[DrawnInput]) -> Adversary {
        self.listed = listed_inputs(inputs);
        self
    }

    /// The same where the implementation decides otherwise, but for what a step lists.
    pub(crate) fn within(self, world: World) -> Adversary {
        Adversary { world, ..self }
    }

    fn value(&mut self, ty: ScalarType) -> u128 {
        match ty {
            ScalarType::Integer { width, .. } => self.integer(u32::from(width)),
            ScalarType::Bool => self.integer(1),
            // A pointer out of nowhere is null or of no use.
            ScalarType::Pointer => 0,
            ScalarType::Float(_) if self.seed == 0 => 0,
            ScalarType::Float(_) => self.random(ty),
        }
    }

    fn integer(&mut self, width: u32) -> u128 {
        self.count += 1;
        let ends = [0, 1, u128::MAX, 1 << (width - 1), (1 << (width - 1)) - 1];
        let roll = self.roll();
        match self.seed {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => u128::from(self.count % 2),
            4 => ends[roll % ends.len()],
            5 => u128::from(!roll.is_multiple_of(16)),
            6 => self.of_dictionary(roll),
            7 => roll as u128 % 4,
            PURE.. => match roll % 16 {
                0..=2 => 0,
                3..=5 => 1,
                6..=8 => self.of_dictionary(roll / 16),
                9..=11 => (roll as u128 / 16) % 8,
                12 => ((roll as u128 / 16) % 8).wrapping_neg(),
                13 => ends[roll / 16 % ends.len()],
                14 => (roll as u128 / 16) % 256,
                _ => self.random(ScalarType::Integer { width: 64, signed: false }),
            },
        }
    }

    fn of_dictionary(&self, roll: usize) -> u128 {
        match self.dictionary.len() {
            0 => roll as u128 % 2,
            length => self.dictionary[roll % length],
        }
    }

    fn random(&mut self, ty: ScalarType) -> u128 {
        let place = heapwright_program::Place {
            file: heapwright_base::DenseId::from_index(0),
            line: 0,
            column: 0,
        };
        self.random.nondeterministic("", ty, place)
    }

    /// A number by its position, so that a run with other types draws the same ones.
    fn roll(&self) -> usize {
        self.roll_of(self.count)
    }

    fn roll_of(&self, position: u64) -> usize {
        let mixed = (self.seed << 32 ^ position).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 33) as usize
    }
}

impl Inputs for Adversary {
    fn nondeterministic(&mut self, _name: &str, ty: ScalarType, _place: Place) -> u128 {
        self.listed.values.pop_front().unwrap_or_else(|| self.value(ty))
    }

    fn uninitialised_variable(
        &mut self,
        _variable: Option<VariableId>,
        ty: ScalarType,
        _place: Place,
    ) -> u128 {
        self.listed.variables.pop_front().unwrap_or_else(|| self.value(ty))
    }

    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        if let Some(&byte) = self.listed.bytes.get(&(serial, offset)) {
            return byte;
        }
        match self.seed {
            0 | 1 => 0,
            2..=4 => 0xaa,
            _ => self.random.uninitialised_byte(serial, offset),
        }
    }

    fn allocation_fails(&mut self, serial: u64) -> bool {
        let is_listed = self.listed.failing.contains(&serial);
        is_listed || self.seed >= PURE && self.random.allocation_fails(serial)
    }

    fn choose(&mut self, kind: ChoiceKind, _options: u32) -> u32 {
        let listed = self.listed.choices.get(&kind).copied();
        listed.unwrap_or_else(|| {
            let roll = match kind {
                ChoiceKind::Address { serial } => self.roll_of(serial),
                ChoiceKind::Literals | ChoiceKind::Null { .. } | ChoiceKind::Block { .. } => 0,
            };
            self.world.choose(kind, roll)
        })
    }

    fn chooses(&self) -> bool {
        !self.listed.choices.is_empty() || self.world != World::Plain
    }

    fn character(&mut self) -> Option<u8> {
        match self.listed.characters.pop_front() {
            Some(character) => Some(character),
            None if self.seed == 0 => None,
            None => self.random.character(),
        }
    }
}
