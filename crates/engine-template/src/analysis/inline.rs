//! Inlining: the program as one automaton, each call replaced by a copy of what it calls.
//!
//! Copies have variables, objects and allocation sites of their own, so every later analysis tells
//! calls apart without a further notion of context. Calls that stay are those of error functions and
//! of functions that no file defines. Recursion cannot be inlined.

use heapwright_base::{DenseId, IdVec};
use heapwright_engine::Reason;
use heapwright_program::analysis::{CallGraph, References, possible_callees};
use heapwright_program::{
    Access, BinaryOperator, Body, Callee, Edge, Expression, ExpressionId, FunctionId, InputSource,
    LocationId, ObjectId, Operation, Place, Program, ScalarType, Storage, VariableId, VariableKind,
    expressions_of,
};
use rustc_hash::FxHashMap;

/// More edges than this are not worth a formula.
const MAXIMUM_EDGES: usize = 60_000;

/// One automaton for the whole program.
#[derive(Debug)]
pub struct Inlined {
    /// The program with `main`'s body replaced; the other bodies are gone.
    pub program: Program,
    pub main: FunctionId,
    /// Where each location comes from: the function, its location there, the chain of calls.
    pub origins: IdVec<LocationId, Origin>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub function: FunctionId,
    pub location: LocationId,
    /// `main.f`
    pub chain: String,
}

impl Inlined {
    #[must_use]
    pub fn body(&self) -> &Body {
        self.program.functions[self.main].body.as_ref().expect("main was given a body")
    }
}

/// Inlines all calls of defined functions, but for the error functions.
pub fn inline(program: &Program, error_functions: &[String]) -> Result<Inlined, Reason> {
    let Some(main) = program.function_named("main") else {
        return Err(Reason::new("the program has no `main`"));
    };
    let calls = CallGraph::of(program);
    let mut inliner = Inliner {
        source: program,
        calls,
        references: References::of(program),
        error_functions,
        result: program.clone(),
        main,
        edges: IdVec::new(),
        origins: IdVec::new(),
        copies: FxHashMap::default(),
    };
    if program.functions[main].body.is_none() {
        return Err(Reason::new("the program has no `main`"));
    }
    let exit = inliner.location(
        main,
        program.functions[main].body.as_ref().expect("checked").exit,
        "main",
    );
    let frame = Frame {
        function: main,
        chain: "main".to_owned(),
        variables: FxHashMap::default(),
        objects: FxHashMap::default(),
        expressions: FxHashMap::default(),
    };
    let entry = inliner.expand(frame, exit, Behind::End)?;
    let body = Body { entry, exit, location_count: inliner.origins.len(), edges: inliner.edges };
    let mut result = inliner.result;
    for function in result.functions.ids().collect::<Vec<_>>() {
        result.functions[function].body = None;
    }
    result.functions[main].body = Some(body);
    Ok(Inlined { program: result, main, origins: inliner.origins })
}

/// What follows a return.
#[derive(Clone, Copy)]
enum Behind {
    /// The program ends.
    End,
    /// The caller goes on, with the result in a variable.
    Caller(Option<VariableId>),
}

/// A copy of a function: what its names became.
struct Frame {
    function: FunctionId,
    chain: String,
    variables: FxHashMap<VariableId, VariableId>,
    objects: FxHashMap<ObjectId, ObjectId>,
    expressions: FxHashMap<ExpressionId, ExpressionId>,
}

struct Inliner<'a> {
    source: &'a Program,
    calls: CallGraph,
    references: References,
    error_functions: &'a [String],
    result: Program,
    main: FunctionId,
    edges: IdVec<heapwright_program::EdgeId, Edge>,
    origins: IdVec<LocationId, Origin>,
    /// How many copies of a function there are.
    copies: FxHashMap<FunctionId, usize>,
}

impl Inliner<'_> {
    fn location(&mut self, function: FunctionId, location: LocationId, chain: &str) -> LocationId {
        self.origins.push(Origin { function, location, chain: chain.to_owned() })
    }

    /// Copies a function's body; gives its entry. Returns lead to `exit`.
    fn expand(
        &mut self,
        mut frame: Frame,
        exit: LocationId,
        behind: Behind,
    ) -> Result<LocationId, Reason> {
        let source = self.source;
        let body = source.functions[frame.function].body.as_ref().expect("only bodies are copied");
        let function = frame.function;
        let locations: IdVec<LocationId, LocationId> = (0..body.location_count)
            .map(LocationId::from_index)
            .map(|location| {
                if location == body.exit {
                    exit
                } else {
                    self.location(function, location, &frame.chain)
                }
            })
            .collect();
        for edge in &body.edges {
            let from = locations[edge.source];
            let to = locations[edge.target];
            self.copy_edge(&mut frame, edge, (from, to), behind)?;
            if self.edges.len() > MAXIMUM_EDGES {
                return Err(Reason::new("the program is too large to be inlined"));
            }
        }
        Ok(locations[body.entry])
    }

    fn copy_edge(
        &mut self,
        frame: &mut Frame,
        edge: &Edge,
        (from, to): (LocationId, LocationId),
        behind: Behind,
    ) -> Result<(), Reason> {
        let place = edge.place;
        match &edge.operation {
            Operation::Call { target, callee, arguments } => {
                let target = target.map(|target| self.variable(frame, target));
                let arguments: Vec<ExpressionId> =
                    arguments.iter().map(|&it| self.expression(frame, it)).collect();
                let candidates = possible_callees(self.source, &self.references, &edge.operation);
                match callee {
                    Callee::Direct(function) => {
                        self.call(frame, *function, target, &arguments, (from, to), place)
                    }
                    Callee::Indirect(pointer) => {
                        let pointer = self.expression(frame, *pointer);
                        let call = IndirectCall { pointer, candidates, target, arguments };
                        self.indirect_call(frame, call, (from, to), place)
                    }
                }
            }
            Operation::Return { value } => {
                let value = value.map(|value| self.expression(frame, value));
                match behind {
                    Behind::End => self.push(from, to, Operation::Return { value }, place),
                    Behind::Caller(target) => {
                        self.return_to_caller(value, target, (from, to), place);
                    }
                }
                Ok(())
            }
            operation => {
                let operation = self.operation(frame, operation);
                self.push(from, to, operation, place);
                Ok(())
            }
        }
    }

    fn return_to_caller(
        &mut self,
        value: Option<ExpressionId>,
        target: Option<VariableId>,
        (from, to): (LocationId, LocationId),
        place: Place,
    ) {
        let operation = match (target, value) {
            (Some(target), Some(value)) => {
                let ty = self.result.variables[target].scalar;
                let value = self.passed(value, ty);
                Operation::Assign { target, value }
            }
            (Some(target), None) => Operation::Input { target, source: InputSource::Uninitialised },
            (None, _) => Operation::Skip,
        };
        self.push(from, to, operation, place);
    }

    /// A chain of comparisons with the functions that the pointer may point to.
    fn indirect_call(
        &mut self,
        frame: &mut Frame,
        call: IndirectCall,
        (from, to): (LocationId, LocationId),
        place: Place,
    ) -> Result<(), Reason> {
        let model = self.result.model;
        let mut here = from;
        let origin = self.origins[from].clone();
        for candidate in call.candidates {
            let address = self.result.expressions.function_address(candidate);
            let condition =
                self.result.expressions.binary(BinaryOperator::Equal, call.pointer, address, model);
            let chosen = self.origins.push(origin.clone());
            let other = self.origins.push(origin.clone());
            self.push(here, chosen, Operation::Assume { condition, holds: true }, place);
            self.push(here, other, Operation::Assume { condition, holds: false }, place);
            self.call(frame, candidate, call.target, &call.arguments, (chosen, to), place)?;
            here = other;
        }
        // The call itself stays where no candidate fits: the builder asks that nobody gets here.
        let operation = Operation::Call {
            target: call.target,
            callee: Callee::Indirect(call.pointer),
            arguments: call.arguments,
        };
        self.push(here, to, operation, place);
        Ok(())
    }

    fn call(
        &mut self,
        frame: &Frame,
        function: FunctionId,
        target: Option<VariableId>,
        arguments: &[ExpressionId],
        (from, to): (LocationId, LocationId),
        place: Place,
    ) -> Result<(), Reason> {
        let callee = &self.source.functions[function];
        let is_kept = callee.body.is_none() || self.error_functions.contains(&callee.name);
        if is_kept {
            let callee = Callee::Direct(function);
            let operation = Operation::Call { target, callee, arguments: arguments.to_vec() };
            self.push(from, to, operation, place);
            return Ok(());
        }
        if self.calls.is_recursive(function) {
            let text = format!("recursion of `{}` is not inlined", callee.name);
            return Err(Reason::at(text, place));
        }
        if callee.varargs.is_some_and(|object| self.mentions(function, object)) {
            let construct = format!("inlining of the variadic function `{}`", callee.name);
            self.push(from, to, Operation::Unsupported { construct }, place);
            return Ok(());
        }
        let copy = self.frame_for(frame, function);
        let mut here = from;
        let parameters = callee.parameters.clone();
        let mut copy = copy;
        for (position, &parameter) in parameters.iter().enumerate() {
            let target = self.variable(&mut copy, parameter);
            let ty = self.result.variables[target].scalar;
            let operation = match arguments.get(position) {
                Some(&argument) => {
                    let value = self.passed(argument, ty);
                    Operation::Assign { target, value }
                }
                None => Operation::Input { target, source: InputSource::Uninitialised },
            };
            let origin = self.origins[from].clone();
            let next = self.origins.push(origin);
            self.push(here, next, operation, place);
            here = next;
        }
        let entry = self.expand(copy, to, Behind::Caller(target))?;
        self.push(here, entry, Operation::Skip, place);
        Ok(())
    }

    /// Whether a function looks at its further arguments.
    fn mentions(&self, function: FunctionId, wanted: ObjectId) -> bool {
        let body = self.source.functions[function].body.iter();
        let roots = body.flat_map(|body| &body.edges);
        let mut is_found = false;
        for root in roots.flat_map(|edge| expressions_of(&edge.operation)) {
            self.source.expressions.visit(root, &mut |_, node| {
                is_found |= node == Expression::ObjectAddress(wanted);
            });
        }
        is_found
    }

    fn frame_for(&mut self, caller: &Frame, function: FunctionId) -> Frame {
        let name = &self.source.functions[function].name;
        let number = self.copies.entry(function).or_insert(0);
        *number += 1;
        let suffix = if *number == 1 { String::new() } else { format!("'{number}") };
        Frame {
            function,
            chain: format!("{}.{name}{suffix}", caller.chain),
            variables: FxHashMap::default(),
            objects: FxHashMap::default(),
            expressions: FxHashMap::default(),
        }
    }

    fn push(&mut self, source: LocationId, target: LocationId, operation: Operation, place: Place) {
        self.edges.push(Edge { source, target, operation, place });
    }

    /// A value as a parameter or result of another type of the same size takes it.
    fn passed(&mut self, value: ExpressionId, ty: ScalarType) -> ExpressionId {
        self.result.expressions.convert(value, ty)
    }

    fn variable(&mut self, frame: &mut Frame, variable: VariableId) -> VariableId {
        let original = &self.source.variables[variable];
        if original.function.is_none() || frame.function == self.main {
            return variable;
        }
        if let Some(&known) = frame.variables.get(&variable) {
            return known;
        }
        let mut copy = original.clone();
        copy.name = format!("{}::{}", local_name(&frame.chain), original.name);
        copy.function = Some(self.main);
        if copy.kind == VariableKind::Parameter {
            copy.kind = VariableKind::Local;
        }
        let copy = self.result.variables.push(copy);
        frame.variables.insert(variable, copy);
        copy
    }

    fn object(&mut self, frame: &mut Frame, object: ObjectId) -> ObjectId {
        let original = &self.source.objects[object];
        let is_local = matches!(original.kind, heapwright_program::ObjectKind::Local);
        if !is_local || frame.function == self.main {
            return object;
        }
        if let Some(&known) = frame.objects.get(&object) {
            return known;
        }
        let mut copy = original.clone();
        copy.name = format!("{}::{}", local_name(&frame.chain), original.name);
        copy.function = Some(self.main);
        let copy = self.result.objects.push(copy);
        frame.objects.insert(object, copy);
        copy
    }

    fn expression(&mut self, frame: &mut Frame, expression: ExpressionId) -> ExpressionId {
        if let Some(&known) = frame.expressions.get(&expression) {
            return known;
        }
        let model = self.result.model;
        let renamed = match self.source.expressions.get(expression) {
            Expression::Constant { .. } | Expression::FunctionAddress(_) => expression,
            Expression::Variable(variable) => {
                let variable = self.variable(frame, variable);
                let ty = self.source.expressions.type_of(expression);
                self.result.expressions.variable(variable, ty)
            }
            Expression::ObjectAddress(object) => {
                let object = self.object(frame, object);
                self.result.expressions.object_address(object)
            }
            Expression::Unary { operator, operand } => {
                let operand = self.expression(frame, operand);
                self.result.expressions.unary(operator, operand)
            }
            Expression::Binary { operator, left, right } => {
                let left = self.expression(frame, left);
                let right = self.expression(frame, right);
                self.result.expressions.binary(operator, left, right, model)
            }
            Expression::Convert { operand, ty } => {
                let operand = self.expression(frame, operand);
                self.result.expressions.convert(operand, ty)
            }
        };
        frame.expressions.insert(expression, renamed);
        renamed
    }

    fn access(&mut self, frame: &mut Frame, access: Access) -> Access {
        let address = self.expression(frame, access.address);
        let base = self.expression(frame, access.base);
        Access { address, base, ..access }
    }

    /// Any operation but calls and returns.
    fn operation(&mut self, frame: &mut Frame, operation: &Operation) -> Operation {
        use heapwright_program::Halt;
        match operation.clone() {
            Operation::Assume { condition, holds } => {
                Operation::Assume { condition: self.expression(frame, condition), holds }
            }
            Operation::Assign { target, value } => Operation::Assign {
                target: self.variable(frame, target),
                value: self.expression(frame, value),
            },
            Operation::Input { target, source } => {
                Operation::Input { target: self.variable(frame, target), source }
            }
            Operation::Load { target, access } => Operation::Load {
                target: self.variable(frame, target),
                access: self.access(frame, access),
            },
            Operation::Store { access, value } => Operation::Store {
                access: self.access(frame, access),
                value: self.expression(frame, value),
            },
            Operation::Copy { target, source, size } => Operation::Copy {
                target: self.expression(frame, target),
                source: self.expression(frame, source),
                size: self.expression(frame, size),
            },
            Operation::Fill { target, byte, size } => Operation::Fill {
                target: self.expression(frame, target),
                byte: self.expression(frame, byte),
                size: self.expression(frame, size),
            },
            // Such a block ends with its function, which is gone.
            Operation::Allocate { storage: Storage::Alloca, .. } if frame.function != self.main => {
                Operation::Unsupported { construct: "alloca in an inlined function".to_owned() }
            }
            Operation::Allocate { target, storage, size, zeroed } => Operation::Allocate {
                target: self.variable(frame, target),
                storage,
                size: self.expression(frame, size),
                zeroed,
            },
            Operation::Free { address } => {
                Operation::Free { address: self.expression(frame, address) }
            }
            Operation::BlockSize { target, address } => Operation::BlockSize {
                target: self.variable(frame, target),
                address: self.expression(frame, address),
            },
            Operation::Enter { object, size } => Operation::Enter {
                object: self.object(frame, object),
                size: size.map(|size| self.expression(frame, size)),
            },
            Operation::Leave { object } => Operation::Leave { object: self.object(frame, object) },
            Operation::Halt(Halt::Exit(status)) => {
                Operation::Halt(Halt::Exit(self.expression(frame, status)))
            }
            Operation::Halt(Halt::ImmediateExit(status)) => {
                Operation::Halt(Halt::ImmediateExit(self.expression(frame, status)))
            }
            kept @ (Operation::Halt(Halt::Abort | Halt::AssumptionFailed)
            | Operation::Skip
            | Operation::Fail(_)
            | Operation::Unsupported { .. }) => kept,
            Operation::Call { .. } | Operation::Return { .. } => {
                unreachable!("calls and returns are treated by themselves")
            }
        }
    }
}

struct IndirectCall {
    pointer: ExpressionId,
    candidates: Vec<FunctionId>,
    target: Option<VariableId>,
    arguments: Vec<ExpressionId>,
}

/// The last link of a chain of calls.
fn local_name(chain: &str) -> &str {
    chain.rsplit('.').next().unwrap_or(chain)
}
