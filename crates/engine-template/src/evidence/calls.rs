//! Calls: what contexts and summaries of functions say of numbers, read on runs.
//!
//! A context is compared with the arguments and global variables of every call that a run makes, a
//! summary with these and with the result and the global variables behind the call. Rows that speak of
//! pointers or of memory are left out.

use std::collections::BTreeMap;

use heapwright_base::IdVec;
use heapwright_engine::{CutPoint, Membership, Passed};
use heapwright_interpreter::Machine;
use heapwright_logic::{BitVectorValue, Model, Sort, TermId, Terms, Value as LogicValue};
use heapwright_program::{Callee, FunctionId, Operation, Program, VariableId};

use crate::domain::Version;
use crate::ssa::Preparation;
use crate::ssa::formula::{Formula, LoopVariableSource, ValueKind};
use crate::ssa::function::{CutFunction, FunctionVariable};
use crate::synthesis::{FrameKind, Invariant, Template};

/// A number that a run has at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Number {
    Parameter(VariableId),
    Global(VariableId),
    /// Of a global variable, behind the call.
    Left(VariableId),
    Result,
}

/// A row over such numbers.
#[derive(Debug)]
struct Claim {
    text: String,
    formula: TermId,
    leaves: Vec<(TermId, Number)>,
}

/// What is claimed of the calls of a function.
#[derive(Debug)]
struct Called {
    function: FunctionId,
    /// By variable of the program: what is looked at when the function is entered.
    inputs: Vec<Number>,
    context: Vec<Claim>,
    summary: Vec<Claim>,
}

/// Where claims are read.
#[derive(Clone, Copy, Debug)]
enum Moment {
    Entry { called: usize },
    Return { called: usize },
}

/// A call under way.
#[derive(Debug)]
struct UnderWay {
    called: usize,
    /// Calls under way with it.
    depth: usize,
    numbers: BTreeMap<Number, u128>,
}

/// The contexts and summaries of a proof, and the calls of the run that is watched.
#[derive(Debug, Default)]
pub(crate) struct WatchedCalls {
    pub(crate) cut_points: Vec<CutPoint>,
    moments: Vec<Moment>,
    terms: Terms,
    functions: Vec<Called>,
    under_way: Vec<UnderWay>,
    /// The call that has just returned, with what it left.
    returned: Option<UnderWay>,
}

impl WatchedCalls {
    pub(crate) fn of(
        preparation: &Preparation,
        formula: &Formula,
        template: &Template,
        program: &Program,
    ) -> WatchedCalls {
        let mut calls = WatchedCalls::default();
        let of_kind = |kind| template.invariants.iter().filter(move |it| it.frame.kind == kind);
        let frames = of_kind(FrameKind::Context).zip(of_kind(FrameKind::Summary));
        for (function, (context, summary)) in formula.functions.iter().zip(frames) {
            let writer =
                Writer { preparation, formula, program, function, terms: &mut calls.terms };
            calls.functions.push(writer.called(context, summary));
        }
        calls.find_cut_points(program);
        calls
    }

    fn find_cut_points(&mut self, program: &Program) {
        for (called, Called { function, .. }) in self.functions.iter().enumerate() {
            let callee = &program.functions[*function];
            let Some(body) = &callee.body else { continue };
            self.moments.push(Moment::Entry { called });
            self.cut_points.push(CutPoint {
                function: *function,
                location: body.entry,
                callers: None,
                over: Vec::new(),
                name: format!("the entry of `{}`", callee.name),
            });
            for (caller, item) in program.functions.enumerated() {
                for (edge, call) in item.body.iter().flat_map(|body| body.edges.enumerated()) {
                    if !is_call(&call.operation, *function) {
                        continue;
                    }
                    self.moments.push(Moment::Return { called });
                    self.cut_points.push(CutPoint {
                        function: caller,
                        location: call.target,
                        callers: None,
                        over: vec![edge],
                        name: format!("behind the call of `{}` in `{}`", callee.name, item.name),
                    });
                }
            }
        }
    }

    pub(crate) fn begin(&mut self) {
        self.under_way.clear();
        self.returned = None;
    }

    /// Notes what calls get and leave.
    pub(crate) fn observe(&mut self, machine: &Machine<'_>, passed: Passed) {
        let body = machine.program().functions[passed.function].body.as_ref();
        let operation = body.and_then(|body| body.edges.get(passed.edge)).map(|it| &it.operation);
        let Some(Operation::Call { target, .. }) = operation else { return };
        self.returned = None;
        let frames = machine.frames();
        if frames.len() > passed.depth {
            let callee = frames.last().expect("a call is under way").function;
            if let Some(called) = self.functions.iter().position(|it| it.function == callee) {
                let depth = frames.len();
                let numbers = self.numbers_at_entry(called, machine);
                self.under_way.push(UnderWay { called, depth, numbers });
            }
            return;
        }
        while let Some(mut call) = self.under_way.pop_if(|call| call.depth > passed.depth) {
            if call.depth == passed.depth + 1 {
                self.note_what_is_left(&mut call, machine, *target);
                self.returned = Some(call);
            }
        }
    }

    fn numbers_at_entry(&self, called: usize, machine: &Machine<'_>) -> BTreeMap<Number, u128> {
        let depth = machine.frames().len() - 1;
        let inputs = self.functions[called].inputs.iter();
        let number = |&input: &Number| match input {
            Number::Parameter(variable) => Some((input, machine.variable(depth, variable).wide())),
            Number::Global(variable) => Some((input, machine.variable(0, variable).wide())),
            Number::Left(_) | Number::Result => None,
        };
        inputs.filter_map(number).collect()
    }

    fn note_what_is_left(
        &self,
        call: &mut UnderWay,
        machine: &Machine<'_>,
        target: Option<VariableId>,
    ) {
        let summary = self.functions[call.called].summary.iter();
        for &(_, number) in summary.flat_map(|claim| &claim.leaves) {
            match number {
                Number::Left(variable) => {
                    call.numbers.insert(number, machine.variable(0, variable).wide());
                }
                Number::Result => {
                    let top = machine.frames().len() - 1;
                    let result = target.map(|target| machine.variable(top, target).wide());
                    call.numbers.extend(result.map(|result| (number, result)));
                }
                Number::Parameter(_) | Number::Global(_) => {}
            }
        }
    }

    /// Whether the call that the machine is at the entry of, or right behind, is as claimed.
    pub(crate) fn contains(&self, cut: usize) -> Membership {
        let (call, claims) = match self.moments[cut] {
            Moment::Entry { called } => {
                (self.under_way.last(), (called, &self.functions[called].context))
            }
            Moment::Return { called } => {
                (self.returned.as_ref(), (called, &self.functions[called].summary))
            }
        };
        let (called, claims) = claims;
        let Some(call) = call.filter(|call| call.called == called) else {
            return Membership::Unclear("a call was not watched from its start".to_owned());
        };
        let wrong = claims.iter().find(|claim| !self.holds(claim, &call.numbers));
        wrong.map_or(Membership::In, |claim| Membership::Out(claim.text.clone()))
    }

    /// Whether a claim holds, as far as its numbers are known.
    fn holds(&self, claim: &Claim, numbers: &BTreeMap<Number, u128>) -> bool {
        let mut model = Model::new();
        for (variable, number) in &claim.leaves {
            let Some(&bits) = numbers.get(number) else { return true };
            let width = self.terms.width(*variable);
            model.set(*variable, LogicValue::BitVector(BitVectorValue::new(bits, width)));
        }
        model.evaluate(&self.terms, claim.formula).as_boolean()
    }
}

fn is_call(operation: &Operation, wanted: FunctionId) -> bool {
    let Operation::Call { callee, .. } = operation else { return false };
    match callee {
        Callee::Direct(function) => *function == wanted,
        Callee::Indirect(_) => false,
    }
}

/// Writes the rows of a function down.
struct Writer<'a> {
    preparation: &'a Preparation,
    formula: &'a Formula,
    program: &'a Program,
    function: &'a CutFunction,
    terms: &'a mut Terms,
}

impl Writer<'_> {
    fn called(mut self, context: &Invariant, summary: &Invariant) -> Called {
        let function = self.function;
        let inputs: Vec<Option<Number>> =
            function.inputs.iter().map(|it| self.number(it, false)).collect();
        let outputs = function.outputs.iter().map(|it| self.number(it, true));
        let all: Vec<Option<Number>> = inputs.iter().copied().chain(outputs).collect();
        Called {
            function: function.function,
            context: self.claims(context, &inputs),
            summary: self.claims(summary, &all),
            inputs: inputs.into_iter().flatten().collect(),
        }
    }

    /// What a variable of the formula is on a run, if it is a number that a run shows.
    fn number(&self, variable: &FunctionVariable, is_output: bool) -> Option<Number> {
        match variable.kind {
            ValueKind::Number { .. } | ValueKind::Boolean => {}
            ValueKind::Pointer | ValueKind::Opaque { .. } => return None,
        }
        let region = &self.preparation.inlined.regions[&self.function.function];
        match variable.what {
            LoopVariableSource::Global(global) if is_output => Some(Number::Left(global)),
            LoopVariableSource::Global(global) => Some(Number::Global(global)),
            LoopVariableSource::Local(local) if is_output => {
                (region.result == Some(local)).then_some(Number::Result)
            }
            LoopVariableSource::Local(local) => {
                let position = region.parameters.iter().position(|&it| it == local)?;
                let own = &self.program.functions[self.function.function].parameters;
                own.get(position).copied().map(Number::Parameter)
            }
            LoopVariableSource::Field { .. }
            | LoopVariableSource::Ended { .. }
            | LoopVariableSource::Allocated { .. } => None,
        }
    }

    fn claims(&mut self, invariant: &Invariant, numbers: &[Option<Number>]) -> Vec<Claim> {
        let (version, leaves) = self.version(invariant, numbers);
        let mut claims = Vec::new();
        for row in invariant.rows.iter().map(|row| &row.row) {
            if row.is_top() || !row.is_universal() {
                continue;
            }
            let formula = row.formula(self.terms, &version);
            let variables = self.terms.free_variables(&[formula]);
            let leaf = |variable: TermId| Some((variable, *leaves.get(&variable)?));
            let leaves: Option<Vec<(TermId, Number)>> = variables.into_iter().map(leaf).collect();
            let text = row.text(&invariant.frame.scope).join("; ");
            claims.extend(leaves.map(|leaves| Claim { text, formula, leaves }));
        }
        claims
    }

    /// The variables of a frame as numbers of a run; what is none gets a variable that no claim has.
    fn version(
        &mut self,
        invariant: &Invariant,
        numbers: &[Option<Number>],
    ) -> (Version, BTreeMap<TermId, Number>) {
        let shown = &invariant.frame.ends[0].version;
        let inside = self.function.inputs.iter().chain(&self.function.outputs);
        let (mut values, mut known) = (Vec::new(), BTreeMap::new());
        let mut leaves = BTreeMap::new();
        for (variable, number) in inside.zip(numbers) {
            let term = variable.inside.value;
            let sort = self.formula.terms.sort(term);
            let value = self.terms.fresh_variable(&variable.name, sort);
            leaves.extend(number.map(|number| (value, number)));
            if number.is_some() && self.formula.terms.as_variable(term).is_some() {
                known.insert(term, value);
            }
            values.push(value);
        }
        let paths = shown.paths.iter().map(|&path| self.translated(path, &known)).collect();
        let guards = vec![TermId::TRUE; values.len()];
        let mut witnesses = IdVec::new();
        for _ in shown.witnesses.iter() {
            let sort = Sort::BitVector(self.formula.pointers.width());
            witnesses.push(self.terms.fresh_variable("block", sort));
        }
        (Version { values, guards, paths, seconds: witnesses.clone(), witnesses }, leaves)
    }

    /// A condition on inputs, over the numbers of a run.
    fn translated(&mut self, term: TermId, numbers: &BTreeMap<TermId, TermId>) -> TermId {
        let mut known = numbers.clone();
        let source = &self.formula.terms;
        for part in source.reachable_unless(&[term], |it| numbers.contains_key(&it)) {
            if known.contains_key(&part) {
                continue;
            }
            let translated = match source.as_constant(part) {
                Some(value) => self.terms.constant(value),
                None if part == TermId::TRUE || part == TermId::FALSE => part,
                None if source.as_variable(part).is_some() => {
                    self.terms.fresh_variable("unclaimed", source.sort(part))
                }
                None => {
                    let node = source.node(part).map_children(|child| known[&child]);
                    self.terms.build(node)
                }
            };
            known.insert(part, translated);
        }
        known[&term]
    }
}
