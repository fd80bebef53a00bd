//! kIkI: bounded model checking, k-induction and k-invariants in one loop over growing k.
//!
//! For each k the formula holds k rounds of every loop. An execution from the start that fails gives
//! inputs, which must reach the failure in the interpreter. If no obligation can fail, even from any
//! state at the loop heads, the program is proved by k-induction; else invariants are looked for that
//! exclude the failing states. Method: Brain, Joshi, Kroening, Schrammel, SAS 2015.

use std::ops::Range;
use std::time::{Duration, Instant};

use heapwright_engine::{
    Deadline, Event, Fact, Finding, Phase, Progress, Reason, Run, Task, replay_violates,
};
use heapwright_interpreter::DrawnInput;
use heapwright_property::Part;
use heapwright_solver::SmtSolver;

use crate::calls::Preparations;
use crate::engine::NAME;
use crate::null::without_null_accesses;
use crate::proof::{Bounded, Inductive, Scale};
use crate::question::{Failure, Question};
use crate::settings::Settings;
use crate::ssa::BuildSettings;
use crate::synthesis::{Limits, Selection, Statistics, Stopped, Style, Template, synthesise};

/// Decides a task, or says why not.
pub(crate) fn decide(task: &Task, settings: &Settings, run: &Run<'_>) -> Finding {
    let deadline = &run.deadline;
    let (is_lenient, reasons) = (false, Vec::new());
    let mut search = Search { task, settings, run, deadline, is_lenient, reasons };
    match search.run(task) {
        Outcome::Decided(finding) => return finding,
        Outcome::Open => return Finding::Open(search.reasons),
        Outcome::Unasked => {}
    }
    // The proof fails at a fault that nobody asks about.
    if let Some(changed) = without_null_accesses(task) {
        search.is_lenient = true;
        if let Outcome::Decided(finding) = search.run(&changed) {
            return finding;
        }
    }
    Finding::Open(search.reasons)
}

enum Outcome {
    Decided(Finding),
    Open,
    /// An obligation cannot be shown that the specification does not ask about.
    Unasked,
}

/// What is done with a number of rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Effort {
    /// No invariants: failing executions, and loops that end early.
    Look,
    /// These sets of domains too.
    Stages(Range<usize>),
    /// The same with two witnesses of each object: these sets of domains of links.
    Linked(Range<usize>),
}

/// Cheap looks at the first rounds and cheap sets of domains come before costly ones.
fn plan(most_copies: u32) -> Vec<(u32, Effort)> {
    let look = |copies| (copies, Effort::Look);
    let mut plan = vec![(1, Effort::Stages(0..1)), look(2), (1, Effort::Linked(0..1))];
    plan.push((1, Effort::Stages(1..3)));
    plan.extend([3, 4, 6, 9, 12].map(look));
    plan.push((1, Effort::Linked(1..usize::MAX)));
    plan.push((1, Effort::Stages(3..usize::MAX)));
    plan.extend([18, 27, 40].map(look));
    let mut copies = 2;
    while copies <= most_copies {
        plan.push((copies, Effort::Stages(0..1)));
        copies += copies.div_ceil(3);
    }
    plan.retain(|&(copies, _)| copies <= most_copies);
    plan
}

/// Short executions first, then those that are asked about.
fn bounded_plan(bound: u32) -> Vec<(u32, Effort)> {
    let shorter = [1, 2, 4, 9, 18, 40].into_iter().filter(|&copies| copies < bound);
    shorter.chain([bound]).map(|copies| (copies, Effort::Look)).collect()
}

struct Search<'a> {
    /// As it was asked.
    task: &'a Task,
    settings: &'a Settings,
    run: &'a Run<'a>,
    deadline: &'a Deadline,
    is_lenient: bool,
    reasons: Vec<Reason>,
}

impl Search<'_> {
    /// More and more rounds of a task.
    fn run(&mut self, task: &Task) -> Outcome {
        let mut preparations = Preparations::new(task, self.settings.calls, self.deadline);
        let mut is_unasked = false;
        let mut is_refused = false;
        let mut last_look = Duration::ZERO;
        let bound = self.settings.bound;
        let plan = bound.map_or_else(|| plan(self.settings.most_copies), bounded_plan);
        for (copies, effort) in plan {
            // Costly invariants are not worth while before faults are left out.
            let is_late = is_unasked && (effort != Effort::Look || copies > 4);
            if self.deadline.is_over() || is_late {
                break;
            }
            // More rounds take more time than the last ones.
            let is_look = effort == Effort::Look;
            if is_look && bound.is_none() && last_look * 10 > self.left() {
                continue;
            }
            // What no template decides is not decided with more rounds either: only looks are left. What
            // links say of lives is asked for where it is missing.
            if !is_look && (is_refused || effort == Effort::Linked(0..1) && !self.misses_lives()) {
                continue;
            }
            let start = Instant::now();
            self.tell_progress(copies, &effort);
            let links = self.settings.names_links() || matches!(effort, Effort::Linked(_));
            let build = BuildSettings { copies, check_lives: !self.is_lenient, links };
            let preparation = match effort {
                Effort::Look => preparations.unrolled(copies),
                Effort::Stages(_) | Effort::Linked(_) => preparations.closed(),
            };
            let preparation = match preparation {
                Ok(preparation) => preparation,
                Err(reason) => {
                    self.reasons = vec![reason];
                    continue;
                }
            };
            let formula = match effort {
                Effort::Look => preparation.formula_from_start(task, build),
                Effort::Linked(_) if !preparation.has_links() => continue,
                Effort::Stages(_) | Effort::Linked(_) => preparation.formula(task, build),
            };
            let mut question = Question::new(formula, &self.settings.solver);
            let is_lenient = self.is_lenient;
            let scale = Scale { calls: preparation.calls, copies, links, is_lenient };
            let outcome = self.try_copies(&mut question, effort, scale);
            self.settings.meter.add_all(question.solver.statistics());
            is_refused |= !is_look && !question.formula.unsupported.is_empty();
            match outcome {
                Some(Outcome::Unasked) => is_unasked = true,
                Some(outcome) => return outcome,
                None => {}
            }
            if is_look {
                last_look = start.elapsed();
            }
        }
        if let Some(bound) = bound {
            let text =
                format!("only executions of up to {bound} rounds of each loop were asked about");
            self.reasons.push(Reason::new(text));
        }
        if is_unasked { Outcome::Unasked } else { Outcome::Open }
    }

    /// One k; none if more may help.
    fn try_copies(
        &mut self,
        question: &mut Question,
        effort: Effort,
        scale: Scale,
    ) -> Option<Outcome> {
        // What a summarised function does is not in the formula.
        let has_executions = question.formula.functions.is_empty();
        let executions = match has_executions {
            true => self.refute(question),
            false => Executions::Unclear,
        };
        if let Executions::Failing(inputs) = executions {
            return Some(Outcome::Decided(Finding::Refuted(inputs)));
        }
        let unsupported = &question.formula.unsupported;
        if !unsupported.is_empty() {
            // Only failing executions can still be found.
            self.reasons.clone_from(unsupported);
            return question.formula.is_whole().then_some(Outcome::Open);
        }
        // What nobody asked about, or what is not modelled, may end executions before a violation.
        let is_asked = question.formula.obligations.iter().all(|it| it.part.is_some());
        if matches!(executions, Executions::AllGood) && is_asked && !self.is_lenient {
            self.run.publish(NAME, Fact::NoViolationWithin { rounds: scale.copies });
        }
        if has_executions && let Some(outcome) = self.complete(question, scale) {
            return Some(outcome);
        }
        match effort {
            Effort::Look => None,
            Effort::Stages(stages) => self.prove(question, (self.settings.stages(), stages), scale),
            Effort::Linked(stages) => {
                self.prove(question, (self.settings.linked_stages(), stages), scale)
            }
        }
    }

    /// Whether what failed last is about accesses and calls of `free`.
    fn misses_lives(&self) -> bool {
        let mut parts = self.reasons.iter().filter_map(|reason| reason.part);
        parts.next_back().is_some_and(|part| matches!(part, Part::ValidDeref | Part::ValidFree))
    }

    fn left(&self) -> Duration {
        self.deadline.remaining().unwrap_or(self.settings.time)
    }

    /// The solver's time for one question.
    fn share(&self) -> Deadline {
        self.deadline.at_most(self.left() / 6)
    }

    fn tell_progress(&self, copies: u32, effort: &Effort) {
        let phase = match effort {
            Effort::Look => Phase::Unrolling,
            Effort::Stages(_) | Effort::Linked(_) => Phase::FindingInvariants,
        };
        let progress = Progress { engine: NAME, phase, states: 0, depth: u64::from(copies) };
        self.run.observer.notice(&Event::Progress(progress));
    }

    /// Looks at the executions that the formula holds from the start on.
    fn refute(&mut self, question: &mut Question) -> Executions {
        match question.concrete_failure(&self.share()) {
            Failure::Impossible => Executions::AllGood,
            Failure::Possible { obligation, model } => {
                let inputs = question.inputs(&self.task.program, &model);
                if replay_violates(self.task, &inputs) {
                    return Executions::Failing(inputs);
                }
                let obligation = &question.formula.obligations[obligation];
                let text = format!("{}, but not on the inputs that were tried", obligation.text);
                self.reasons = vec![Reason::at(text, obligation.place).about(obligation.part)];
                self.run.obstacle(NAME, &self.reasons[0]);
                Executions::Unclear
            }
            Failure::Unknown(reason) => {
                self.reasons = vec![reason];
                Executions::Unclear
            }
        }
    }

    /// Whether all loops end within these rounds, and nothing fails in them.
    fn complete(&mut self, question: &mut Question, scale: Scale) -> Option<Outcome> {
        if !question.is_complete(&self.share()) {
            return None;
        }
        match question.any_concrete_failure(&self.share()) {
            Failure::Impossible => {
                Some(Outcome::Decided(Finding::Proved(Box::new(Bounded::new(scale)))))
            }
            // More rounds do not help.
            Failure::Possible { obligation, .. } => Some(self.not_shown(question, obligation)),
            Failure::Unknown(reason) => {
                self.reasons = vec![reason];
                None
            }
        }
    }

    fn prove(
        &mut self,
        question: &mut Question,
        (all, stages): (Vec<Vec<Selection>>, Range<usize>),
        scale: Scale,
    ) -> Option<Outcome> {
        let mut statistics = Statistics::default();
        let mut failing = match question.any_failure(&[], &self.share()) {
            Failure::Impossible => {
                let style = Style { guards: self.settings.guards, conditions: false };
                let template = Template::empty(&mut question.formula, style);
                return Some(proved(template, scale, statistics));
            }
            Failure::Possible { obligation, .. } => obligation,
            Failure::Unknown(reason) => {
                self.reasons = vec![reason];
                return None;
            }
        };
        if question.formula.is_whole() {
            return Some(self.not_shown(question, failing));
        }
        let (first, last) = (stages.start.min(all.len()), stages.end.min(all.len()));
        for stage in &all[first..last] {
            if self.deadline.is_over() {
                return None;
            }
            match self.try_stage(question, stage, &mut statistics) {
                Ok(Invariants::Sufficient(template)) => {
                    return Some(proved(template, scale, statistics));
                }
                Ok(Invariants::Insufficient { failing: obligation, unasked }) => {
                    failing = obligation;
                    if unasked && !self.is_lenient && self.may_be_lenient() {
                        self.not_shown(question, failing);
                        return Some(Outcome::Unasked);
                    }
                }
                Err(Stopped(reason)) => self.reasons = vec![reason],
            }
        }
        self.not_shown(question, failing);
        None
    }

    fn may_be_lenient(&self) -> bool {
        !self.task.specification.asks(Part::ValidDeref)
    }

    /// No invariant excludes that this obligation fails.
    fn not_shown(&mut self, question: &Question, obligation: usize) -> Outcome {
        let obligation = &question.formula.obligations[obligation];
        let text = format!("no invariant was found that excludes: {}", obligation.text);
        self.reasons = vec![Reason::at(text, obligation.place).about(obligation.part)];
        self.run.obstacle(NAME, &self.reasons[0]);
        if obligation.part.is_some() { Outcome::Open } else { Outcome::Unasked }
    }

    /// Finds invariants of one set of domains; gives them if they exclude all failures.
    fn try_stage(
        &mut self,
        question: &mut Question,
        stage: &[Selection],
        statistics: &mut Statistics,
    ) -> Result<Invariants, Stopped> {
        let limits = Limits::until(self.deadline.at_most(self.left() / 2));
        let style = stage.first().expect("a stage has domains").style();
        let mut all = Template::empty(&mut question.formula, style);
        for selection in stage {
            let Question { formula, solver } = &mut *question;
            let mut template = Template::new(formula, selection);
            let mut taken = Statistics::default();
            let result = synthesise(formula, solver, &mut template, &limits, &mut taken);
            statistics.add(&taken);
            result?;
            all.merge(template);
        }
        let invariants = all.assumptions(&mut question.formula.terms);
        match question.any_failure(&invariants, &limits.deadline) {
            Failure::Impossible => Ok(Invariants::Sufficient(all)),
            Failure::Possible { obligation, .. } => {
                let unasked = question.unasked_failure(&invariants, &limits.deadline);
                let unasked = matches!(unasked, Failure::Possible { .. });
                Ok(Invariants::Insufficient { failing: obligation, unasked })
            }
            Failure::Unknown(reason) => Err(Stopped(reason)),
        }
    }
}

fn proved(template: Template, scale: Scale, statistics: Statistics) -> Outcome {
    let proof = Inductive::new(template, scale, statistics);
    Outcome::Decided(Finding::Proved(Box::new(proof)))
}

/// What is known of the executions from the start with so many rounds.
enum Executions {
    /// None violates what was asked.
    AllGood,
    /// One does, on these inputs.
    Failing(Vec<DrawnInput>),
    Unclear,
}

enum Invariants {
    /// They exclude all failures.
    Sufficient(Template),
    /// This obligation may still fail; and whether one may that nobody asks about.
    Insufficient { failing: usize, unasked: bool },
}
