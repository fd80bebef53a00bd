//! Two engines at a time: the answer is that of one after the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use heapwright_engine::{
    Deadline, Engine, Event, Fact, Finding, Observer, Proof, Reason, Run, Sharing, Task,
};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_oracle::Effort;
use heapwright_portfolio::{
    Answered, Cores, Decision, Extent, Forgetful, Portfolio, Shares, Unguarded,
};
use heapwright_program::DataModel;
use heapwright_property::Specification;

/// What would never end ends here, and the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

fn task(text: &str) -> Task {
    let source = Source::new("test.c", text.to_owned());
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
    Task::new(program, Specification::everyday(), false)
}

/// Something that one engine does so that another sees it.
#[derive(Clone, Debug, Default)]
struct Signal(Arc<AtomicBool>);

impl Signal {
    fn give(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_given(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits for it as long as somebody may be patient.
    fn await_within(&self, run: &Run<'_>) -> bool {
        let start = Instant::now();
        while !self.is_given() && !run.deadline.is_over() && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.is_given()
    }
}

type Play = dyn Fn(&Run<'_>) -> Finding + Send + Sync;

/// Does what a test says.
struct Actor {
    name: &'static str,
    play: Box<Play>,
}

impl Engine for Actor {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        "does what a test says"
    }

    fn run(&self, _: &Task, run: &Run<'_>) -> Finding {
        (self.play)(run)
    }
}

fn actor(
    name: &'static str,
    play: impl Fn(&Run<'_>) -> Finding + Send + Sync + 'static,
) -> Box<dyn Engine> {
    Box::new(Actor { name, play: Box::new(play) })
}

fn open() -> Finding {
    Finding::Open(vec![Reason::new("nothing to say")])
}

/// A proof that its check accepts.
#[derive(Debug)]
struct Claim;

impl Proof for Claim {
    fn check(&self, _: &Task, _: &Deadline) -> Result<(), Reason> {
        Ok(())
    }

    fn summary(&self) -> String {
        "claimed".to_owned()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}

#[derive(Debug, Default)]
struct Log(Mutex<Vec<String>>);

impl Observer for Log {
    fn notice(&self, event: &Event<'_>) {
        let line = match event {
            Event::TurnBegins { engine, .. } => format!("{engine} begins"),
            Event::TurnEnds { engine, .. } => format!("{engine} ends"),
            Event::Learnt { engine, fact } => format!("{engine}: {fact}"),
            Event::Obstacle { engine, reason } => format!("{engine}: {}", reason.text),
            Event::Settled { .. }
            | Event::Progress(_)
            | Event::Failed(_)
            | Event::Detail { .. } => {
                return;
            }
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

fn decide(
    task: &Task,
    engines: &[Box<dyn Engine>],
    cores: Cores,
    observer: &dyn Observer,
) -> Decision {
    let portfolio = Portfolio {
        engines,
        deadline: &Deadline::after(PATIENCE),
        safeguard: &Unguarded,
        observer,
        keeper: &Forgetful,
        effort: Effort::Fast,
        shares: Shares { first: PATIENCE, after_violation: PATIENCE },
        extent: Extent::WholeQuestion,
        sharing: Sharing::Shared,
        cores,
    };
    portfolio.decide(task)
}

fn prover(decision: &Decision) -> Option<&'static str> {
    decision.proofs.first().map(|proved| proved.engine)
}

const NOTHING: &str = "int main(void) { return 0; }";

#[test]
fn the_next_begins_before_its_turn_and_is_heard_after_it() {
    let (begun, task) = (Signal::default(), task(NOTHING));
    let (seen, given) = (begun.clone(), begun);
    let engines = [
        actor("first", |_| open()),
        actor("second", |_| open()),
        actor("third", move |run| if seen.await_within(run) { open() } else { panic!("alone") }),
        actor("fourth", move |_| {
            given.give();
            Finding::Proved(Box::new(Claim))
        }),
    ];
    let log = Log::default();
    let decision = decide(&task, &engines, Cores::Two, &log);
    assert_eq!(prover(&decision), Some("fourth"));
    let told = log.0.into_inner().expect("nobody panicked");
    let turns: Vec<&str> =
        told.iter().map(String::as_str).filter(|line| !line.contains(':')).collect();
    let wanted = ["first", "second", "third", "fourth"];
    let wanted: Vec<String> =
        wanted.iter().flat_map(|it| [format!("{it} begins"), format!("{it} ends")]).collect();
    assert_eq!(turns, wanted);
}

#[test]
fn who_is_first_in_line_answers_though_the_next_was_quicker() {
    let (done, task) = (Signal::default(), task(NOTHING));
    let (seen, given) = (done.clone(), done);
    let engines = [
        actor("first", |_| open()),
        actor("second", |_| open()),
        actor("third", move |run| match seen.await_within(run) {
            true => Finding::Proved(Box::new(Claim)),
            false => open(),
        }),
        actor("fourth", move |_| {
            given.give();
            Finding::Proved(Box::new(Claim))
        }),
    ];
    let decision = decide(&task, &engines, Cores::Two, &Log::default());
    assert_eq!(prover(&decision), Some("third"));
    assert_eq!(decision.proofs.len(), 1);
}

#[test]
fn nobody_waits_for_one_that_is_not_needed_any_more() {
    let (begun, ended) = (Signal::default(), Signal::default());
    let (seen, given, told) = (begun.clone(), begun, ended.clone());
    let task = task(NOTHING);
    let engines = [
        actor("first", |_| open()),
        actor("second", |_| open()),
        actor("third", move |run| match seen.await_within(run) {
            true => Finding::Proved(Box::new(Claim)),
            false => open(),
        }),
        actor("fourth", move |run| {
            given.give();
            while !run.deadline.is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
            told.give();
            open()
        }),
    ];
    let start = Instant::now();
    let decision = decide(&task, &engines, Cores::Two, &Log::default());
    assert_eq!(prover(&decision), Some("third"));
    assert!(ended.is_given() && start.elapsed() < PATIENCE);
}

/// What each of four engines says that it saw, and what it publishes for others.
fn witnesses() -> Vec<Box<dyn Engine>> {
    let witness = |name: &'static str| {
        actor(name, move |run| {
            let seen = run.facts().len();
            run.publish(name, Fact::RunsWithout { runs: name.len() as u64 });
            Finding::Open(vec![Reason::new(format!("saw {seen}"))])
        })
    };
    ["a", "bb", "ccc", "dddd", "eeeee"].map(witness).into()
}

#[test]
fn what_engines_see_of_each_other_does_not_depend_on_cores() {
    let task = task(NOTHING);
    let seen = |cores| {
        let decision = decide(&task, &witnesses(), cores, &Log::default());
        let reasons = decision.reasons.iter().map(|given| given.reason.text.clone());
        (reasons.collect::<Vec<String>>(), decision.facts)
    };
    let alone = seen(Cores::One);
    assert_eq!(alone.0, ["saw 0", "saw 1", "saw 1", "saw 2", "saw 3"]);
    assert_eq!(seen(Cores::Two), alone);
}

#[test]
fn a_question_that_is_given_up_ends_on_all_threads() {
    let task = task(NOTHING);
    let wait = |run: &Run<'_>| {
        while !run.deadline.is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        open()
    };
    let engines = [
        actor("first", |_| open()),
        actor("second", |_| open()),
        actor("third", wait),
        actor("fourth", wait),
    ];
    let deadline = Deadline::never();
    let portfolio = Portfolio {
        engines: &engines,
        deadline: &deadline,
        safeguard: &Unguarded,
        observer: &Log::default(),
        keeper: &Forgetful,
        effort: Effort::Fast,
        shares: Shares { first: Duration::from_secs(3600), after_violation: PATIENCE },
        extent: Extent::WholeQuestion,
        sharing: Sharing::Shared,
        cores: Cores::Two,
    };
    let decision = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            deadline.cancel();
        });
        portfolio.decide(&task)
    });
    assert!(decision.proofs.is_empty());
}

/// A list with back links whose nodes own a number each, and a twin that frees one of them twice.
fn owners(is_wrong: bool) -> String {
    let extra = if is_wrong { "if (value == 7) free(head->own);" } else { "" };
    format!(
        "extern void *malloc(__SIZE_TYPE__); extern void free(void *);
        extern int __VERIFIER_nondet_int(void);
        struct node {{ struct node *next, *back; int *own; }};
        int main(void) {{
            struct node *head = 0;
            while (__VERIFIER_nondet_int()) {{
                struct node *fresh = malloc(sizeof *fresh);
                fresh->next = head; fresh->back = 0; fresh->own = malloc(sizeof(int));
                *fresh->own = __VERIFIER_nondet_int();
                if (head) head->back = fresh;
                head = fresh;
            }}
            while (head) {{
                struct node *next = head->next;
                int value = *head->own;
                {extra}
                free(head->own); free(head); head = next;
            }}
            return 0;
        }}"
    )
}

#[test]
fn all_engines_say_the_same_on_one_core_and_on_two() {
    for is_wrong in [false, true] {
        let task = task(&owners(is_wrong));
        let answers = |cores| {
            let decision =
                decide(&task, &engines(&EngineOptions::default()), cores, &Log::default());
            let parts: Vec<_> = decision.parts.into_iter().collect();
            let by: Vec<&str> = decision.turns.iter().map(|turn| turn.engine).collect();
            (parts, by.join(" "))
        };
        let alone = answers(Cores::One);
        let is_answered = |answer: &Answered| !matches!(answer, Answered::Open { .. });
        assert!(alone.0.iter().any(|(_, answer)| is_answered(answer)), "{alone:?}");
        assert_eq!(answers(Cores::Two), alone);
    }
}
