//! Calls: the callee is walked where it is called.

use heapwright_interpreter::is_mathematical;
use heapwright_logic::TermId;
use heapwright_program::analysis::possible_callees;
use heapwright_program::{
    BinaryOperator, Callee, EdgeId, Expression, ExpressionId, FunctionId, ObjectKind, VariableId,
};

use crate::claims::Method;
use crate::state::State;
use crate::step::named;
use crate::value::Value;
use crate::walk::{Checker, Region};

/// Functions that only print, whatever numbers they are given.
const PRINTING: &[&str] = &["printf", "fprintf", "puts", "putchar"];

type CallParts<'a> = (Option<VariableId>, Callee, &'a [ExpressionId]);

impl Checker<'_> {
    pub(crate) fn call(
        &mut self,
        caller: FunctionId,
        edge: EdgeId,
        mut state: State,
        (target, callee, arguments): (Option<VariableId>, Callee, &Vec<ExpressionId>),
    ) -> Option<State> {
        let parts: CallParts<'_> = (target, callee, arguments);
        if let Some(function) = named(callee) {
            return self.call_one(function, (caller, edge), state, parts);
        }
        let Callee::Indirect(pointer) = callee else { unreachable!("it names no function") };
        let pointer = self.evaluate(&mut state, pointer).pointer();
        let body = self.program.functions[caller].body.as_ref().expect("callers have bodies");
        let operation = &body.edges[edge].operation;
        let mut results = Vec::new();
        for candidate in possible_callees(self.program, &self.references, operation) {
            let address = self.code_address(candidate);
            let is_meant = self.compare_pointers(&state, BinaryOperator::Equal, pointer, address);
            let mut chosen = state.clone();
            chosen.guard = self.terms.and(state.guard, is_meant);
            let is_other = self.terms.not(is_meant);
            state.guard = self.terms.and(state.guard, is_other);
            if chosen.guard != TermId::FALSE {
                results.extend(self.call_one(candidate, (caller, edge), chosen, parts));
            }
        }
        let text = "a function pointer points to no function that fits";
        self.require(&mut state, TermId::FALSE, text, self.place);
        self.merge(results)
    }

    fn call_one(
        &mut self,
        function: FunctionId,
        (caller, edge): (FunctionId, EdgeId),
        mut state: State,
        parts: CallParts<'_>,
    ) -> Option<State> {
        let callee = &self.program.functions[function];
        let place = self.place;
        if self.question.specification.error_functions.contains(&callee.name) {
            let text = format!("`{}` is called", callee.name);
            self.require(&mut state, TermId::FALSE, text, place);
            return None;
        }
        let Some(body) = &callee.body else {
            return self.external(function, state, parts);
        };
        let (target, _, arguments) = parts;
        let depth = match self.question.certificate.method {
            Method::Bounded { depth } => depth.max(1),
            Method::Inductive => 1,
        };
        let times = self.active.iter().filter(|&&it| it == function).count();
        if times >= depth as usize {
            self.require(&mut state, TermId::FALSE, "a recursion is deeper", place);
            return None;
        }
        if callee.varargs.is_some() && arguments.len() > callee.parameters.len() {
            self.not_modelled(&mut state, "further arguments");
            return None;
        }
        let mut frame = std::collections::BTreeMap::new();
        for (position, &parameter) in callee.parameters.iter().enumerate() {
            let ty = self.program.variables[parameter].scalar;
            let value = match arguments.get(position) {
                Some(&argument) if self.program.expressions.type_of(argument) == ty => {
                    self.evaluate(&mut state, argument)
                }
                Some(_) | None => {
                    self.doubt(state.guard, "an argument has another type");
                    self.anything("argument", ty)
                }
            };
            frame.insert(parameter, value);
        }
        state.frames.push(frame);
        self.calls.push((caller, edge));
        self.active.push(function);
        let walked = self.region(Region { function, inside: None }, body.entry, state);
        self.active.pop();
        self.calls.pop();
        self.place = place;
        let mut state = self.merge(walked.returns)?;
        state.frames.pop();
        let result = state.result.take();
        if let Some(target) = target {
            let ty = self.program.variables[target].scalar;
            let value = match (result, callee.result) {
                (Some(value), Some(given)) if given == ty => value,
                _ => self.garbage("result", ty),
            };
            self.assign(&mut state, target, value);
        }
        Some(state)
    }

    /// A function that no file defines.
    fn external(
        &mut self,
        function: FunctionId,
        mut state: State,
        (target, _, arguments): CallParts<'_>,
    ) -> Option<State> {
        let name = &self.program.functions[function].name;
        let is_known = PRINTING.contains(&name.as_str()) || is_mathematical(name);
        if !is_known || !arguments.iter().all(|&it| self.is_plain(it)) {
            self.not_modelled(&mut state, &format!("a call of `{name}`"));
            return None;
        }
        if let Some(target) = target {
            let ty = self.program.variables[target].scalar;
            let value: Value = self.garbage("given", ty);
            self.assign(&mut state, target, value);
        }
        Some(state)
    }

    /// A number, or a string literal that does not ask for memory to be written.
    fn is_plain(&self, argument: ExpressionId) -> bool {
        match self.program.expressions.get(argument) {
            Expression::ObjectAddress(object) => match &self.program.objects[object].kind {
                ObjectKind::String { bytes } => {
                    !bytes.split(|&byte| byte == b'%').skip(1).any(|part| {
                        let is_modifier = |byte: &&u8| b"0123456789lhzjt.*-+ #".contains(byte);
                        part.iter().find(|byte| !is_modifier(byte)) == Some(&b'n')
                    })
                }
                ObjectKind::Static { .. } | ObjectKind::External | ObjectKind::Local => false,
            },
            Expression::Constant { .. }
            | Expression::Variable(_)
            | Expression::FunctionAddress(_)
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Convert { .. } => {
                !self.program.expressions.type_of(argument).is_pointer()
            }
        }
    }
}
