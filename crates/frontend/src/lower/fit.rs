//! Calls across files: a file may declare a function otherwise than another file, or a model of
//! ours, defines it. Linkers accept that, so arguments and results are converted as far as a
//! register would carry them; what C leaves entirely open is not modelled.

use heapwright_base::DenseId;
use heapwright_program::{
    Callee, Edge, EdgeId, ExpressionId, FunctionId, InputSource, LocationId, Operation, Program,
    ScalarType, Type, Variable, VariableId, VariableKind,
};

/// Makes every direct call pass what its callee takes and take what its callee gives.
pub(super) fn fit_calls(program: &mut Program) {
    let functions: Vec<FunctionId> = program.functions.ids().collect();
    for caller in functions {
        let Some(body) = &program.functions[caller].body else { continue };
        let calls: Vec<EdgeId> = body
            .edges
            .enumerated()
            .filter(|(_, edge)| matches!(edge.operation, Operation::Call { .. }))
            .map(|(id, _)| id)
            .collect();
        for edge in calls {
            fit_call(program, caller, edge);
        }
    }
}

fn fit_call(program: &mut Program, caller: FunctionId, id: EdgeId) {
    let Some(body) = &program.functions[caller].body else { return };
    let edge = body.edges[id].clone();
    let Operation::Call { target, callee: Callee::Direct(callee), arguments } = &edge.operation
    else {
        return;
    };
    let Some(arguments) = fitting_arguments(program, *callee, arguments) else {
        let name = &program.functions[*callee].name;
        let construct = format!("a call of `{name}` with other arguments than it takes");
        set_operation(program, caller, id, Operation::Unsupported { construct });
        return;
    };
    let given = program.functions[*callee].result;
    let wanted = target.map(|target| program.variables[target].scalar);
    let callee = Callee::Direct(*callee);
    match (*target, given) {
        (Some(target), Some(given)) if wanted != Some(given) => {
            let result = temporary(program, caller, &edge, given);
            set_operation(
                program,
                caller,
                id,
                Operation::Call { target: Some(result), callee, arguments },
            );
            let value = program.expressions.variable(result, given);
            let value = program.expressions.convert(value, program.variables[target].scalar);
            append(program, caller, id, Operation::Assign { target, value });
        }
        (Some(target), None) => {
            set_operation(program, caller, id, Operation::Call { target: None, callee, arguments });
            let source = InputSource::Uninitialised;
            append(program, caller, id, Operation::Input { target, source });
        }
        (target, _) => {
            set_operation(program, caller, id, Operation::Call { target, callee, arguments });
        }
    }
}

/// The arguments in the types of the parameters; `None` where no conversion is meant.
fn fitting_arguments(
    program: &mut Program,
    callee: FunctionId,
    arguments: &[ExpressionId],
) -> Option<Vec<ExpressionId>> {
    let function = &program.functions[callee];
    if function.body.is_none() {
        return Some(arguments.to_vec());
    }
    let parameters = function.parameters.clone();
    let Type::Function { parameters: declared, variadic, .. } = program.types.get(function.ty)
    else {
        return None;
    };
    let takes_any = declared.is_empty();
    if arguments.len() < parameters.len() && !takes_any {
        return None;
    }
    let takes_more = *variadic || takes_any;
    let mut fitting = Vec::with_capacity(arguments.len());
    for (index, &argument) in arguments.iter().enumerate() {
        let Some(&parameter) = parameters.get(index) else {
            // More than the callee looks at.
            if takes_more {
                fitting.push(argument);
            }
            continue;
        };
        let (from, to) =
            (program.expressions.type_of(argument), program.variables[parameter].scalar);
        // Numbers and addresses share their registers; floating point has its own.
        if from != to && (from.is_float() || to.is_float()) {
            return None;
        }
        fitting.push(program.expressions.convert(argument, to));
    }
    Some(fitting)
}

fn set_operation(program: &mut Program, caller: FunctionId, id: EdgeId, operation: Operation) {
    if let Some(body) = &mut program.functions[caller].body {
        body.edges[id].operation = operation;
    }
}

/// Puts an operation behind an edge.
fn append(program: &mut Program, caller: FunctionId, id: EdgeId, operation: Operation) {
    let Some(body) = &mut program.functions[caller].body else { return };
    let middle = LocationId::from_index(body.location_count);
    body.location_count += 1;
    let Edge { target, place, .. } = body.edges[id];
    body.edges[id].target = middle;
    let _: EdgeId = body.edges.push(Edge { source: middle, target, operation, place });
}

pub(super) fn temporary(
    program: &mut Program,
    function: FunctionId,
    edge: &Edge,
    scalar: ScalarType,
) -> VariableId {
    let taken = |name: &str| program.variables.iter().any(|variable| variable.name == name);
    let name = (1u32..).map(|number| format!("result.{number}")).find(|name| !taken(name));
    let name = name.expect("a free name among 2^32");
    let ty = program.types.of_scalar(scalar);
    let kind = VariableKind::Temporary;
    let function = Some(function);
    program.variables.push(Variable { name, ty, scalar, kind, function, place: edge.place })
}
