//! Calls, followed on a stack: no function is called again while it is under way.

use heapwright_graph_text::{Root, State, Target};
use heapwright_program::{Callee, EdgeId, ExpressionId, Operation, VariableId};
use heapwright_property::Part;

use crate::alarm::Doubt;
use crate::step::{Stepped, Stepper};
use crate::value::Value;

impl Stepper<'_> {
    pub(super) fn call(
        &self,
        mut state: State,
        edge: EdgeId,
        callee: Callee,
        arguments: &[ExpressionId],
    ) -> Stepped {
        let program = self.program();
        let callee = match callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => match self.value(&state, pointer).target() {
                Some(Target::Function(function)) => function,
                Some(Target::Null | Target::Wild | Target::In(..)) | None => {
                    return Err(Doubt::not_carried("a call through an unknown pointer"));
                }
            },
        };
        let function = &program.functions[callee];
        if self.task.specification.error_functions.contains(&function.name) {
            return Err(Doubt::Violation(Part::UnreachCall));
        }
        let Some(body) = &function.body else {
            return Err(Doubt::not_carried(format!("`{}`, which has no body", function.name)));
        };
        // Further arguments may be passed, but not read: their object does not come to life.
        let is_fit = match function.varargs {
            Some(_) => arguments.len() >= function.parameters.len(),
            None => arguments.len() == function.parameters.len(),
        };
        if !is_fit {
            return Err(Doubt::not_carried("a call with other arguments than its function has"));
        }
        let mut under_way = state.spot.calls.iter().map(|call| call.0).chain([state.spot.function]);
        if under_way.any(|caller| caller == callee) {
            return Err(Doubt::not_carried(format!("recursion of `{}`", function.name)));
        }
        if self.charts.of_function(callee).has_uncut_cycle {
            return Err(Doubt::not_carried("a jump into a loop"));
        }
        let values: Vec<Value> = arguments.iter().map(|it| self.value(&state, *it)).collect();
        let types = arguments.iter().map(|it| program.expressions.type_of(*it));
        for (&parameter, (value, ty)) in
            function.parameters.iter().zip(values.into_iter().zip(types))
        {
            // What is passed as another type is read anew.
            let is_fit = program.variables[parameter].scalar == ty;
            self.set(&mut state, parameter, if is_fit { value } else { Value::Anything });
        }
        state.spot.calls.push((state.spot.function, edge));
        state.spot.function = callee;
        state.spot.location = body.entry;
        Ok(vec![state])
    }

    pub(super) fn return_from(&self, mut state: State, value: Option<ExpressionId>) -> Vec<State> {
        let program = self.program();
        let value = value.map_or(Value::Anything, |value| self.value(&state, value));
        let left = state.spot.function;
        let is_its = |variable: VariableId| program.variables[variable].function == Some(left);
        state.graph.roots.retain(|root, _| !matches!(root, Root::Variable(it) if is_its(*it)));
        state.numbers.retain(|variable, _| !is_its(*variable));
        // Its objects have left, each by an edge of its own; one that has not leaves now.
        let objects: Vec<_> = state.objects.iter().copied().collect();
        for object in objects {
            if program.objects[object].function == Some(left) {
                self.end_object(&mut state, object);
            }
        }
        let Some((caller, edge)) = state.spot.calls.pop() else { return Vec::new() };
        let body = program.functions[caller].body.as_ref().expect("it calls");
        state.spot.function = caller;
        state.spot.location = body.edges[edge].target;
        match body.edges[edge].operation {
            Operation::Call { target: Some(target), .. } => {
                // So is what is returned as another type.
                let is_fit =
                    program.functions[left].result == Some(program.variables[target].scalar);
                vec![self.with(state, target, if is_fit { value } else { Value::Anything })]
            }
            _ => vec![state],
        }
    }
}
