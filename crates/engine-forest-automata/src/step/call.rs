//! Calls, followed on a stack: no function is called again while it is under way.

use heapwright_forest_text::{Forest, Value};
use heapwright_program::{Callee, EdgeId, ExpressionId, ObjectKind, Operation, VariableId};
use heapwright_property::Part;

use crate::alarm::Doubt;
use crate::step::{Stepped, Stepper, leads_into};
use crate::value::Held;

impl Stepper<'_> {
    pub(super) fn call(
        &self,
        mut forest: Forest,
        edge: EdgeId,
        callee: Callee,
        arguments: &[ExpressionId],
    ) -> Stepped {
        let program = self.program();
        let callee = match callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => match self.value(&forest, pointer) {
                Value::Function(function) => function,
                Value::Any | Value::Bits(_) | Value::Object(..) | Value::To(..) => {
                    return Err(Doubt::not_carried("a call through an unknown pointer").into());
                }
            },
        };
        let function = &program.functions[callee];
        if self.task.specification.error_functions.contains(&function.name) {
            return Err(Doubt::Violation(Part::UnreachCall).into());
        }
        let Some(body) = &function.body else {
            let what = format!("`{}`, which has no body", function.name);
            return Err(Doubt::not_carried(what).into());
        };
        // Further arguments may be passed, but not read: their object does not come to life.
        let is_fit = match function.varargs {
            Some(_) => arguments.len() >= function.parameters.len(),
            None => arguments.len() == function.parameters.len(),
        };
        if !is_fit {
            let what = "a call with other arguments than its function has";
            return Err(Doubt::not_carried(what).into());
        }
        let mut under_way = forest.spot.calls.iter().map(|it| it.0).chain([forest.spot.function]);
        if under_way.any(|caller| caller == callee) {
            return Err(Doubt::not_carried(format!("recursion of `{}`", function.name)).into());
        }
        if self.charts.of_function(callee).has_uncut_cycle {
            return Err(Doubt::not_carried("a jump into a loop").into());
        }
        let values: Vec<Held> = arguments.iter().map(|it| self.value(&forest, *it)).collect();
        let types = arguments.iter().map(|it| program.expressions.type_of(*it));
        for (&parameter, (value, ty)) in
            function.parameters.iter().zip(values.into_iter().zip(types))
        {
            // What is passed as another type is read anew.
            let is_fit = program.variables[parameter].scalar == ty;
            self.set(&mut forest, parameter, if is_fit { value } else { Value::Any });
        }
        forest.spot.calls.push((forest.spot.function, edge));
        forest.spot.function = callee;
        forest.spot.location = body.entry;
        Ok(vec![forest])
    }

    pub(super) fn return_from(&self, mut forest: Forest, value: Option<ExpressionId>) -> Stepped {
        let program = self.program();
        let mut value = value.map_or(Value::Any, |value| self.value(&forest, value));
        let left = forest.spot.function;
        let is_its = |variable: VariableId| program.variables[variable].function == Some(left);
        forest.variables.retain(|variable, _| !is_its(*variable));
        // Its objects have left, each by an edge of its own; one that has not leaves now.
        let objects: Vec<_> = forest.objects.keys().copied().collect();
        for object in objects {
            let item = &program.objects[object];
            if item.function == Some(left) && item.kind == ObjectKind::Local {
                self.end_object(&mut forest, object);
                value = if leads_into(value, object) { Value::Any } else { value };
            }
        }
        let Some((caller, edge)) = forest.spot.calls.pop() else {
            return self.end(forest);
        };
        let body = program.functions[caller].body.as_ref().expect("it calls");
        forest.spot.function = caller;
        forest.spot.location = body.edges[edge].target;
        if let Operation::Call { target: Some(target), .. } = body.edges[edge].operation {
            // So is what is returned as another type.
            let is_fit = program.functions[left].result == Some(program.variables[target].scalar);
            self.set(&mut forest, target, if is_fit { value } else { Value::Any });
        }
        Ok(vec![forest])
    }
}
