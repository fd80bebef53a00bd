//! Who is not asked in short turns.

use std::sync::Mutex;
use std::time::Duration;

use heapwright_engine::{Deadline, Engine, Event, Finding, Observer, Reason, Run, Sharing, Task};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_oracle::Effort;
use heapwright_portfolio::{Cores, Extent, Forgetful, Portfolio, Shares, Unguarded};
use heapwright_program::DataModel;
use heapwright_property::Specification;

fn task(text: &str) -> Task {
    let source = Source::new("test.c", text.to_owned());
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
    Task::new(program, Specification::everyday(), false)
}

/// Lacks time as often as it is said to, then gives up.
struct Actor {
    name: &'static str,
    is_slow: bool,
    turns: Mutex<u32>,
}

impl Engine for Actor {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        "uses up its turns"
    }

    fn is_slow_at(&self, _: &Task) -> bool {
        self.is_slow
    }

    fn run(&self, _: &Task, run: &Run<'_>) -> Finding {
        let mut turns = self.turns.lock().expect("nobody panics here");
        if *turns > 0 {
            *turns -= 1;
            while !run.deadline.is_over() {
                std::hint::spin_loop();
            }
        }
        Finding::Open(vec![Reason::new("nothing to say")])
    }
}

#[derive(Debug, Default)]
struct Log(Mutex<Vec<&'static str>>);

impl Observer for Log {
    fn notice(&self, event: &Event<'_>) {
        if let Event::TurnBegins { engine, .. } = event {
            self.0.lock().expect("nobody panics here").push(engine);
        }
    }
}

/// Who had a turn, in their order.
fn turns(actors: Vec<(&'static str, bool, u32)>) -> Vec<&'static str> {
    let engine = |(name, is_slow, turns)| {
        let turns = Mutex::new(turns);
        Box::new(Actor { name, is_slow, turns }) as Box<dyn Engine>
    };
    let engines: Vec<Box<dyn Engine>> = actors.into_iter().map(engine).collect();
    let log = Log::default();
    let portfolio = Portfolio {
        engines: &engines,
        deadline: &Deadline::never(),
        safeguard: &Unguarded,
        observer: &log,
        keeper: &Forgetful,
        effort: Effort::Fast,
        shares: Shares { first: Duration::from_millis(64), after_violation: Duration::ZERO },
        extent: Extent::WholeQuestion,
        sharing: Sharing::Shared,
        cores: Cores::One,
    };
    let decision = portfolio.decide(&task("int main(void) { return 0; }"));
    assert!(decision.proofs.is_empty(), "nobody says that they found a proof");
    log.0.into_inner().expect("nobody panicked")
}

#[test]
fn who_is_slow_has_no_short_turns() {
    let actors = vec![("glance", false, 0), ("slow", true, 0), ("usual", false, 3)];
    assert_eq!(turns(actors), ["glance", "usual", "usual", "usual", "slow", "usual"]);
}

#[test]
fn who_is_slow_is_asked_at_once_where_nobody_else_has_more_to_say() {
    let actors = vec![("glance", false, 0), ("slow", true, 0)];
    assert_eq!(turns(actors), ["glance", "slow"]);
}

#[test]
fn templates_are_slow_at_programs_with_a_heap() {
    let without = task("int main(void) { int a = 1; while (a < 9) a++; return a; }");
    let with = task(
        "void *malloc(__SIZE_TYPE__); void free(void *);
        int main(void) { int *p = malloc(4); free(p); return 0; }",
    );
    let engines = engines(&EngineOptions::default());
    let template = engines.iter().find(|engine| engine.name() == "template");
    let template = template.expect("it is one of them");
    assert_eq!([&without, &with].map(|task| template.is_slow_at(task)), [false, true]);
}
