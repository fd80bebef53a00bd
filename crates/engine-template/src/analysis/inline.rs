//! Inlining: the program as one automaton, each call replaced by a copy of what it calls, or kept as
//! the call of a function that is summarised.
//!
//! Copies have variables, objects and allocation sites of their own, so every later analysis tells
//! them apart without a further notion of context. A summarised function has one copy, the *region* of
//! its name, which stands beside that of `main` in the automaton. Calls that stay besides those of
//! summarised functions are those of error functions and of functions that no file defines. Recursion
//! that is inlined is cut at some depth.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_base::{DenseId, IdVec};
use heapwright_engine::Reason;
use heapwright_program::analysis::{CallGraph, References, possible_callees};
use heapwright_program::{
    BinaryOperator, Body, Callee, Edge, EdgeId, Expression, ExpressionId, FunctionId, InputSource,
    LocationId, ObjectId, Operation, Place, Program, ScalarType, VariableId, expressions_of,
};
use rustc_hash::FxHashMap;

use crate::analysis::inlined::{Calls, Inlined, Origin, Sources, Stack};
use crate::analysis::region::Region;

/// More edges than this are not worth a formula.
const MAXIMUM_EDGES: usize = 60_000;

/// Inlines calls of defined functions, but for the error functions and those that are summarised.
pub fn inline(
    program: &Program,
    error_functions: &[String],
    calls: Calls,
) -> Result<Inlined, Reason> {
    let main = program.function_named("main");
    let main = main.filter(|&main| program.functions[main].body.is_some());
    let Some(main) = main else {
        return Err(Reason::new("the program has no `main`"));
    };
    let inliner = Inliner {
        source: program,
        graph: CallGraph::of(program),
        calls,
        references: References::of(program),
        error_functions,
        result: program.clone(),
        main,
        edges: IdVec::new(),
        edge_origins: IdVec::new(),
        current: None,
        origins: IdVec::new(),
        copies: FxHashMap::default(),
        regions: BTreeMap::new(),
        wanted: VecDeque::new(),
        cuts: BTreeSet::new(),
        sources: Sources::default(),
    };
    inliner.run()
}

/// What follows a return.
#[derive(Clone, Copy)]
enum Behind {
    /// The program ends.
    End,
    /// The caller goes on, with the result in a variable.
    Caller(Option<VariableId>),
    /// A region ends, with the result in a variable.
    Region(Option<VariableId>),
}

/// A copy of a function: what its names became.
pub(super) struct Frame {
    pub(super) function: FunctionId,
    pub(super) chain: String,
    region: FunctionId,
    pub(super) calls: Stack,
    /// The edge that is being copied.
    at: EdgeId,
    /// The functions on the chain of calls.
    active: Vec<FunctionId>,
    pub(super) variables: FxHashMap<VariableId, VariableId>,
    pub(super) objects: FxHashMap<ObjectId, ObjectId>,
    pub(super) expressions: FxHashMap<ExpressionId, ExpressionId>,
}

impl Frame {
    pub(super) fn new(function: FunctionId, chain: String, region: FunctionId) -> Frame {
        Frame {
            function,
            chain,
            region,
            calls: Stack::new(),
            at: EdgeId::from_index(0),
            active: vec![function],
            variables: FxHashMap::default(),
            objects: FxHashMap::default(),
            expressions: FxHashMap::default(),
        }
    }
}

pub(super) struct Inliner<'a> {
    pub(super) source: &'a Program,
    graph: CallGraph,
    calls: Calls,
    references: References,
    error_functions: &'a [String],
    pub(super) result: Program,
    pub(super) main: FunctionId,
    edges: IdVec<EdgeId, Edge>,
    edge_origins: IdVec<EdgeId, Option<(FunctionId, EdgeId)>>,
    /// The edge that is being copied.
    current: Option<(FunctionId, EdgeId)>,
    origins: IdVec<LocationId, Origin>,
    /// How many copies of a function there are.
    copies: FxHashMap<FunctionId, usize>,
    pub(super) regions: BTreeMap<FunctionId, Region>,
    /// Regions whose bodies are still missing, with their frames.
    pub(super) wanted: VecDeque<(FunctionId, Frame)>,
    cuts: BTreeSet<EdgeId>,
    pub(super) sources: Sources,
}

impl Inliner<'_> {
    fn run(mut self) -> Result<Inlined, Reason> {
        let main = self.main;
        let frame = Frame::new(main, "main".to_owned(), main);
        let exit = self.source.functions[main].body.as_ref().expect("main has a body").exit;
        let exit = self.location(&frame, exit);
        let main_entry = self.expand(frame, exit, Behind::End)?;
        // Ends because each function has one region.
        while let Some((function, frame)) = self.wanted.pop_front() {
            let result = self.regions[&function].result;
            let entry = self.expand(frame, exit, Behind::Region(result))?;
            self.regions.get_mut(&function).expect("it is there already").entry = entry;
        }
        let entry = self.common_entry(main_entry);
        let location_count = self.origins.len();
        let body = Body { entry, exit, location_count, edges: self.edges };
        let mut program = self.result;
        for function in program.functions.ids().collect::<Vec<_>>() {
            program.functions[function].body = None;
        }
        program.functions[main].body = Some(body);
        let Inliner { origins, regions, cuts, edge_origins, sources, .. } = self;
        Ok(Inlined {
            program,
            main,
            entry: main_entry,
            origins,
            regions,
            cuts,
            edge_origins,
            sources,
        })
    }

    /// A location from which all regions are reached, for the analyses of the automaton.
    fn common_entry(&mut self, main_entry: LocationId) -> LocationId {
        if self.regions.is_empty() {
            return main_entry;
        }
        let common = self.origins.push(self.origins[main_entry].clone());
        let place = self.source.functions[self.main].place;
        self.push(common, main_entry, Operation::Skip, place);
        for entry in self.regions.values().map(|region| region.entry).collect::<Vec<_>>() {
            self.push(common, entry, Operation::Skip, place);
        }
        common
    }

    fn location(&mut self, frame: &Frame, location: LocationId) -> LocationId {
        self.origins.push(Origin {
            function: frame.function,
            location,
            chain: frame.chain.clone(),
            region: frame.region,
            calls: frame.calls.clone(),
        })
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
        let locations: IdVec<LocationId, LocationId> = (0..body.location_count)
            .map(LocationId::from_index)
            .map(
                |location| {
                    if location == body.exit { exit } else { self.location(&frame, location) }
                },
            )
            .collect();
        let outer = self.current;
        for (id, edge) in body.edges.enumerated() {
            frame.at = id;
            let from = locations[edge.source];
            let to = locations[edge.target];
            self.current = Some((frame.function, id));
            self.copy_edge(&mut frame, edge, (from, to), behind)?;
            if self.edges.len() > MAXIMUM_EDGES {
                return Err(Reason::new("the program is too large to be inlined"));
            }
        }
        self.current = outer;
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
                    Behind::End => {
                        self.push(from, to, Operation::Return { value }, place);
                    }
                    Behind::Caller(target) => {
                        self.return_to_caller(value, target, (from, to), place);
                    }
                    Behind::Region(result) => {
                        let done = self.beside(from);
                        self.return_to_caller(value, result, (from, done), place);
                        self.push(done, to, Operation::Return { value: None }, place);
                    }
                }
                Ok(())
            }
            operation => {
                let operation = self.operation(frame, operation);
                let is_site = matches!(operation, Operation::Allocate { .. });
                let copy = self.push(from, to, operation, place);
                if is_site {
                    let site = (frame.calls.clone(), frame.function, frame.at);
                    self.sources.sites.insert(copy, site);
                }
                Ok(())
            }
        }
    }

    pub(super) fn return_to_caller(
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
        for candidate in call.candidates {
            let address = self.result.expressions.function_address(candidate);
            let condition =
                self.result.expressions.binary(BinaryOperator::Equal, call.pointer, address, model);
            let chosen = self.beside(from);
            let other = self.beside(from);
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
        // Its variables are not copied, so there can be only one.
        if function == self.main {
            return Err(Reason::at("`main` calls itself, which is not modelled", place));
        }
        if callee.varargs.is_some_and(|object| self.mentions(function, object)) {
            let construct = format!("inlining of the variadic function `{}`", callee.name);
            self.push(from, to, Operation::Unsupported { construct }, place);
            return Ok(());
        }
        let is_recursive = self.graph.is_recursive(function);
        match self.calls {
            Calls::Inlined { depth } if is_recursive => {
                let active = frame.active.iter().filter(|&&it| it == function).count();
                if active >= depth as usize {
                    let cut = self.push(from, to, Operation::Skip, place);
                    self.cuts.insert(cut);
                    return Ok(());
                }
            }
            Calls::RecursionSummarised if !is_recursive => {}
            Calls::RecursionSummarised | Calls::Summarised => {
                self.keep(function, target, arguments, (from, to), place);
                return Ok(());
            }
            Calls::Inlined { .. } => {}
        }
        let mut copy = self.frame_for(frame, function);
        let mut here = from;
        let parameters = callee.parameters.clone();
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
            let next = self.beside(from);
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
        let chain = format!("{}.{name}{suffix}", caller.chain);
        let mut frame = Frame::new(function, chain, caller.region);
        frame.calls = [caller.calls.as_slice(), &[(caller.function, caller.at)]].concat();
        frame.active = [caller.active.as_slice(), &[function]].concat();
        frame
    }

    /// A new location beside another one.
    pub(super) fn beside(&mut self, location: LocationId) -> LocationId {
        self.origins.push(self.origins[location].clone())
    }

    pub(super) fn push(
        &mut self,
        source: LocationId,
        target: LocationId,
        operation: Operation,
        place: Place,
    ) -> EdgeId {
        self.edge_origins.push(self.current);
        self.edges.push(Edge { source, target, operation, place })
    }

    /// A value as a parameter or result of another type of the same size takes it.
    pub(super) fn passed(&mut self, value: ExpressionId, ty: ScalarType) -> ExpressionId {
        self.result.expressions.convert(value, ty)
    }
}

struct IndirectCall {
    pointer: ExpressionId,
    candidates: Vec<FunctionId>,
    target: Option<VariableId>,
    arguments: Vec<ExpressionId>,
}

/// The last link of a chain of calls.
pub(super) fn local_name(chain: &str) -> &str {
    chain.rsplit('.').next().unwrap_or(chain)
}
