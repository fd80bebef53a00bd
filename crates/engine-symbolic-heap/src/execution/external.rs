//! Calls of functions that no file defines: what little they do to the memory we look at.

use heapwright_engine::Reason;
use heapwright_interpreter::is_mathematical;
use heapwright_logic::TermId;
use heapwright_program::{FunctionId, Place, ScalarType, VariableId};

use crate::execution::access::{Use, resolve};
use crate::execution::expression::arbitrary;
use crate::execution::outcome::Outcome;
use crate::execution::step::{scalar_of, set};
use crate::heap::state::State;
use crate::reasoning::Reasoner;

/// Functions that only print: where their format string is among the arguments.
const PRINTING: &[(&str, usize)] =
    &[("printf", 0), ("fprintf", 1), ("puts", usize::MAX), ("putchar", usize::MAX)];

pub(crate) fn library_call(
    reasoner: &mut Reasoner<'_>,
    state: State,
    function: FunctionId,
    target: Option<VariableId>,
    arguments: &[(TermId, ScalarType)],
    place: Place,
) -> Vec<Outcome> {
    let name = reasoner.names.program().functions[function].name.as_str();
    let is_number = |&(_, ty): &(TermId, ScalarType)| !ty.is_pointer();
    if is_mathematical(name) && arguments.iter().all(is_number) {
        return vec![Outcome::Continues(with_any_result(reasoner, state, target, "computed"))];
    }
    let known = PRINTING.iter().find(|(printing, _)| *printing == name);
    let Some(&(_, format)) = known else {
        let text = format!("call of external function `{name}`");
        return vec![Outcome::Unknown(Reason::at(text, place))];
    };
    let mut state = state;
    if !prints_no_strings(reasoner, &mut state, name, format, arguments) {
        let text = format!("strings that `{name}` prints");
        return vec![Outcome::Unknown(Reason::at(text, place))];
    }
    vec![Outcome::Continues(with_any_result(reasoner, state, target, "printed"))]
}

fn with_any_result(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    target: Option<VariableId>,
    name: &str,
) -> State {
    if let Some(target) = target {
        let ty = scalar_of(&reasoner.names, target);
        let value = arbitrary(&mut reasoner.names, name, ty);
        set(&mut reasoner.names, &mut state, target, value);
    }
    state
}

/// Whether a call reads no memory but string literals.
fn prints_no_strings(
    reasoner: &mut Reasoner<'_>,
    state: &mut State,
    name: &str,
    format: usize,
    arguments: &[(TermId, ScalarType)],
) -> bool {
    if name == "putchar" {
        return true;
    }
    if name == "puts" {
        return arguments
            .first()
            .is_some_and(|&(text, _)| literal(reasoner, state, text).is_some());
    }
    let Some(&(format_pointer, _)) = arguments.get(format) else { return false };
    let Some(text) = literal(reasoner, state, format_pointer) else { return false };
    // Conversions that read memory: `%s`, and `%n`, which writes it.
    let mut rest = text.as_slice();
    while let Some(position) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[position + 1..];
        let Some(end) = rest.iter().position(|byte| b"diouxXeEfFgGaAcspnm%".contains(byte)) else {
            return false;
        };
        if matches!(rest[end], b's' | b'n') {
            return false;
        }
        rest = &rest[end + 1..];
    }
    true
}

/// The text of a string literal that a pointer points into.
fn literal(reasoner: &mut Reasoner<'_>, state: &mut State, pointer: TermId) -> Option<Vec<u8>> {
    let place = Place { file: heapwright_base::DenseId::from_index(0), line: 0, column: 0 };
    let mut text = Vec::new();
    for index in 0..4096u64 {
        let offset =
            reasoner.names.terms.bit_vector(u128::from(index), reasoner.names.pointer_bits());
        let at = reasoner.names.terms.add(pointer, offset);
        let resolved = resolve(reasoner, state.clone(), at, 1, Use::Read, place);
        let [(_, block, offset)] = resolved.valid.as_slice() else { return None };
        let byte = reasoner.names.read(state, *block, *offset, 1);
        let byte = reasoner.names.constant(byte)? as u8;
        if byte == 0 {
            return Some(text);
        }
        text.push(byte);
    }
    None
}
