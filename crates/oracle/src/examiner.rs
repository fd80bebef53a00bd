//! The examiner: follows runs and compares them with what the proof claims.

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_engine::{
    CutId, CutPoint, Deadline, Evidence, Membership, Task, looks_at_addresses, run_settings,
    violation_of,
};
use heapwright_interpreter::{
    Environment, Executable, Limits, Machine, Outcome, RunReport, Settings, Snapshot,
};
use heapwright_program::{EdgeId, FunctionId, LocationId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::{Budget, Meter, cost};
use crate::constants::compared_constants;
use crate::examination::{Examination, Problem, QueueName, Refutation, Start};
use crate::inputs::Adversary;
use crate::state_text::state_text;
use crate::walk::{Plan, Walk};
use crate::world::World;

/// The interpreter's settings for runs of the oracle.
pub(crate) fn machine_settings(task: &Task) -> Settings {
    let mut settings = run_settings(task);
    settings.compile.keep_locations = true;
    settings.notes = 0;
    // Small, since there are many runs; a run that needs more is not followed to its end.
    settings.limits =
        Limits { steps: 10_000_000, memory: 64 << 20, frames: 20_000, ..Limits::default() };
    settings
}

pub(crate) struct Examiner<'a> {
    pub(crate) task: &'a Task,
    executable: &'a Executable<'a>,
    settings: &'a Settings,
    pub(crate) evidence: &'a mut dyn Evidence,
    pub(crate) cut_points: Vec<CutPoint>,
    cuts_at: FxHashMap<(FunctionId, LocationId), Vec<CutId>>,
    dead: FxHashSet<(FunctionId, EdgeId)>,
    exercised: BTreeSet<CutId>,
    looks_at_addresses: bool,
    worlds_asked: usize,
    pub(crate) dictionary: Rc<[u128]>,
    pub(crate) meter: Meter<'a>,
    pub(crate) examination: Examination,
    /// States at cut points, from whole runs.
    pub(crate) seen: Vec<(CutId, Snapshot)>,
    /// No more of them are to come.
    pub(crate) has_seen_all: bool,
}

/// What came of a run.
pub(crate) struct Followed {
    /// How it ended, if it did.
    pub(crate) report: Option<RunReport>,
    pub(crate) problem: Option<(Problem, String)>,
}

/// Edges that a run may go on for which has lost a block.
const LONGER: u64 = 100_000;
const INEXACT: &str =
    "a run was left where it computed with numbers that machines round differently";
/// States of whole runs that are kept, in all and of one cut point.
const SEEN: usize = 48;
const SEEN_AT_ONE: usize = 6;

impl<'a> Examiner<'a> {
    pub(crate) fn new(
        task: &'a Task,
        executable: &'a Executable<'a>,
        settings: &'a Settings,
        evidence: &'a mut dyn Evidence,
        budget: &Budget,
        deadline: &'a Deadline,
    ) -> Examiner<'a> {
        let cut_points = evidence.cut_points().to_vec();
        let mut cuts_at: FxHashMap<_, Vec<CutId>> = FxHashMap::default();
        for (id, cut) in cut_points.iter().enumerate() {
            cuts_at.entry((cut.function, cut.location)).or_default().push(id);
        }
        let dead = evidence.dead_edges().iter().copied().collect();
        Examiner {
            task,
            executable,
            settings,
            evidence,
            cut_points,
            cuts_at,
            dead,
            exercised: BTreeSet::new(),
            looks_at_addresses: looks_at_addresses(&task.program),
            worlds_asked: 0,
            dictionary: compared_constants(&task.program).into(),
            meter: Meter::new(budget.work, deadline),
            examination: Examination::default(),
            seen: Vec::new(),
            has_seen_all: false,
        }
    }

    /// A machine at the start of the program.
    pub(crate) fn start(&mut self, inputs: Adversary) -> Machine<'a> {
        let machine = Machine::new(self.executable, self.settings, Environment::silent(inputs));
        self.begin(&machine);
        machine
    }

    /// A machine in a given state; what is wrong with the state is a doubt.
    pub(crate) fn start_at(
        &mut self,
        snapshot: &Snapshot,
        inputs: Adversary,
    ) -> Option<Machine<'a>> {
        let environment = Environment::silent(inputs);
        match Machine::at(self.executable, self.settings, environment, snapshot) {
            Ok(machine) => {
                self.begin(&machine);
                Some(machine)
            }
            Err(error) => {
                self.doubt(format!("a state cannot be made: {error}"));
                None
            }
        }
    }

    fn begin(&mut self, machine: &Machine<'_>) {
        let kilobytes = machine.memory().storage_bytes() >> 10;
        self.meter.spend(cost::START + kilobytes * cost::KILOBYTE);
        self.evidence.begin();
    }

    /// Follows a run as the plan says. What goes wrong in a whole run is followed to its end, which
    /// may be a violation.
    pub(crate) fn follow(&mut self, machine: &mut Machine<'a>, plan: &Plan) -> Followed {
        let mut walk = Walk::new();
        let mut problem = None;
        while machine.outcome().is_none() && walk.edges < plan.edges && !self.meter.is_spent() {
            self.pass_edge(machine, &mut walk);
            if machine.is_inexact() {
                self.doubt(INEXACT.to_owned());
                return Followed { report: None, problem };
            }
            if problem.is_some() {
                continue;
            }
            problem = self.look(machine, plan, &mut walk);
            let is_done = walk.cut_points >= plan.cut_points || problem.is_some();
            if is_done && !plan.is_whole {
                break;
            }
        }
        if plan.is_whole {
            self.see_what_becomes_of_lost_blocks(machine);
        }
        let is_ended = machine.outcome().is_some() && !machine.is_inexact();
        let report = is_ended.then(|| machine.run());
        let at_end = report.as_ref().and_then(|report| self.problem_at_end(report, plan, &walk));
        let problem = match (at_end, problem) {
            (Some(violation @ Problem::Violation(_)), _) => Some((violation, String::new())),
            (_, Some(earlier)) => Some(earlier),
            (later, None) => later.map(|later| (later, String::new())),
        };
        Followed { report, problem }
    }

    fn pass_edge(&mut self, machine: &mut Machine<'a>, walk: &mut Walk) {
        let (evidence, dead, program) = (&mut *self.evidence, &self.dead, &self.task.program);
        machine.step_observed(&mut |machine, passed| {
            evidence.observe(machine, passed);
            walk.pass(program, dead, passed);
        });
        walk.edges += 1;
        self.meter.spend(cost::EDGE);
    }

    /// Compares the state with what the proof says of this place.
    fn look(
        &mut self,
        machine: &Machine<'a>,
        plan: &Plan,
        walk: &mut Walk,
    ) -> Option<(Problem, String)> {
        let text = || machine.snapshot().map(|state| state_text(machine.program(), &state));
        if let Some(dead) = walk.dead {
            let body = machine.program().functions[dead.function].body.as_ref()?;
            let place = machine.program().describe(body.edges[dead.edge].place);
            return Some((Problem::DeadEdge(place), text().unwrap_or_default()));
        }
        let arrivals = self.arrivals(machine, walk);
        if arrivals.is_empty() {
            return None;
        }
        walk.cut_points = walk.cut_points.saturating_add(1);
        let is_first = walk.cut_points == 1;
        if is_first && plan.signature.is_some_and(|wanted| wanted != walk.signature) {
            return Some((Problem::OtherBranches, text().unwrap_or_default()));
        }
        for cut in arrivals {
            if plan.is_whole && !walk.is_worth_a_look(cut) {
                continue;
            }
            match self.membership(cut, machine) {
                Membership::In if plan.is_whole => self.remember(cut, machine),
                Membership::In => {}
                Membership::Out(why) => {
                    let cut = self.cut_points[cut].name.clone();
                    let problem = Problem::NotContained { cut, why };
                    return Some((problem, text().unwrap_or_default()));
                }
                // From here on, the proof may claim nothing of this run.
                Membership::Unclear(_) => walk.cut_points = u32::MAX,
            }
        }
        None
    }

    /// The cut points that the machine has just arrived at.
    fn arrivals(&self, machine: &Machine<'a>, walk: &Walk) -> Vec<CutId> {
        let Some(place) = machine.location() else { return Vec::new() };
        let Some(cuts) = self.cuts_at.get(&place) else { return Vec::new() };
        let is_here = |cut: &&CutId| {
            let cut = &self.cut_points[**cut];
            let is_over = cut.over.is_empty()
                || walk.last.is_some_and(|last| {
                    last.function == cut.function && cut.over.contains(&last.edge)
                });
            is_over && cut.callers.as_ref().is_none_or(|callers| machine.is_called_by(callers))
        };
        cuts.iter().filter(is_here).copied().collect()
    }

    /// Whether the proof allows the machine's state at a cut point, which is counted.
    pub(crate) fn membership(&mut self, cut: CutId, machine: &Machine<'a>) -> Membership {
        self.meter.spend(cost::CONTAINS);
        let membership = self.evidence.contains(cut, machine);
        match &membership {
            Membership::In => {
                self.examination.contained += 1;
                self.exercised.insert(cut);
            }
            Membership::Out(_) => {}
            Membership::Unclear(why) => self.doubt(why.clone()),
        }
        membership
    }

    fn remember(&mut self, cut: CutId, machine: &Machine<'a>) {
        let of_it = self.seen.iter().filter(|(known, _)| *known == cut).count();
        let is_small = machine.memory().storage_bytes() < 1 << 16;
        if self.seen.len() < SEEN && of_it < SEEN_AT_ONE && is_small {
            self.seen.extend(machine.snapshot().ok().map(|state| (cut, state)));
        }
    }

    fn problem_at_end(&self, report: &RunReport, plan: &Plan, walk: &Walk) -> Option<Problem> {
        if self.evidence.excuses(&report.outcome) {
            return None;
        }
        let is_leak = !report.leaked.is_empty() || !report.unfreed.is_empty();
        let violation = violation_of(self.task, report);
        if let Some(violation) = violation
            && (plan.has_whole_stack || report.fault().is_some() || !is_leak)
        {
            let place = report.fault().map(|fault| self.task.program.describe(fault.blame));
            let place = place.map_or_else(String::new, |place| format!(" at {place}"));
            return Some(Problem::Violation(format!("{}{place}", violation.part)));
        }
        let is_end = match report.outcome {
            Outcome::Exited(_) | Outcome::Aborted => true,
            Outcome::Returned
            | Outcome::AssumptionFailed
            | Outcome::Fault(_)
            | Outcome::Unsupported { .. }
            | Outcome::Limit(_) => false,
        };
        if !is_end {
            return None;
        }
        let is_at_first = walk.cut_points == 0;
        if is_at_first && plan.signature.is_some_and(|wanted| wanted != walk.signature) {
            return Some(Problem::OtherBranches);
        }
        let is_no_path = plan.is_whole && self.evidence.has_path(walk.signature) == Some(false);
        is_no_path.then_some(Problem::NoSuchPath)
    }

    /// A run that is not followed to its end, and has lost a block, is a violation only if it comes
    /// to an end that counts: it is worth some more steps.
    fn see_what_becomes_of_lost_blocks(&mut self, machine: &mut Machine<'a>) {
        let is_asked = self.settings.end_check.memtrack && machine.outcome().is_none();
        if !is_asked || machine.lost_blocks().is_empty() {
            return;
        }
        for _ in 0..LONGER {
            if machine.step().is_some() || machine.is_inexact() || self.meter.is_spent() {
                return;
            }
            self.meter.spend(cost::EDGE);
        }
    }

    /// A world that is not the plain one, another one each time.
    pub(crate) fn another_world(&mut self) -> World {
        self.worlds_asked += 1;
        World::OTHERS[self.worlds_asked % World::OTHERS.len()]
    }

    /// Whether the run may go otherwise where the implementation decides otherwise.
    pub(crate) fn can_tell_choices(&self, machine: &Machine<'a>) -> bool {
        self.looks_at_addresses || machine.sees_choices()
    }

    /// Counts what could not be decided.
    pub(crate) fn doubt(&mut self, why: String) {
        self.examination.unclear += 1;
        self.examination.doubt.get_or_insert(why);
    }

    pub(crate) fn refutation(
        &self,
        queue: QueueName,
        followed: Followed,
        machine: &mut Machine<'a>,
        start: Option<(CutId, Snapshot)>,
    ) -> Option<Box<Refutation>> {
        let (problem, state) = followed.problem?;
        let is_violation = start.is_none() && matches!(problem, Problem::Violation(_));
        let inputs = match followed.report {
            Some(report) => report.inputs_drawn,
            None => machine.take_inputs(),
        };
        let start = start.map(|(cut, state)| Start {
            cut_id: cut,
            cut: self.cut_points[cut].name.clone(),
            text: state_text(&self.task.program, &state),
            state: Box::new(state),
        });
        Some(Box::new(Refutation { queue, problem, start, state, inputs, is_violation }))
    }

    pub(crate) fn finish(self) -> Examination {
        let is_idle = |(id, _): &(usize, &CutPoint)| !self.exercised.contains(id);
        let idle = self.cut_points.iter().enumerate().filter(is_idle);
        Examination {
            cut_points: self.cut_points.len(),
            cut_points_exercised: self.exercised.len(),
            not_exercised: idle.map(|(_, cut)| cut.name.clone()).collect(),
            work: self.meter.spent(),
            ..self.examination
        }
    }
}
