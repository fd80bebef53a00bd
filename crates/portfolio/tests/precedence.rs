//! Who is asked first, and who is not asked in the shortest turns.

use std::sync::Mutex;
use std::time::Duration;

use heapwright_engine::{
    Deadline, Engine, Event, Finding, Observer, Precedence, Reason, Run, Sharing, Task,
};
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
    precedence: Precedence,
    turns: Mutex<u32>,
}

impl Engine for Actor {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        "uses up its turns"
    }

    fn precedence(&self, _: &Task) -> Precedence {
        self.precedence
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
fn turns(actors: Vec<(&'static str, Precedence, u32)>) -> Vec<&'static str> {
    let engine = |(name, precedence, turns)| {
        let turns = Mutex::new(turns);
        Box::new(Actor { name, precedence, turns }) as Box<dyn Engine>
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
fn whom_the_program_suits_is_asked_behind_the_glance() {
    let actors = vec![
        ("glance", Precedence::InTurn, 0),
        ("usual", Precedence::InTurn, 0),
        ("made for it", Precedence::First, 0),
    ];
    assert_eq!(turns(actors), ["glance", "made for it", "usual"]);
}

#[test]
fn who_comes_later_has_no_turn_in_the_first_round() {
    let actors = vec![
        ("glance", Precedence::InTurn, 0),
        ("later", Precedence::Later, 0),
        ("usual", Precedence::InTurn, 1),
    ];
    assert_eq!(turns(actors), ["glance", "usual", "later", "usual"]);
}

#[test]
fn who_comes_later_is_asked_at_once_where_nobody_else_has_more_to_say() {
    let actors = vec![("glance", Precedence::InTurn, 0), ("later", Precedence::Later, 0)];
    assert_eq!(turns(actors), ["glance", "later"]);
}

#[test]
fn programs_without_a_heap_are_made_for_templates() {
    let without = task("int main(void) { int a = 1; while (a < 9) a++; return a; }");
    let with = task(
        "void *malloc(__SIZE_TYPE__); void free(void *);
        int main(void) { int *p = malloc(4); free(p); return 0; }",
    );
    let engines = engines(&EngineOptions::default());
    let precedence = |task: &Task| {
        let template = engines.iter().find(|engine| engine.name() == "template");
        template.expect("it is one of them").precedence(task)
    };
    assert_eq!([&without, &with].map(precedence), [Precedence::First, Precedence::Later]);
}
