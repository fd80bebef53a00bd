//! From a path and a model of its condition to the inputs of an execution.

use std::sync::Arc;

use heapwright_interpreter::{DrawnInput, InputKind};
use heapwright_logic::Model;
use heapwright_program::{Place, ScalarType};

use crate::execution::access::value_in;
use crate::heap::names::Names;
use crate::heap::state::{DrawnTerm, State};
use crate::reasoning::Reasoner;
use crate::reasoning::path_condition::Possible;

/// Inputs that take the program along this path; `None` if the solver finds none.
pub(crate) fn inputs_of(reasoner: &mut Reasoner<'_>, state: &State) -> Option<Vec<DrawnInput>> {
    let model = match &state.model {
        Some(model) => Arc::clone(model),
        None => match reasoner.possible(state, heapwright_logic::TermId::TRUE) {
            Possible::Yes(model) => model,
            Possible::No | Possible::Perhaps => return None,
        },
    };
    let nowhere = Place { file: heapwright_base::DenseId::from_index(0), line: 0, column: 0 };
    let mut inputs = Vec::new();
    for drawn in &state.drawn {
        add_input(&reasoner.names, drawn, &model, nowhere, &mut inputs);
    }
    Some(inputs)
}

fn add_input(
    names: &Names<'_>,
    drawn: &DrawnTerm,
    model: &Model,
    nowhere: Place,
    inputs: &mut Vec<DrawnInput>,
) {
    match drawn {
        DrawnTerm::Nondeterministic { name, ty, value, place } => inputs.push(DrawnInput {
            kind: InputKind::Nondeterministic(Arc::clone(name)),
            ty: *ty,
            bits: value_in(names, model, *value),
            place: *place,
        }),
        DrawnTerm::Variable { variable, ty, value, place } => inputs.push(DrawnInput {
            kind: InputKind::UninitialisedVariable(*variable),
            ty: *ty,
            bits: value_in(names, model, *value),
            place: *place,
        }),
        DrawnTerm::Bytes { serial, offset, size, value } => {
            let bits = value_in(names, model, *value);
            for index in 0..*size {
                inputs.push(DrawnInput {
                    kind: InputKind::UninitialisedByte { serial: *serial, offset: offset + index },
                    ty: ScalarType::BYTE,
                    bits: bits >> (8 * index) & 0xff,
                    place: nowhere,
                });
            }
        }
        DrawnTerm::AllocationFailed { serial } => inputs.push(DrawnInput {
            kind: InputKind::AllocationFails { serial: *serial },
            ty: ScalarType::Bool,
            bits: 1,
            place: nowhere,
        }),
    }
}
