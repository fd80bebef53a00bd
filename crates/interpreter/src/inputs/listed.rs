//! Inputs that someone worked out: a list of values, bytes by position, failing allocations.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_program::{Place, ScalarType, VariableId};

use crate::inputs::{ChoiceKind, Inputs};

/// What is not listed is zero. Asking past the end of the values counts as exhaustion; bytes and
/// variables that are not listed do not.
#[derive(Clone, Debug, Default)]
pub struct ListedInputs {
    /// Results of nondeterministic calls, in order.
    pub values: VecDeque<u128>,
    /// Values of uninitialised variables, in the order in which they are drawn.
    pub variables: VecDeque<u128>,
    /// Bytes by block and offset.
    pub bytes: BTreeMap<(u64, u64), u8>,
    /// Serials of the blocks whose allocation fails.
    pub failing: BTreeSet<u64>,
    /// What the implementation decides.
    pub choices: BTreeMap<ChoiceKind, u32>,
    /// What it decides where nothing is listed.
    pub other_choices: u32,
    /// Standard input.
    pub characters: VecDeque<u8>,
    is_exhausted: bool,
}

impl ListedInputs {
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = u128>) -> ListedInputs {
        ListedInputs { values: values.into_iter().collect(), ..ListedInputs::default() }
    }

    /// Every input is zero.
    #[must_use]
    pub fn zeros() -> ListedInputs {
        ListedInputs::default()
    }
}

impl Inputs for ListedInputs {
    fn nondeterministic(&mut self, _name: &str, _ty: ScalarType, _place: Place) -> u128 {
        let value = self.values.pop_front();
        self.is_exhausted |= value.is_none();
        value.unwrap_or(0)
    }

    fn uninitialised_variable(
        &mut self,
        _variable: Option<VariableId>,
        _ty: ScalarType,
        _place: Place,
    ) -> u128 {
        self.variables.pop_front().unwrap_or(0)
    }

    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        self.bytes.get(&(serial, offset)).copied().unwrap_or(0)
    }

    fn allocation_fails(&mut self, serial: u64) -> bool {
        self.failing.contains(&serial)
    }

    fn choose(&mut self, kind: ChoiceKind, _options: u32) -> u32 {
        self.choices.get(&kind).copied().unwrap_or(self.other_choices)
    }

    fn chooses(&self) -> bool {
        !self.choices.is_empty() || self.other_choices != 0
    }

    fn character(&mut self) -> Option<u8> {
        self.characters.pop_front()
    }

    fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }
}
