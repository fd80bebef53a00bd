//! Inputs from a seed: random, with a bias to the values that programs treat specially.

use heapwright_program::{Place, ScalarType, VariableId};

use crate::inputs::plausible::plausible;
use crate::inputs::{ChoiceKind, Inputs};

/// The same seed gives the same inputs.
#[derive(Clone, Debug)]
pub struct SeededInputs {
    state: u64,
    seed: u64,
    /// One allocation in this many fails, where allocations may fail at all.
    pub failure_interval: u64,
    /// Whether the implementation's choices vary too.
    pub varies_choices: bool,
    /// Whether the environment gives what it would give, as opposed to anything.
    pub is_plausible: bool,
    /// Whether each place of the program has habits: how seldom it is given zero. So loops that are asked for
    /// another round go on for long, while what they do in each varies.
    pub has_habits: bool,
}

/// How seldom zero comes at a place with habits.
const HABITS: [u64; 4] = [2, 4, 64, 512];

impl SeededInputs {
    #[must_use]
    pub fn new(seed: u64) -> SeededInputs {
        SeededInputs {
            state: seed,
            seed,
            failure_interval: 8,
            varies_choices: false,
            is_plausible: true,
            has_habits: false,
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        scramble(self.state)
    }

    fn integer(&mut self, width: u32) -> u128 {
        let choice = self.next();
        let random = u128::from(self.next()) | u128::from(self.next()) << 64;
        match choice % 16 {
            0..=2 => 0,
            3..=5 => 1,
            6 => u128::MAX,
            7..=10 => random % 16,
            11 => (random % 16).wrapping_neg(),
            12 => 1 << (width - 1),
            13 => (1 << (width - 1)) - 1,
            14 => random % 256,
            _ => random,
        }
    }

    /// A number by the habit of a place.
    fn habitual(&mut self, ty: ScalarType, place: Place) -> u128 {
        let key = u64::from(place.line) << 32 | u64::from(place.column);
        let habit = scramble(self.seed ^ scramble(key.wrapping_add(GOLDEN)));
        let seldom = HABITS[(habit % 4) as usize];
        let random = self.next();
        match ty {
            _ if random.is_multiple_of(seldom) => 0,
            ScalarType::Bool => 1,
            // Where zero is not seldom, any number may matter.
            ScalarType::Integer { .. } if seldom > 4 => 1 + u128::from(random >> 32) % 16,
            ScalarType::Integer { .. } | ScalarType::Pointer | ScalarType::Float(_) => {
                self.value(ty)
            }
        }
    }

    fn value(&mut self, ty: ScalarType) -> u128 {
        match ty {
            ScalarType::Bool => u128::from(self.next() & 1),
            ScalarType::Integer { width, .. } => self.integer(u32::from(width)),
            // A pointer out of nowhere is null or of no use.
            ScalarType::Pointer => 0,
            ScalarType::Float(_) => self.float(ty),
        }
    }

    fn float(&mut self, ty: ScalarType) -> u128 {
        use crate::kind::Kind;
        let random = self.next();
        let number = match random % 8 {
            0 => 0.0,
            1 => 1.0,
            2 => -1.0,
            3 => 0.5,
            4 => (random >> 32) as i32 as f64,
            5 => (random >> 32) as f64 / 65536.0,
            6 => -((random >> 56) as f64),
            _ => f64::from_bits(self.next()),
        };
        crate::float::from_double(Kind::of(ty), number).wide()
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of splitmix64.
fn scramble(state: u64) -> u64 {
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Inputs for SeededInputs {
    fn nondeterministic(&mut self, name: &str, ty: ScalarType, place: Place) -> u128 {
        // Most names say nothing, and draw no number more.
        if self.is_plausible && !ty.is_float() && plausible(name, 0).is_some() {
            let random = self.next();
            return plausible(name, random).unwrap_or(0);
        }
        if self.has_habits && !ty.is_float() {
            return self.habitual(ty, place);
        }
        self.value(ty)
    }

    fn uninitialised_variable(
        &mut self,
        _variable: Option<VariableId>,
        ty: ScalarType,
        _place: Place,
    ) -> u128 {
        self.value(ty)
    }

    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        // By position and not in order, so that a change elsewhere does not change it.
        let key = scramble(self.seed ^ scramble(serial.wrapping_add(GOLDEN)));
        scramble(key.wrapping_add(offset)) as u8
    }

    fn allocation_fails(&mut self, _serial: u64) -> bool {
        self.next().is_multiple_of(self.failure_interval.max(1))
    }

    fn choose(&mut self, kind: ChoiceKind, options: u32) -> u32 {
        // A violation that needs equal literals to lie apart is one of no compiler that people use.
        let options = if kind == ChoiceKind::Literals { options.min(3) } else { options };
        // Mostly the first that is not the default: allocators take what was freed last.
        match self.next() % 4 {
            0 => 0,
            1 | 2 => 1.min(options - 1),
            _ => (self.next() % u64::from(options)) as u32,
        }
    }

    fn chooses(&self) -> bool {
        self.varies_choices
    }

    fn character(&mut self) -> Option<u8> {
        let random = self.next();
        match random % 32 {
            0 => None,
            1..=3 => Some(b'\n'),
            4..=7 => Some(b' '),
            8..=19 => Some(b'0' + (random >> 32) as u8 % 10),
            _ => Some(b' ' + (random >> 32) as u8 % 95),
        }
    }
}
