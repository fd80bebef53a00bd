//! Calls, followed on a stack.

use std::rc::Rc;

use heapwright_program::{Callee, EdgeId, ExpressionId, FunctionId, Operation, VariableId};
use heapwright_property::Part;

use crate::alarm::AlarmKind;
use crate::state::{Next, Pointer, Slot, State};
use crate::transfer::value::Value;
use crate::transfer::{Stepped, Transfer};

impl Transfer<'_, '_> {
    pub(super) fn call(
        &mut self,
        mut state: State,
        edge: EdgeId,
        (_, callee): (Option<VariableId>, Callee),
        arguments: &[ExpressionId],
    ) -> Stepped {
        let program = self.model.program();
        let callee = match callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => match self.value(&state, pointer).pointer() {
                Pointer::Function(function) => function,
                Pointer::Null
                | Pointer::Wild
                | Pointer::Unknown
                | Pointer::Block { .. }
                | Pointer::Object { .. } => {
                    return Err(AlarmKind::unsupported("a call through an unknown pointer"));
                }
            },
        };
        let function = &program.functions[callee];
        let specification = &self.model.atlas.task.specification;
        if specification.error_functions.contains(&function.name) {
            return Err(AlarmKind::Violation(Part::UnreachCall));
        }
        let Some(body) = &function.body else {
            let what = format!("a call of `{}`, which has no body", function.name);
            return Err(AlarmKind::unsupported(what));
        };
        if arguments.len() != function.parameters.len() || function.varargs.is_some() {
            return Err(AlarmKind::unsupported("a call with further arguments"));
        }
        let is_under_way = |caller: FunctionId| caller == callee;
        if is_under_way(state.function) || state.calls.iter().any(|call| is_under_way(call.0)) {
            let what = format!("the recursive function `{}`", function.name);
            return Err(AlarmKind::unsupported(what));
        }
        if self.model.atlas.chart(callee).has_uncut_cycle {
            return Err(AlarmKind::unsupported("a jump into a loop"));
        }
        let values: Vec<Value> = arguments.iter().map(|it| self.value(&state, *it)).collect();
        let types = arguments.iter().map(|it| program.expressions.type_of(*it));
        for (&parameter, (value, ty)) in
            function.parameters.iter().zip(values.into_iter().zip(types))
        {
            // What is passed as another type is read anew.
            let is_fit = program.variables[parameter].scalar == ty;
            self.set(&mut state, parameter, if is_fit { value } else { Value::ANY });
        }
        Rc::make_mut(&mut state.calls).push((state.function, edge));
        state.function = callee;
        state.location = body.entry;
        Ok(Next::One(state))
    }

    pub(super) fn return_from(&mut self, mut state: State, value: Option<ExpressionId>) -> Stepped {
        let program = self.model.program();
        let value = value.map(|value| self.value(&state, value));
        let left = state.function;
        let is_of_it = |variable: VariableId| program.variables[variable].function == Some(left);
        state.pointers.retain(|slot, _| match slot {
            Slot::Variable(variable) => !is_of_it(*variable),
            Slot::Cell(..) => true,
        });
        state.numbers.retain(|variable, _| !is_of_it(*variable));
        state.data.retain(|variable, _| !is_of_it(*variable));
        let Some(&(caller, edge)) = state.calls.last() else { return self.end(&state) };
        Rc::make_mut(&mut state.calls).pop();
        let body = program.functions[caller].body.as_ref().expect("it calls");
        let edge = &body.edges[edge];
        state.function = caller;
        state.location = edge.target;
        if let Operation::Call { target: Some(target), .. } = &edge.operation {
            // So is what is returned as another type.
            let is_fit = program.functions[left].result == Some(program.variables[*target].scalar);
            self.set(&mut state, *target, value.filter(|_| is_fit).unwrap_or(Value::ANY));
        }
        Ok(Next::One(state))
    }
}
