//! Inputs of an earlier run, in the order in which it drew them.

use heapwright_program::{Place, ScalarType, VariableId};

use crate::inputs::{ChoiceKind, DrawnInput, END_OF_INPUT, InputKind, Inputs};

/// Repeats a run. Once an input is asked for that the recording does not have at this point, the
/// run is another one: all further inputs are zero, and the source counts as exhausted.
#[derive(Clone, Debug)]
pub struct RecordedInputs<'r> {
    recorded: std::slice::Iter<'r, DrawnInput>,
    has_diverged: bool,
}

impl<'r> RecordedInputs<'r> {
    #[must_use]
    pub fn new(recorded: &'r [DrawnInput]) -> RecordedInputs<'r> {
        RecordedInputs { recorded: recorded.iter(), has_diverged: false }
    }

    fn next(&mut self, fits: impl Fn(&InputKind) -> bool) -> Option<u128> {
        if !self.has_diverged
            && let Some(drawn) = self.recorded.next()
            && fits(&drawn.kind)
        {
            return Some(drawn.bits);
        }
        self.has_diverged = true;
        None
    }
}

impl Inputs for RecordedInputs<'_> {
    fn nondeterministic(&mut self, name: &str, _ty: ScalarType, _place: Place) -> u128 {
        let fits = |kind: &InputKind| matches!(kind, InputKind::Nondeterministic(known) if **known == *name);
        self.next(fits).unwrap_or(0)
    }

    fn uninitialised_variable(
        &mut self,
        variable: Option<VariableId>,
        _ty: ScalarType,
        _place: Place,
    ) -> u128 {
        self.next(|kind| *kind == InputKind::UninitialisedVariable(variable)).unwrap_or(0)
    }

    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        self.next(|kind| *kind == InputKind::UninitialisedByte { serial, offset }).unwrap_or(0)
            as u8
    }

    fn allocation_fails(&mut self, serial: u64) -> bool {
        self.next(|kind| *kind == InputKind::AllocationFails { serial }).unwrap_or(0) != 0
    }

    /// What is not recorded was 0.
    fn choose(&mut self, kind: ChoiceKind, _options: u32) -> u32 {
        let next = self.recorded.as_slice().first();
        if next.is_none_or(|drawn| drawn.kind != InputKind::Choice(kind)) {
            return 0;
        }
        self.next(|_| true).unwrap_or(0) as u32
    }

    fn chooses(&self) -> bool {
        self.recorded.as_slice().iter().any(|drawn| matches!(drawn.kind, InputKind::Choice(_)))
    }

    fn character(&mut self) -> Option<u8> {
        let bits = self.next(|kind| *kind == InputKind::Character).unwrap_or(END_OF_INPUT);
        u8::try_from(bits).ok()
    }

    fn is_exhausted(&self) -> bool {
        self.has_diverged
    }
}
