//! The one door through which a machine gets inputs: masks them, counts them, records them.

use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_memory::UninitialisedBytes;
use heapwright_program::{DataModel, Place, ScalarType, VariableId, mask};

use crate::inputs::{ChoiceKind, DrawnInput, END_OF_INPUT, InputKind, Inputs};

pub(crate) struct Draws<'e> {
    source: Box<dyn Inputs + 'e>,
    model: DataModel,
    is_recording: bool,
    chooses: bool,
    /// Choices that fell otherwise than in the plainest world.
    chosen: u64,
    recorded: Vec<DrawnInput>,
    count: u64,
    /// Where the operation under way stands in the source.
    pub(crate) place: Place,
}

impl<'e> Draws<'e> {
    pub(crate) fn new(
        source: Box<dyn Inputs + 'e>,
        model: DataModel,
        is_recording: bool,
    ) -> Draws<'e> {
        let place = Place { file: DenseId::from_index(0), line: 0, column: 0 };
        let chooses = source.chooses();
        Draws {
            source,
            model,
            is_recording,
            chooses,
            chosen: 0,
            recorded: Vec::new(),
            count: 0,
            place,
        }
    }

    pub(crate) fn nondeterministic(&mut self, name: &Arc<str>, ty: ScalarType) -> u128 {
        let bits = self.source.nondeterministic(name, ty, self.place);
        self.note(InputKind::Nondeterministic(Arc::clone(name)), ty, bits)
    }

    pub(crate) fn variable(&mut self, variable: Option<VariableId>, ty: ScalarType) -> u128 {
        let bits = self.source.uninitialised_variable(variable, ty, self.place);
        self.note(InputKind::UninitialisedVariable(variable), ty, bits)
    }

    pub(crate) fn allocation_fails(&mut self, serial: u64) -> bool {
        let fails = self.source.allocation_fails(serial);
        self.note(InputKind::AllocationFails { serial }, ScalarType::Bool, u128::from(fails));
        fails
    }

    pub(crate) fn character(&mut self) -> Option<u8> {
        let character = self.source.character();
        let bits = character.map_or(END_OF_INPUT, u128::from);
        self.note(InputKind::Character, ScalarType::INT, bits);
        character
    }

    /// How many choices were not 0.
    pub(crate) fn chosen(&self) -> u64 {
        self.chosen
    }

    /// Whether anything but 0 is ever chosen.
    pub(crate) fn chooses(&self) -> bool {
        self.chooses
    }

    pub(crate) fn choose(&mut self, kind: ChoiceKind, options: u32) -> u32 {
        if !self.chooses || options <= 1 {
            return 0;
        }
        let chosen = self.source.choose(kind, options).min(options - 1);
        if chosen != 0 {
            self.chosen += 1;
            self.note(InputKind::Choice(kind), ScalarType::UNSIGNED, u128::from(chosen));
        }
        chosen
    }

    fn note(&mut self, kind: InputKind, ty: ScalarType, bits: u128) -> u128 {
        let bits = bits & mask(ty.value_bits(self.model));
        self.count += 1;
        if self.is_recording {
            self.recorded.push(DrawnInput { kind, ty, bits, place: self.place });
        }
        bits
    }

    /// Says that the run depends on something that is fixed here and may differ elsewhere.
    pub(crate) fn depend(&mut self) {
        self.count += 1;
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.source.is_exhausted()
    }

    pub(crate) fn take_recorded(&mut self) -> Vec<DrawnInput> {
        std::mem::take(&mut self.recorded)
    }
}

impl UninitialisedBytes for Draws<'_> {
    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        let byte = self.source.uninitialised_byte(serial, offset);
        let kind = InputKind::UninitialisedByte { serial, offset };
        self.note(kind, ScalarType::BYTE, u128::from(byte));
        byte
    }
}
