//! What the tests claim of a program: the states at the head of a loop, dead edges, paths, steps.

use std::time::Duration;

use heapwright_engine::{
    Choice, CutId, CutPoint, Deadline, Evidence, Instance, Membership, Sample, Signature, Task,
};
use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{FramePoint, FrameState, Machine, Snapshot, ValueState};
use heapwright_oracle::{Budget, Effort, Examination, Problem, QueueName, examine};
use heapwright_program::{
    DataModel, EdgeId, FunctionId, LocationId, Operation, Program, VariableId,
};
use heapwright_property::Specification;

pub(crate) fn task(text: &str) -> Task {
    let settings = Settings::new(DataModel::Lp64);
    let program = load(&[Source::new("test.c", text)], &settings).unwrap().program;
    Task { program, specification: Specification::everyday(), malloc_may_fail: false }
}

/// Runs a proof for as long as it takes, so that counts are the same on every machine.
pub(crate) fn run(task: &Task, evidence: &mut dyn Evidence) -> Examination {
    let budget = Budget {
        work: 2_000_000,
        time: Duration::from_secs(3600),
        ..Budget::of(Effort::Default, Duration::ZERO)
    };
    examine(task, evidence, &budget, &Deadline::never())
}

pub(crate) fn refuted_by(task: &Task, evidence: &mut dyn Evidence) -> (QueueName, Problem, bool) {
    let examination = run(task, evidence);
    let refutation = examination.refutation.expect("the proof is wrong");
    (refutation.queue, refutation.problem, refutation.is_violation)
}

/// Counts up to an input, in a loop.
pub(crate) const COUNT: &str = "
    int __VERIFIER_nondet_int(void);
    int main(void) {
        int n = __VERIFIER_nondet_int();
        int i = 0;
        while (i < n) { i = i + 1; }
        if (n == 1234567) { i = 0; }
        return 0;
    }";

pub(crate) fn main_of(program: &Program) -> FunctionId {
    program.function_named("main").unwrap()
}

pub(crate) fn variable(program: &Program, name: &str) -> VariableId {
    program.variables.enumerated().find(|(_, variable)| variable.name == name).unwrap().0
}

/// The branches of `main`: source, and the edges where the condition holds and does not.
pub(crate) fn branches(program: &Program) -> Vec<(LocationId, EdgeId, EdgeId)> {
    let body = program.functions[main_of(program)].body.as_ref().unwrap();
    let mut found: Vec<(LocationId, EdgeId, EdgeId)> = Vec::new();
    for (id, edge) in body.edges.enumerated() {
        let Operation::Assume { holds, .. } = edge.operation else { continue };
        match found.iter_mut().find(|(source, ..)| *source == edge.source) {
            Some((_, yes, no)) => *(if holds { yes } else { no }) = id,
            None => found.push((edge.source, id, id)),
        }
    }
    found
}

/// A claim about the variable `i` at the head of the first loop, and about whatever else a test
/// wants to be wrong about.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) cuts: Vec<CutPoint>,
    pub(crate) i: VariableId,
    pub(crate) n: VariableId,
    /// The greatest value of `i` that is allowed.
    pub(crate) most: i64,
    /// Values of `i` and `n` to start from.
    pub(crate) samples: Vec<(i64, i64)>,
    pub(crate) dead: Vec<(FunctionId, EdgeId)>,
    pub(crate) paths: Option<Vec<Signature>>,
    pub(crate) instances: Vec<Instance>,
}

impl Claim {
    pub(crate) fn of(program: &Program) -> Claim {
        let (head, ..) = branches(program)[0];
        Claim {
            cuts: vec![CutPoint {
                function: main_of(program),
                location: head,
                callers: Some(Vec::new()),
                over: Vec::new(),
                name: "the loop".to_owned(),
            }],
            i: variable(program, "i"),
            n: variable(program, "n"),
            most: i64::MAX,
            samples: Vec::new(),
            dead: Vec::new(),
            paths: None,
            instances: Vec::new(),
        }
    }

    fn state(&self, i: i64, n: i64) -> Snapshot {
        let bits = |number: i64| ValueState::Bits(u128::from(number as u32));
        let frame = FrameState {
            function: self.cuts[0].function,
            point: FramePoint::At(self.cuts[0].location),
            variables: vec![(self.i, bits(i)), (self.n, bits(n))],
        };
        Snapshot { frames: vec![frame], ..Snapshot::default() }
    }
}

impl Evidence for Claim {
    fn cut_points(&self) -> &[CutPoint] {
        &self.cuts
    }

    fn contains(&mut self, _cut: CutId, machine: &Machine<'_>) -> Membership {
        let value = i64::from(machine.variable(0, self.i).low as i32);
        match value <= self.most {
            true => Membership::In,
            false => Membership::Out(format!("i is {value}")),
        }
    }

    fn sample(&mut self, _cut: CutId, choice: Choice) -> Sample {
        match self.samples.get(choice.index as usize) {
            Some(&(i, n)) if choice.size == 0 => Sample::State(Box::new(self.state(i, n))),
            _ => Sample::NoMore,
        }
    }

    fn step_count(&self) -> usize {
        self.instances.len()
    }

    fn instance(&mut self, step: usize) -> Instance {
        self.instances[step].clone()
    }

    fn dead_edges(&self) -> &[(FunctionId, EdgeId)] {
        &self.dead
    }

    fn has_path(&self, signature: Signature) -> Option<bool> {
        self.paths.as_ref().map(|paths| paths.contains(&signature))
    }
}
