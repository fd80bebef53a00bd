//! Proofs that are wrong on purpose: each kind of wrong evidence is refused, by the queue that is
//! there for it, and right evidence is not.

mod claim;
mod worlds;

use heapwright_engine::{
    Choice, CutId, CutPoint, Evidence, Instance, Membership, NoEvidence, Sample, Signature, Task,
    run_settings,
};
use heapwright_interpreter::{
    BlockIdentity, BlockState, DrawnInput, Environment, Executable, FramePoint, FrameState,
    InputKind, ListedInputs, Machine, Outcome, Snapshot, ValueState,
};
use heapwright_memory::Life;
use heapwright_oracle::{Examination, Problem, QueueName};
use heapwright_program::{Operation, ScalarType};

use crate::claim::{COUNT, Claim, branches, main_of, refuted_by, run, task};

#[test]
fn a_right_proof_is_not_refuted() {
    let task = task(COUNT);
    let mut claim = Claim::of(&task.program);
    claim.samples = vec![(0, 0), (3, 5), (5, 3)];
    let examination = run(&task, &mut claim);
    assert!(examination.refutation.is_none(), "{:?}", examination.refutation);
    assert_eq!((examination.runs, examination.small_states), (64, 3));
    assert_eq!((examination.cut_points_exercised, examination.unclear), (1, 0));
    assert!(examination.perturbed_states > 20, "{examination:?}");
    assert!(!examination.is_cut_short);
}

#[test]
fn a_wrong_invariant_is_refuted_by_a_whole_run() {
    let task = task(COUNT);
    let mut claim = Claim { most: 1, ..Claim::of(&task.program) };
    let (queue, problem, is_violation) = refuted_by(&task, &mut claim);
    assert_eq!(queue, QueueName::WholeRuns);
    assert!(matches!(problem, Problem::NotContained { .. }), "{problem}");
    assert!(!is_violation, "the program is right, only the proof is wrong");
}

#[test]
fn an_invariant_that_is_wrong_for_large_numbers_is_refuted_from_a_small_state() {
    let task = task(COUNT);
    let claim = Claim { most: 99_999_999, ..Claim::of(&task.program) };
    let mut claim = Claim { samples: vec![(0, 1), (99_999_999, 123_456_789)], ..claim };
    let (queue, problem, _) = refuted_by(&task, &mut claim);
    assert_eq!(queue, QueueName::SmallStates);
    assert!(matches!(problem, Problem::NotContained { .. }), "{problem}");
}

#[test]
fn a_changed_state_refutes_what_no_run_reaches() {
    // No run gets beyond 3, so only a state in which `i` is changed shows the access.
    let text = "
        int __VERIFIER_nondet_int(void);
        int main(void) {
            int n = __VERIFIER_nondet_int() & 3, i = 0;
            int a[4];
            while (i < n) { a[i] = i; i = i + 1; }
            return 0;
        }";
    let task = task(text);
    let (queue, problem, is_violation) = refuted_by(&task, &mut Claim::of(&task.program));
    assert_eq!(queue, QueueName::PerturbedStates);
    assert!(matches!(problem, Problem::Violation(_)) && !is_violation, "{problem}");
    let mut claim = Claim::of(&task.program);
    claim.samples = vec![(0, 0), (7, 9)];
    let (queue, ..) = refuted_by(&task, &mut claim);
    assert_eq!(queue, QueueName::SmallStates);
}

#[test]
fn a_cut_point_that_no_run_comes_to_is_told() {
    let task = task(COUNT);
    let mut claim = Claim { most: -1, ..Claim::of(&task.program) };
    // The claim is about arrivals over an edge that does not lead there.
    let (_, rare, _) = branches(&task.program)[1];
    claim.cuts[0].over = vec![rare];
    let examination = run(&task, &mut claim);
    assert!(examination.refutation.is_none(), "{:?}", examination.refutation);
    assert_eq!(examination.not_exercised, ["the loop"]);
}

#[test]
fn a_state_that_the_proof_gives_has_to_be_one_that_it_allows() {
    let task = task(COUNT);
    let mut claim = Claim { most: 1_000_000, ..Claim::of(&task.program) };
    claim.samples = vec![(0, 0), (2_000_000, 0)];
    let (queue, problem, _) = refuted_by(&task, &mut claim);
    assert_eq!(queue, QueueName::SmallStates);
    assert!(matches!(problem, Problem::NotItsOwn { .. }), "{problem}");
}

#[test]
fn a_dead_edge_that_a_rare_input_takes_is_refuted() {
    // Only the constant of the comparison takes it.
    let text = "
        int __VERIFIER_nondet_int(void);
        int main(void) {
            int n = __VERIFIER_nondet_int(), i = 0;
            if (n == 1234567) { i = 1; }
            return i;
        }";
    let task = task(text);
    let mut claim = Claim { cuts: Vec::new(), ..Claim::of(&task.program) };
    let (_, rare, _) = branches(&task.program)[0];
    claim.dead = vec![(main_of(&task.program), rare)];
    let (queue, problem, _) = refuted_by(&task, &mut claim);
    assert_eq!(queue, QueueName::WholeRuns);
    assert!(matches!(problem, Problem::DeadEdge(_)), "{problem}");
}

/// The signature of the execution with this input.
fn signature(task: &Task, input: u128) -> Signature {
    let mut settings = run_settings(task);
    settings.compile.keep_locations = true;
    let executable = Executable::compile(&task.program, &settings.compile);
    let environment = Environment::silent(ListedInputs::new([input]));
    let mut machine = Machine::new(&executable, &settings, environment);
    let mut signature = Signature::EMPTY;
    while machine.outcome().is_none() {
        machine.step_observed(&mut |machine, passed| {
            let body = machine.program().functions[passed.function].body.as_ref().unwrap();
            if let Operation::Assume { .. } = body.edges[passed.edge].operation {
                signature = signature.then(passed.function, passed.edge);
            }
        });
    }
    signature
}

const SIGN: &str = "
    int __VERIFIER_nondet_int(void);
    int main(void) {
        int n = __VERIFIER_nondet_int(), i = 0;
        if (n > 0) { i = 1; } else if (n < -40) { i = -1; }
        return i;
    }";

#[test]
fn a_missing_path_is_refuted_by_a_whole_run() {
    let task = task(SIGN);
    let all = [5, 0, u128::from(-50_i32 as u32)].map(|input| signature(&task, input));
    let mut claim = Claim { cuts: Vec::new(), ..Claim::of(&task.program) };
    claim.paths = Some(all.to_vec());
    assert!(run(&task, &mut claim).refutation.is_none());
    claim.paths = Some(all[..2].to_vec());
    let (queue, problem, _) = refuted_by(&task, &mut claim);
    assert_eq!((queue, problem), (QueueName::WholeRuns, Problem::NoSuchPath));
}

#[test]
fn a_step_has_to_take_the_branches_that_it_tells() {
    let task = task(SIGN);
    let step = |bits: u128, signature| Instance::Run {
        start: None,
        inputs: vec![DrawnInput {
            kind: InputKind::Nondeterministic("__VERIFIER_nondet_int".into()),
            ty: ScalarType::INT,
            bits,
            place: task.program.functions[main_of(&task.program)].place,
        }],
        signature: Some(signature),
    };
    let mut claim = Claim { cuts: Vec::new(), ..Claim::of(&task.program) };
    claim.instances = vec![step(5, signature(&task, 5)), Instance::Vacuous];
    let examination = run(&task, &mut claim);
    assert!(examination.refutation.is_none() && examination.steps == 1, "{examination:?}");
    claim.instances = vec![step(5, signature(&task, 0))];
    let (queue, problem, _) = refuted_by(&task, &mut claim);
    assert_eq!((queue, problem), (QueueName::Steps, Problem::OtherBranches));
}

const RARE: &str = "
    int __VERIFIER_nondet_int(void);
    void reach_error(void);
    int main(void) { if (__VERIFIER_nondet_int() == 987654321) reach_error(); return 0; }";

#[test]
fn a_violation_in_a_whole_run_is_one_for_the_gate() {
    let task = task(RARE);
    let (queue, problem, is_violation) = refuted_by(&task, &mut NoEvidence);
    assert_eq!(queue, QueueName::WholeRuns);
    assert!(matches!(problem, Problem::Violation(_)) && is_violation, "{problem}");
}

/// Leaves out every execution that ends badly.
#[derive(Debug)]
struct Excuse;

impl Evidence for Excuse {
    fn excuses(&self, outcome: &Outcome) -> bool {
        matches!(outcome, Outcome::Fault(_))
    }
}

#[test]
fn what_the_proof_leaves_out_does_not_refute_it() {
    assert!(run(&task(RARE), &mut Excuse).refutation.is_none());
}

#[test]
fn a_program_without_inputs_is_run_once() {
    let task = task("int main(void) { int i = 0; while (i < 9) { i = i + 1; } return 0; }");
    assert_eq!(run(&task, &mut NoEvidence).runs, 1);
}

/// A claim of nothing but one state.
#[derive(Debug)]
struct OneState {
    cuts: Vec<CutPoint>,
    state: Snapshot,
}

impl Evidence for OneState {
    fn cut_points(&self) -> &[CutPoint] {
        &self.cuts
    }

    fn contains(&mut self, _cut: CutId, _machine: &Machine<'_>) -> Membership {
        Membership::In
    }

    fn sample(&mut self, _cut: CutId, choice: Choice) -> Sample {
        match choice {
            Choice { size: 0, index: 0 } => Sample::State(Box::new(self.state.clone())),
            Choice { .. } => Sample::NoMore,
        }
    }
}

/// A state in the loop of a function that then ends the program, with a block that nobody in it
/// holds.
fn with_a_block(task: &Task, function: &str) -> OneState {
    let function = task.program.function_named(function).unwrap();
    let body = task.program.functions[function].body.as_ref().unwrap();
    let head = body.edges.iter().find(|edge| matches!(edge.operation, Operation::Assume { .. }));
    let location = head.unwrap().source;
    let name = "the loop".to_owned();
    let cut = CutPoint { function, location, callers: None, over: Vec::new(), name };
    let block = BlockState {
        identity: BlockIdentity::Heap,
        life: Life::Alive,
        size: 4,
        cells: Vec::new(),
        base: None,
    };
    let frame = FrameState { function, point: FramePoint::At(location), variables: Vec::new() };
    let state = Snapshot { blocks: vec![block], frames: vec![frame], ..Snapshot::default() };
    OneState { cuts: vec![cut], state }
}

#[test]
fn a_block_that_nobody_holds_is_lost_if_all_calls_are_known() {
    let text = "
        void exit(int);
        void stop(int i) { while (i < 1) { i = i + 1; } exit(0); }
        int main(void) { int i = 0; while (i < 1) { i = i + 1; } stop(i); return 0; }";
    let task = task(text);
    let examination = run(&task, &mut with_a_block(&task, "stop"));
    assert!(examination.refutation.is_none(), "an unknown caller may hold it");
    assert_eq!(examination.small_states, 1);
    let (queue, problem, _) = refuted_by(&task, &mut with_a_block(&task, "main"));
    assert_eq!(queue, QueueName::SmallStates);
    assert!(matches!(problem, Problem::Violation(_)), "{problem}");
}

#[test]
fn the_same_proof_is_run_the_same_way_twice() {
    let task = task(COUNT);
    let counts = |examination: &Examination| {
        (examination.work, examination.contained, examination.perturbed_states)
    };
    let first = run(&task, &mut Claim::of(&task.program));
    let second = run(&task, &mut Claim::of(&task.program));
    assert_eq!(counts(&first), counts(&second));
}

#[test]
fn a_refutation_holds_nothing_that_does_not_matter() {
    let text = "
        int __VERIFIER_nondet_int(void);
        void reach_error(void);
        int main(void) {
            int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
            if (b > 1000 && a != c) reach_error();
            return 0;
        }";
    let refutation = run(&task(text), &mut NoEvidence).refutation.expect("the program fails");
    let bits: Vec<u128> = refutation.inputs.iter().map(|input| input.bits).collect();
    assert!(bits[0] + bits[2] == 1 && (1001..=2001).contains(&bits[1]), "{bits:?}");
    assert!(refutation.is_violation);
}

#[test]
fn a_state_that_refutes_is_made_simple() {
    let task = task(COUNT);
    let mut claim = Claim { most: 1_000_000, ..Claim::of(&task.program) };
    claim.samples = vec![(0, 1), (1_000_000, 123_456_789)];
    let refutation = run(&task, &mut claim).refutation.expect("the proof is wrong");
    let start = refutation.start.expect("no run gets so far");
    let (_, n) = &start.state.frames[0].variables[1];
    assert_eq!(start.state.frames[0].variables[0].1, ValueState::Bits(1_000_000));
    assert!(matches!(n, ValueState::Bits(1_000_001..=2_000_001)), "{n:?}");
}
