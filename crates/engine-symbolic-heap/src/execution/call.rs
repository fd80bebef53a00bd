//! Calls and returns: real frames, however deep the recursion.

use std::sync::Arc;

use heapwright_base::DenseId;
use heapwright_engine::Reason;
use heapwright_logic::TermId;
use heapwright_memory::FaultKind;
use heapwright_program::{Callee, EdgeId, ExpressionId, FunctionId, Place, ScalarType, VariableId};
use imbl::{OrdMap, Vector};

use crate::execution::expression::{bytes_of_value, evaluate, resize, value_of_bytes};
use crate::execution::external::library_call;
use crate::execution::lifetime::{kill, new_block};
use crate::execution::outcome::Outcome;
use crate::execution::step::{Executor, scalar_of, set};
use crate::heap::block::{BlockKind, DefaultBytes};
use crate::heap::names::Names;
use crate::heap::state::{DrawnTerm, Frame, State};
use crate::heap::trail::Trail;
use crate::reasoning::Reasoner;

/// Bytes from one variable argument to the next.
const SLOT: u64 = 16;

impl Executor<'_, '_> {
    pub(crate) fn call(
        &mut self,
        mut state: State,
        edge: EdgeId,
        target: Option<VariableId>,
        callee: &Callee,
        arguments: &[ExpressionId],
        place: Place,
    ) -> Vec<Outcome> {
        let caller = state.frame().function;
        let behind = self.reasoner.names.facts.edge(caller, edge).target;
        let function = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(pointer) => {
                let pointer = evaluate(self.reasoner, &mut state, *pointer);
                match pointed_function(&mut self.reasoner.names, &state, pointer) {
                    Ok(function) => function,
                    Err(Some(kind)) => return vec![Outcome::Fault { state, kind, place }],
                    Err(None) => {
                        let text = "a call through a pointer that is not known";
                        return vec![Outcome::Unknown(Reason::at(text, place))];
                    }
                }
            }
        };
        let name = &self.reasoner.names.program().functions[function].name;
        if self
            .reasoner
            .names
            .task()
            .specification
            .error_functions
            .iter()
            .any(|error| error == name)
        {
            return vec![Outcome::Fault { state, kind: FaultKind::ErrorReached, place }];
        }
        let expressions = &self.reasoner.names.program().expressions;
        let values: Vec<(TermId, ScalarType)> = arguments
            .iter()
            .map(|&argument| {
                (evaluate(self.reasoner, &mut state, argument), expressions.type_of(argument))
            })
            .collect();
        state.frame_mut().location = behind;
        if self.reasoner.names.program().functions[function].body.is_none() {
            return library_call(self.reasoner, state, function, target, &values, place);
        }
        if state.frames.len() >= self.reasoner.services.settings.frames {
            return vec![Outcome::Unknown(Reason::at("recursion too deep", place))];
        }
        let is_cut = self.calls.is_cut_off(&self.reasoner.names.facts, &state, function);
        push_frame(&mut self.reasoner.names, &mut state, function, target, &values, place);
        vec![if is_cut { Outcome::Calls(state) } else { Outcome::Continues(state) }]
    }
}

/// The function that a pointer points to.
fn pointed_function(
    names: &mut Names<'_>,
    state: &State,
    pointer: TermId,
) -> Result<FunctionId, Option<FaultKind>> {
    let Some((block, offset)) = names.pointer(pointer) else {
        return Err(names.constant(pointer).map(|_| FaultKind::InvalidCallee));
    };
    match state.blocks.get(&block).map(|block| block.kind) {
        Some(BlockKind::Function(function)) if names.constant(offset) == Some(0) => Ok(function),
        Some(_) => Err(Some(FaultKind::InvalidCallee)),
        None => Err(None),
    }
}

fn push_frame(
    names: &mut Names<'_>,
    state: &mut State,
    function: FunctionId,
    target: Option<VariableId>,
    values: &[(TermId, ScalarType)],
    place: Place,
) {
    let callee = &names.program().functions[function];
    let mut registers = vec![None; names.facts.slot_count(function)];
    for (index, &parameter) in callee.parameters.iter().enumerate() {
        let ty = scalar_of(names, parameter);
        let value = match values.get(index) {
            Some(&(value, from)) => reinterpret(names, value, from, ty),
            None => {
                let value = names.fresh("missing", names.bits(ty));
                let variable = Some(parameter);
                state.drawn.push_back(DrawnTerm::Variable { variable, ty, value, place });
                value_of_bytes(names, value, ty)
            }
        };
        registers[names.facts.slot(parameter)] = Some(value);
    }
    let body = callee.body.as_ref().expect("a body");
    let mut objects = OrdMap::new();
    if let Some(object) = callee.varargs {
        let further = values.get(callee.parameters.len()..).unwrap_or(&[]);
        let size =
            names.terms.bit_vector(u128::from(further.len() as u64 * SLOT), names.pointer_bits());
        let block = new_block(names, state, BlockKind::Stack, size, DefaultBytes::Uninitialised);
        for (index, &(value, ty)) in further.iter().enumerate() {
            let bytes = bytes_of_value(names, value, ty);
            let bytes = whole_bytes(names, bytes);
            names.write(state, block, index as u64 * SLOT, bytes);
        }
        objects.insert(object, block);
    }
    state.frames.push_back(Frame {
        function,
        location: body.entry,
        registers: Arc::new(registers),
        objects,
        allocas: Vector::new(),
        target,
    });
}

/// An argument as a parameter of another type sees it: the same bits.
pub(crate) fn reinterpret(
    names: &mut Names<'_>,
    value: TermId,
    from: ScalarType,
    to: ScalarType,
) -> TermId {
    if from == to {
        return value;
    }
    let bytes = bytes_of_value(names, value, from);
    let bytes = resize(names, bytes, from.is_signed(), names.bits(to));
    value_of_bytes(names, bytes, to)
}

fn whole_bytes(names: &mut Names<'_>, term: TermId) -> TermId {
    let width = names.terms.width(term).div_ceil(8) * 8;
    resize(names, term, false, width)
}

pub(crate) fn return_from(
    reasoner: &mut Reasoner<'_>,
    mut state: State,
    value: Option<ExpressionId>,
    place: Place,
) -> Vec<Outcome> {
    let value = value.map(|value| {
        let ty = reasoner.names.program().expressions.type_of(value);
        (evaluate(reasoner, &mut state, value), ty)
    });
    let frame = state.frames.pop_back().expect("a frame to return from");
    for &block in frame.objects.values() {
        kill(&mut state, block);
    }
    for &block in &frame.allocas {
        kill(&mut state, block);
    }
    if state.frames.is_empty() {
        let Some(outside) = &mut state.outside else {
            return vec![Outcome::Ends { state, place }];
        };
        let ty = reasoner.names.program().functions[outside.function].result;
        if let (Some((value, from)), Some(ty)) = (value, ty) {
            Arc::make_mut(outside).result = Some(reinterpret(&mut reasoner.names, value, from, ty));
        }
        return vec![Outcome::Returns(state)];
    }
    if let Some(target) = frame.target {
        let ty = scalar_of(&reasoner.names, target);
        let value = match value {
            Some((value, from)) => reinterpret(&mut reasoner.names, value, from, ty),
            None => {
                let value = reasoner.names.fresh("result", reasoner.names.bits(ty));
                let variable = None;
                state.drawn.push_back(DrawnTerm::Variable { variable, ty, value, place });
                value_of_bytes(&mut reasoner.names, value, ty)
            }
        };
        set(&mut reasoner.names, &mut state, target, value);
    }
    vec![Outcome::Continues(state)]
}

/// The state at the start of `main`.
pub(crate) fn initial(reasoner: &mut Reasoner<'_>) -> Result<State, Reason> {
    let program = reasoner.names.program();
    let main = program
        .function_named("main")
        .filter(|&main| program.functions[main].body.is_some())
        .ok_or_else(|| Reason::new("the program has no `main`"))?;
    let mut state = State {
        frames: Vector::new(),
        outside: None,
        globals: Arc::new(vec![None; reasoner.names.facts.global_count]),
        blocks: OrdMap::new(),
        static_blocks: Arc::new(Vec::new()),
        function_blocks: Arc::new(Vec::new()),
        next_block: 0,
        next_serial: 0,
        condition: Vector::new(),
        model: Some(Arc::new(heapwright_logic::Model::new())),
        drawn: Vector::new(),
        remainders: OrdMap::new(),
        depth: 0,
        trail: Trail::default(),
        signature: heapwright_engine::Signature::EMPTY,
    };
    initial_blocks(reasoner, &mut state);
    if !program.functions[main].parameters.is_empty() {
        return Err(Reason::at(
            "`main` takes arguments, which are not modelled",
            program.functions[main].place,
        ))
        .or_else(
            |reason| {
                if heapwright_engine::closed_program(program) { Ok(()) } else { Err(reason) }
            },
        )
        .map(|()| with_main(&mut reasoner.names, state, main));
    }
    Ok(with_main(&mut reasoner.names, state, main))
}

fn with_main(names: &mut Names<'_>, mut state: State, main: FunctionId) -> State {
    let place = names.program().functions[main].place;
    let bits = names.pointer_bits();
    // Nobody looks at them, so any value will do, and none is drawn.
    let parameters = names.program().functions[main].parameters.clone();
    let zeros: Vec<(TermId, ScalarType)> = parameters
        .iter()
        .map(|&parameter| {
            let ty = scalar_of(names, parameter);
            let width = if ty.is_pointer() { bits } else { names.bits(ty) };
            (names.terms.bit_vector(0, width), ty)
        })
        .collect();
    push_frame(names, &mut state, main, None, &zeros, place);
    state
}

fn initial_blocks(reasoner: &mut Reasoner<'_>, state: &mut State) {
    use heapwright_program::ObjectKind;
    let program = reasoner.names.program();
    let bits = reasoner.names.pointer_bits();
    let one = reasoner.names.terms.bit_vector(1, bits);
    let mut functions = vec![None; program.functions.len()];
    for id in program.functions.ids() {
        let kind = BlockKind::Function(id);
        functions[id.index()] = match reasoner.names.facts.is_addressed(id) {
            true => Some(new_block(&mut reasoner.names, state, kind, one, DefaultBytes::Zero)),
            false => {
                // Texts number all functions.
                state.new_block_id();
                None
            }
        };
    }
    state.function_blocks = Arc::new(functions);
    let mut statics = vec![None; program.objects.len()];
    for (id, object) in program.objects.enumerated() {
        let (kind, rest) = match &object.kind {
            ObjectKind::Static { .. } => (BlockKind::Static, DefaultBytes::Initial(id)),
            ObjectKind::String { .. } => (BlockKind::String, DefaultBytes::Initial(id)),
            ObjectKind::External => (BlockKind::Static, DefaultBytes::Uninitialised),
            ObjectKind::Local => continue,
        };
        let kind = if object.is_constant { BlockKind::String } else { kind };
        let size = reasoner.names.terms.bit_vector(u128::from(object.size.unwrap_or(0)), bits);
        let block = new_block(&mut reasoner.names, state, kind, size, rest);
        // The interpreter's number for a static object.
        state.block_mut(block).serial = 1 << 63 | id.index() as u64;
        statics[id.index()] = Some(block);
    }
    state.static_blocks = Arc::new(statics);
    initial_addresses(&mut reasoner.names, state);
    initial_globals(reasoner, state);
}

fn initial_addresses(names: &mut Names<'_>, state: &mut State) {
    use heapwright_program::{AddressTarget, ObjectKind};
    let program = names.program();
    for (id, object) in program.objects.enumerated() {
        let ObjectKind::Static { addresses, .. } = &object.kind else { continue };
        let block = state.static_blocks[id.index()].expect("a static block");
        for address in addresses {
            let target = match address.target {
                AddressTarget::Object(object) => {
                    state.static_blocks[object.index()].expect("a static block")
                }
                AddressTarget::Function(function) => {
                    state.function_blocks[function.index()].expect("its address is taken")
                }
            };
            let base = names.pointer_to(target);
            let addend = names.terms.bit_vector(address.addend as u128, names.pointer_bits());
            let pointer = names.terms.add(base, addend);
            names.write(state, block, address.offset, pointer);
        }
    }
}

fn initial_globals(reasoner: &mut Reasoner<'_>, state: &mut State) {
    use heapwright_program::VariableKind;
    let program = reasoner.names.program();
    for (id, variable) in program.variables.enumerated() {
        if let VariableKind::Global { initial } = variable.kind {
            let value = evaluate(reasoner, state, initial);
            set(&mut reasoner.names, state, id, value);
        }
    }
}
