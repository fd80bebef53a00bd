//! The engine `concrete`: runs the program.
//!
//! A program that draws no input has one execution, so its run decides, however long it takes
//! within the time. If it draws some and none of them has a say in how it goes on, all executions take the
//! same course, and a run of one decides too. Of any other, some runs with inputs from seeds may happen to
//! fail; that they do not fail says nothing.

use std::time::Duration;

use heapwright_engine::{
    Attempt, Deadline, Engine, Fact, Finding, Proof, Reason, Run, Task, closed_program,
    looks_at_addresses, run_settings, see_links, violation_of,
};
use heapwright_interpreter::{
    Course, DrawnInput, Environment, Executable, LimitKind, Limits, Machine, Outcome, RunReport,
    SeededInputs, Settings,
};
use heapwright_property::Part;

const NAME: &str = "concrete";

/// Time for a look at links.
const SIGHT: Duration = Duration::from_millis(50);

/// How much running is worth while.
#[derive(Clone, Debug)]
pub struct ConcreteEngine {
    /// Runs with inputs from seeds.
    pub seeds: u64,
    /// Further ones in which places of the program have habits.
    pub habits: u64,
    /// Of the first, those that are looked at for something worse than lost memory.
    pub graver_seeds: u64,
    /// Steps of each of these.
    pub steps: u64,
    /// Steps of the first run if it draws inputs.
    pub first_steps: u64,
    /// Steps of the first run if it draws none, and so decides.
    pub only_steps: u64,
    /// Time of all runs but one that decides.
    pub time: Duration,
    /// Whether it is told how blocks are linked, for engines that come later.
    pub looks_at_links: bool,
}

impl Default for ConcreteEngine {
    fn default() -> ConcreteEngine {
        ConcreteEngine {
            seeds: 64,
            habits: 64,
            graver_seeds: 64,
            steps: 200_000,
            first_steps: 30_000_000,
            only_steps: 4_000_000_000,
            time: Duration::from_secs(2),
            looks_at_links: false,
        }
    }
}

impl ConcreteEngine {
    /// A glance at some runs: it keeps engines that reason waiting for milliseconds at most.
    #[must_use]
    pub fn glance() -> ConcreteEngine {
        let (steps, first_steps, habits) = (10_000, 500_000, 8);
        let looks_at_links = true;
        ConcreteEngine { steps, first_steps, habits, looks_at_links, ..ConcreteEngine::default() }
    }
}

impl Engine for ConcreteEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "runs the program: decides it if it has no inputs, else tries some"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        Trial::new(self, task).turn(run)
    }

    fn attempt<'t>(&'t self, task: &'t Task) -> Attempt<'t> {
        let mut trial = Trial::new(self, task);
        Box::new(move |run| trial.turn(run))
    }
}

/// What was tried on a task so far.
struct Trial<'t> {
    engine: &'t ConcreteEngine,
    task: &'t Task,
    has_tried_seeds: bool,
    has_followed: bool,
    has_looked: bool,
}

impl<'t> Trial<'t> {
    fn new(engine: &'t ConcreteEngine, task: &'t Task) -> Trial<'t> {
        Trial { engine, task, has_tried_seeds: false, has_followed: false, has_looked: false }
    }

    fn turn(&mut self, run: &Run<'_>) -> Finding {
        let mut settings = run_settings(self.task);
        settings.cancelled = Some(run.deadline.flag());
        let executable = Executable::compile(&self.task.program, &settings.compile);
        let first = self.first_run(&executable, &mut settings, &run.deadline);
        if self.is_violation(&first) {
            let graver = first.depends_on_inputs && self.is_leak(&first);
            let graver =
                graver.then(|| self.graver_violation(&executable, &mut settings, &run.deadline));
            return Finding::Refuted(graver.flatten().unwrap_or(first.inputs_drawn));
        }
        let reason = match decided(self.task, &first) {
            Ok(()) => return Finding::Proved(Box::new(OnlyExecution { steps: first.steps })),
            Err(reason) => reason,
        };
        if !self.has_followed && ended_well(self.task, &first).is_ok() {
            self.has_followed = true;
            let report = follow_course(self.task, 0, &run.deadline);
            if takes_only_course(self.task, &report).is_ok() {
                return Finding::Proved(Box::new(OnlyCourse { steps: report.steps }));
            }
        }
        // Another seed changes nothing in a program without inputs.
        if first.depends_on_inputs && !self.has_tried_seeds {
            self.has_tried_seeds = true;
            if let Some(finding) = self.try_seeds(&executable, &mut settings, &run.deadline) {
                return finding;
            }
        }
        self.tell_links(run);
        Finding::Open(vec![reason])
    }

    /// Tells how the blocks of the heap are linked, once.
    fn tell_links(&mut self, run: &Run<'_>) {
        let is_wanted = self.engine.looks_at_links && run.board.is_some() && !self.has_looked;
        if is_wanted {
            self.has_looked = true;
            for linked in see_links(self.task, &run.deadline.at_most(SIGHT)) {
                run.publish(NAME, Fact::Linked(linked));
            }
        }
    }

    /// The run that decides if it draws no inputs: then it goes on as long as there is time.
    fn first_run(
        &self,
        executable: &Executable<'_>,
        settings: &mut Settings,
        deadline: &Deadline,
    ) -> RunReport {
        settings.limits = Limits { steps: self.engine.only_steps, ..Limits::default() };
        let environment = Environment::silent(SeededInputs::new(0));
        Machine::new(executable, settings, environment).run_while(&|progress| {
            let is_short = progress.steps < self.engine.first_steps;
            (is_short || !progress.depends_on_inputs) && !deadline.is_over()
        })
    }

    fn try_seeds(
        &self,
        executable: &Executable<'_>,
        settings: &mut Settings,
        deadline: &Deadline,
    ) -> Option<Finding> {
        let deadline = deadline.at_most(self.engine.time);
        settings.limits = Limits { steps: self.engine.steps, ..Limits::default() };
        let plain = (1..=self.engine.seeds).map(|seed| (seed, false));
        let with_habits = (1..=self.engine.habits).map(|seed| (seed, true));
        for (seed, has_habits) in plain.chain(with_habits) {
            let report = run_seed(executable, settings, seed, has_habits);
            if self.is_violation(&report) {
                let graver = self.is_leak(&report);
                let graver = graver.then(|| self.graver_violation(executable, settings, &deadline));
                let drawn = graver.flatten().unwrap_or(report.inputs_drawn);
                return Some(Finding::Refuted(drawn));
            }
            if deadline.is_over() {
                break;
            }
        }
        None
    }

    /// Inputs of a run that does worse than to lose memory, if one of the next ones does. Who loses a
    /// block and uses another after it was freed wants to hear of the latter first.
    fn graver_violation(
        &self,
        executable: &Executable<'_>,
        settings: &mut Settings,
        deadline: &Deadline,
    ) -> Option<Vec<DrawnInput>> {
        settings.limits = Limits { steps: self.engine.steps, ..Limits::default() };
        let runs = (1..=self.engine.graver_seeds).take_while(|_| !deadline.is_over());
        let mut reports = runs.map(|seed| run_seed(executable, settings, seed, false));
        let found = reports.find(|report| self.is_violation(report) && !self.is_leak(report));
        found.map(|report| report.inputs_drawn)
    }

    fn is_leak(&self, report: &RunReport) -> bool {
        let found = violation_of(self.task, report);
        found.is_some_and(|found| matches!(found.part, Part::ValidMemtrack | Part::ValidMemcleanup))
    }

    fn is_violation(&self, report: &RunReport) -> bool {
        violation_of(self.task, report).is_some() && !report.inexact
    }
}

fn run_seed(
    executable: &Executable<'_>,
    settings: &Settings,
    seed: u64,
    has_habits: bool,
) -> RunReport {
    let mut inputs = SeededInputs::new(seed);
    inputs.has_habits = has_habits;
    // The first runs are in the plainest of worlds, then every other.
    inputs.varies_choices = seed >= 2 && seed.is_multiple_of(2);
    inputs.is_plausible = seed % 4 != 3;
    Machine::new(executable, settings, Environment::silent(inputs)).run()
}

const INEXACT: &str = "the program computes with numbers that machines and libraries round \
    differently: `__float128`, functions such as `sin`, or the text of a `long double`";

const SEES_CHOICES: &str = "the program compares addresses whose relation C leaves open: of a \
    block that is gone and another one, of string literals, or one past the end of a block";

/// Whether a run is the program's only execution and shows that nothing is violated.
fn decided(task: &Task, report: &RunReport) -> Result<(), Reason> {
    if report.inexact {
        return Err(Reason::new(INEXACT));
    }
    if report.sees_choices {
        return Err(Reason::new(SEES_CHOICES));
    }
    if report.depends_on_inputs || !closed_program(&task.program) {
        return Err(Reason::new("the program depends on inputs").in_background());
    }
    if looks_at_addresses(&task.program) {
        return Err(Reason::new("the program looks at the numbers or the order of addresses"));
    }
    ended_well(task, report)
}

/// Whether a run came to its end without a violation.
fn ended_well(task: &Task, report: &RunReport) -> Result<(), Reason> {
    match &report.outcome {
        Outcome::Exited(_) | Outcome::Aborted | Outcome::Returned | Outcome::AssumptionFailed => {
            Ok(())
        }
        // It ends there, as far as this question goes.
        Outcome::Fault(fault) if task.excuses(fault.kind) => Ok(()),
        Outcome::Fault(fault) => Err(Reason::at(
            format!("the program stops at a fault that was not asked about: {}", fault.kind),
            fault.blame,
        )),
        Outcome::Unsupported { construct, blame, .. } => {
            Err(Reason::at(format!("not modelled: {construct}"), *blame))
        }
        Outcome::Limit(LimitKind::Cancelled | LimitKind::Steps) => {
            Err(Reason::new(format!("the only execution goes on after {} steps", report.steps)))
        }
        Outcome::Limit(kind) => {
            Err(Reason::new(format!("the run reached a limit: {kind:?}").to_lowercase()))
        }
    }
}

/// The program has one execution, and it is fine.
#[derive(Debug)]
struct OnlyExecution {
    steps: u64,
}

impl Proof for OnlyExecution {
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        // Another machine mode and another seed: the outcome must not depend on either.
        let mut settings: Settings = run_settings(task);
        settings.compile.keep_locations = true;
        settings.limits.steps = self.steps.saturating_mul(4);
        settings.cancelled = Some(deadline.flag());
        let executable = Executable::compile(&task.program, &settings.compile);
        let environment = Environment::silent(SeededInputs::new(0x5eed));
        let report = Machine::new(&executable, &settings, environment).run();
        if violation_of(task, &report).is_some() {
            return Err(Reason::new("the second run of the only execution found a violation"));
        }
        decided(task, &report)
    }

    fn summary(&self) -> String {
        "the program has no inputs, and its only execution is correct".to_owned()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Runs the program and looks whether anything decides that other executions have otherwise.
fn follow_course(task: &Task, seed: u64, deadline: &Deadline) -> RunReport {
    let mut settings: Settings = run_settings(task);
    settings.compile.mark_addresses = true;
    settings.follow_course = true;
    settings.cancelled = Some(deadline.flag());
    let executable = Executable::compile(&task.program, &settings.compile);
    let environment = Environment::silent(SeededInputs::new(seed));
    Machine::new(&executable, &settings, environment).run_while(&|_| !deadline.is_over())
}

/// Whether all executions go the way of a run, which shows that nothing is violated.
fn takes_only_course(task: &Task, report: &RunReport) -> Result<(), Reason> {
    if !closed_program(&task.program) {
        return Err(Reason::new("the program depends on its arguments"));
    }
    match report.course {
        Course::Fixed => ended_well(task, report),
        Course::Open(place) => Err(Reason::at("what the program is given decides", place)),
        Course::NotFollowed => Err(Reason::new("the course was not followed")),
    }
}

/// All executions take the same course, and it is fine.
#[derive(Debug)]
struct OnlyCourse {
    steps: u64,
}

impl Proof for OnlyCourse {
    fn check(&self, task: &Task, deadline: &Deadline) -> Result<(), Reason> {
        let report = follow_course(task, 0x5eed, deadline);
        if violation_of(task, &report).is_some() {
            return Err(Reason::new("the second run of the only course found a violation"));
        }
        if report.steps != self.steps {
            return Err(Reason::new("the second run of the only course took another one"));
        }
        takes_only_course(task, &report)
    }

    fn summary(&self) -> String {
        "no input has a say in how the program goes on, and an execution of it is correct"
            .to_owned()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}
