//! The transfer of one edge: what a state becomes, exactly but for what the structure leaves open.
//!
//! Reading order: `value` (expressions), this file (what each operation does), `branch` (assumptions),
//! `number` (what structures say of numbers), `memory` (loads, stores, allocation), `release` (free), `call`.

mod branch;
mod call;
mod memory;
mod number;
mod release;
mod value;

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_program::{Edge, EdgeId, Failure, Halt, Operation, Place, ScalarType, VariableId};
use heapwright_property::Part;
use heapwright_three_valued::{NULL, Structure};

use crate::alarm::{Alarm, AlarmKind};
use crate::leaks;
use crate::model::Model;
use crate::numbers;
use crate::precision::{NumberField, Numeral};
use crate::state::{Next, Slot, State};
use crate::table::Table;
use crate::transfer::value::{Evaluator, Value};

pub(crate) type Stepped = Result<Next, AlarmKind>;

/// Nodes that a structure may have before a step that adds some.
const MOST_NODES: usize = heapwright_three_valued::MOST_NODES - 4;

/// Makes steps of a model, and counts them.
#[derive(Debug)]
pub(crate) struct Transfer<'a, 't> {
    pub(crate) model: &'a Model<'t>,
    /// Unknown pointers whose value was asked for.
    pub(crate) consulted: Vec<Slot>,
    /// Numbers that would have said more, had they been tracked.
    pub(crate) asked: AskedNumbers,
    /// Structures that were made, after focus.
    pub(crate) structures: u64,
}

/// Number fields that were read, and numbers that were compared or stored there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AskedNumbers {
    pub(crate) fields: BTreeSet<NumberField>,
    pub(crate) numerals: BTreeSet<(ScalarType, Numeral)>,
}

impl<'a, 't> Transfer<'a, 't> {
    pub(crate) fn new(model: &'a Model<'t>) -> Transfer<'a, 't> {
        Transfer { model, consulted: Vec::new(), asked: AskedNumbers::default(), structures: 0 }
    }

    /// The states that an edge leads to. None: no execution passes it from here, or it ends here.
    pub(crate) fn step(&mut self, state: State, id: EdgeId) -> Result<Next, Alarm> {
        let program = self.model.program();
        let body = program.functions[state.function].body.as_ref().expect("a state is in a body");
        let edge = &body.edges[id];
        let place = edge.place;
        if state.heap.len() > MOST_NODES {
            return Err(Alarm { kind: AlarmKind::unsupported("so many blocks apart"), place });
        }
        self.divisions(&state, id)
            .and_then(|()| self.operation(state, edge, id))
            .map_err(|kind| Alarm { kind, place })
    }

    /// Whether an edge is a condition that is known to fail.
    pub(crate) fn is_closed(&mut self, state: &State, id: EdgeId) -> bool {
        let body = self.model.program().functions[state.function].body.as_ref();
        match body.expect("a state is in a body").edges[id].operation {
            // A division is looked at when the edge is passed.
            Operation::Assume { condition, holds } if !self.divides(state, id) => {
                let value = self.value(state, condition).number();
                value.is_some_and(|bits| (bits != 0) != holds)
            }
            _ => false,
        }
    }

    /// Whether the edge divides, and somebody asks about divisions by zero.
    fn divides(&self, state: &State, id: EdgeId) -> bool {
        self.model.atlas.divisors_asked.contains_key(&(state.function, id))
    }

    /// Where somebody asks about divisions by zero, every divisor is known not to be.
    fn divisions(&mut self, state: &State, id: EdgeId) -> Result<(), AlarmKind> {
        let atlas = self.model.atlas;
        let Some((part, divisors)) = atlas.divisors_asked.get(&(state.function, id)) else {
            return Ok(());
        };
        let may_be_zero =
            |&divisor| self.value(state, divisor).number().is_none_or(|number| number == 0);
        match divisors.iter().any(may_be_zero) {
            true => Err(AlarmKind::Violation(*part)),
            false => Ok(()),
        }
    }

    fn operation(&mut self, mut state: State, edge: &Edge, id: EdgeId) -> Stepped {
        let before = state.location;
        state.location = edge.target;
        match &edge.operation {
            Operation::Skip => Ok(Next::One(state)),
            Operation::Assume { condition, holds } => Ok(self.assume(state, *condition, *holds)),
            Operation::Assign { target, value } => {
                let value = self.value(&state, *value);
                self.set(&mut state, *target, value);
                Ok(Next::One(state))
            }
            Operation::Input { target, .. } => {
                self.set(&mut state, *target, Value::Number(None));
                Ok(Next::One(state))
            }
            Operation::Load { target, access } => self.load(state, *target, access),
            Operation::Store { access, value } => self.store(state, access, *value),
            Operation::Allocate { target, storage, size, zeroed } => {
                self.allocate(state, *target, (*storage, *size, *zeroed))
            }
            Operation::Free { address } => self.free(state, *address),
            Operation::Enter { size: Some(_), .. } => {
                Err(AlarmKind::unsupported("an object of dynamic size"))
            }
            Operation::Enter { object, size: None } => {
                state.end_object(*object);
                Rc::make_mut(&mut state.objects).insert(*object);
                Ok(Next::One(state))
            }
            Operation::Leave { object } => {
                state.end_object(*object);
                Ok(Next::One(state))
            }
            Operation::Call { target, callee, arguments } => {
                state.location = before;
                self.call(state, id, (*target, *callee), arguments)
            }
            Operation::Return { value } => self.return_from(state, *value),
            Operation::Halt(halt) => self.halt(state, *halt),
            Operation::Fail(failure) => self.fail(failure),
            Operation::Copy { .. } => Err(AlarmKind::unsupported("a copy of a range of bytes")),
            Operation::Fill { .. } => Err(AlarmKind::unsupported("a fill of a range of bytes")),
            Operation::Disjoint { .. } => {
                Err(AlarmKind::unsupported("whether two ranges of bytes overlap"))
            }
            Operation::BlockSize { .. } => Err(AlarmKind::unsupported("the size of a block")),
            Operation::Unsupported { construct } => Err(AlarmKind::unsupported(construct.clone())),
        }
    }

    fn fail(&self, failure: &Failure) -> Stepped {
        let specification = &self.model.atlas.task.specification;
        match failure {
            Failure::Assertion { .. }
                if specification.assertions && specification.asks(Part::UnreachCall) =>
            {
                Err(AlarmKind::Violation(Part::UnreachCall))
            }
            // The execution ends, in a way that nobody asks about.
            Failure::Assertion { .. } => Ok(Next::Nothing),
            Failure::Size { .. } | Failure::Usage { .. } => {
                Err(AlarmKind::Violation(Part::ValidDeref))
            }
            Failure::Overflow { .. } => Err(AlarmKind::Violation(Part::NoOverflow)),
        }
    }

    fn halt(&mut self, state: State, halt: Halt) -> Stepped {
        match halt {
            Halt::AssumptionFailed => Ok(Next::Nothing),
            Halt::Exit(_) | Halt::ImmediateExit(_) | Halt::Abort => self.end(&state),
        }
    }

    /// The program ends here.
    fn end(&mut self, state: &State) -> Stepped {
        leaks::at_end(self.model, state)?;
        Ok(Next::Nothing)
    }

    pub(crate) fn value(
        &mut self,
        state: &State,
        expression: heapwright_program::ExpressionId,
    ) -> Value {
        let consulted = &mut self.consulted;
        Evaluator { model: self.model, state, consulted }.value(expression)
    }

    /// Gives a variable a value.
    pub(crate) fn set(&self, state: &mut State, target: VariableId, value: Value) {
        match self.model.program().variables[target].scalar {
            ScalarType::Pointer => {
                state.pointers.insert(Slot::Variable(target), value.pointer());
            }
            ScalarType::Bool | ScalarType::Integer { .. } => {
                match value.number() {
                    Some(bits) => state.numbers.insert(target, bits),
                    None => state.numbers.remove(&target),
                }
                self.set_datum(state, target, value);
            }
            ScalarType::Float(_) => {}
        }
    }
}

/// The state at the start of the program.
pub(crate) fn initial(model: &Model<'_>) -> Result<State, Alarm> {
    let program = model.program();
    let nowhere = |place: Place, what: &str| Alarm { kind: AlarmKind::unsupported(what), place };
    let first = program.files.next_id();
    let unplaced = Place { file: first, line: 0, column: 0 };
    let Some(main) = program.function_named("main") else {
        return Err(nowhere(unplaced, "a program without `main`"));
    };
    let function = &program.functions[main];
    let Some(body) = &function.body else {
        return Err(nowhere(function.place, "a program without `main`"));
    };
    let mut state = State {
        calls: Rc::default(),
        function: main,
        location: body.entry,
        pointers: Table::default(),
        numbers: Table::default(),
        data: Table::default(),
        objects: Rc::default(),
        heap: Rc::new(Structure::new(&model.instance.vocabulary, 0)),
        is_sharp: false,
    };
    for &(_, pointer) in &model.tracked().collect::<Vec<_>>() {
        model.instance.assign(state.heap_mut(), pointer, NULL);
    }
    numbers::begin(model, &mut state);
    let mut transfer = Transfer::new(model);
    for (id, variable) in program.variables.enumerated() {
        if let heapwright_program::VariableKind::Global { initial } = variable.kind {
            let value = transfer.value(&state, initial);
            transfer.set(&mut state, id, value);
        }
    }
    for &parameter in &function.parameters {
        transfer.set(&mut state, parameter, Value::Number(None));
    }
    Ok(state)
}
