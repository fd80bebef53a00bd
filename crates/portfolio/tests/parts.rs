//! The parts of a question have answers of their own.

use std::time::Duration;

use heapwright_engine::{
    Deadline, Engine, Event, Finding, Observer, Proof, Reason, Run, Sharing, Task,
};
use heapwright_engines::{EngineOptions, engines};
use heapwright_frontend::{Settings, Source, load};
use heapwright_oracle::Effort;
use heapwright_portfolio::{
    Answered, Cores, Decision, Extent, Forgetful, Portfolio, Shares, Unguarded,
};
use heapwright_program::DataModel;
use heapwright_property::{Part, Property, Specification};

const HEAD: &str = "
    extern void *malloc(__SIZE_TYPE__); extern void free(void *); extern void abort(void);
    extern void __assert_fail(const char *, const char *, unsigned, const char *);
    extern int __VERIFIER_nondet_int(void);
    struct node { struct node *next; int value; };
    static struct node *build(void) {
        struct node *head = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = head; fresh->value = __VERIFIER_nondet_int(); head = fresh;
        }
        return head;
    }
    static void drop(struct node *head) {
        while (head) { struct node *next = head->next; free(head); head = next; }
    }
";

fn task(main: &str, specification: Specification) -> Task {
    let source = Source::new("test.c", format!("{HEAD}{main}"));
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
    Task::new(program, specification, false)
}

#[derive(Debug, Default)]
struct Log(std::cell::RefCell<Vec<String>>);

impl Observer for Log {
    fn notice(&self, event: &Event<'_>) {
        match event {
            Event::TurnBegins { engine, parts } => {
                let names: Vec<&str> = parts.iter().map(|part| part.name()).collect();
                self.0.borrow_mut().push(format!("{engine} {}", names.join(" ")));
            }
            Event::Settled { engine, part, answer } => {
                self.0.borrow_mut().push(format!("{engine} {part} {answer:?}"));
            }
            Event::TurnEnds { .. }
            | Event::Progress(_)
            | Event::Obstacle { .. }
            | Event::Learnt { .. }
            | Event::Failed(_)
            | Event::Detail { .. } => {}
        }
    }
}

fn decide_observed(task: &Task, extent: Extent, observer: &dyn Observer) -> Decision {
    let engines = engines(&EngineOptions::default());
    let portfolio = Portfolio {
        engines: &engines,
        // Work counts here, not time; this ends what would never end.
        deadline: &Deadline::after(Duration::from_secs(120)),
        safeguard: &Unguarded,
        observer,
        keeper: &Forgetful,
        effort: Effort::Fast,
        shares: Shares { first: Duration::from_secs(5), after_violation: Duration::from_secs(60) },
        extent,
        sharing: Sharing::Shared,
        cores: Cores::One,
    };
    portfolio.decide(task)
}

fn decide(task: &Task, extent: Extent) -> Decision {
    decide_observed(task, extent, &heapwright_engine::Silent)
}

/// `h` holds, `v` violated, `?` open, in the order of the parts.
fn letters(decision: &Decision) -> String {
    let letter = |(_, answer): &(Part, Answered)| match answer {
        Answered::Holds { .. } => 'h',
        Answered::Violated { .. } => 'v',
        Answered::Open { .. } => '?',
    };
    decision.parts.iter().map(letter).collect()
}

const NULL_ONCE: &str = "int main(void) {
        struct node *list = build();
        if (__VERIFIER_nondet_int() == 5) { int *nothing = 0; *nothing = 1; }
        drop(list);
        return 0;
    }";

#[test]
fn after_a_violation_the_other_parts_are_answered() {
    let task = task(NULL_ONCE, Specification::everyday());
    let decision = decide(&task, Extent::EveryPart);
    // unreach-call, valid-deref, valid-free, valid-memtrack
    assert_eq!(letters(&decision), "hvhh", "{:?}", decision.reasons);
    assert!(decision.proofs.iter().all(|proved| proved.excused == [Part::ValidDeref]));
}

#[test]
fn the_whole_question_ends_with_the_first_violation() {
    let task = task(NULL_ONCE, Specification::everyday());
    let decision = decide(&task, Extent::WholeQuestion);
    assert_eq!(letters(&decision), "?v??");
    assert!(decision.proofs.is_empty());
}

#[test]
fn an_execution_that_was_excused_hides_nothing_that_comes_first() {
    // The block is freed twice before the access that ends every execution.
    let main = "int main(void) {
        int *one = malloc(4); int *nothing = 0;
        free(one);
        if (__VERIFIER_nondet_int()) free(one);
        return *nothing;
    }";
    let decision = decide(&task(main, Specification::everyday()), Extent::EveryPart);
    assert_eq!(letters(&decision)[1..3], *"vv", "{decision:?}");
}

#[test]
fn a_leak_where_the_program_aborts_is_seen_behind_an_assertion() {
    let leaks = |end: &str| {
        let main =
            format!("int main(void) {{ malloc(4); if (__VERIFIER_nondet_int()) {end} return 0; }}");
        let property = Specification::of_property(Property::ValidMemsafety);
        letters(&decide(&task(&main, property), Extent::WholeQuestion))
    };
    assert_eq!(leaks("abort();"), leaks("__assert_fail(\"x\", \"f\", 1, \"main\");"));
}

/// The sum of the values is anything, which no engine can tell from what it is.
fn hard(assertion: &str) -> String {
    format!(
        "int main(void) {{
            struct node *list = build(); unsigned sum = 7;
            for (struct node *at = list; at; at = at->next)
                sum = (sum * 31u) ^ ((unsigned) at->value * (unsigned) at->value);
            {assertion}
            drop(list);
            return 0;
        }}"
    )
}

#[test]
fn an_assertion_that_nobody_asks_about_is_an_abort() {
    let property = || Specification::of_property(Property::ValidMemsafety);
    let asserted = hard("if (sum == 2) __assert_fail(\"sum\", \"f\", 1, \"main\");");
    let aborted = hard("if (sum == 2) abort();");
    let asserted = letters(&decide(&task(&asserted, property()), Extent::EveryPart));
    let aborted = letters(&decide(&task(&aborted, property()), Extent::EveryPart));
    assert_eq!((asserted.as_str(), aborted.as_str()), ("hhh", "hhh"));
}

#[test]
fn turns_and_answers_are_told_as_they_come() {
    let log = Log::default();
    let task = task(NULL_ONCE, Specification::everyday());
    let _ = decide_observed(&task, Extent::EveryPart, &log);
    let told = log.0.into_inner();
    let whole = "unreach-call valid-deref valid-free valid-memtrack";
    assert_eq!(told[0], format!("concrete {whole}"), "{told:?}");
    let violated = told.iter().position(|line| line.ends_with("valid-deref Violated"));
    let rest =
        told.iter().position(|line| line.ends_with(" unreach-call valid-free valid-memtrack"));
    assert!(violated.is_some() && violated < rest, "{told:?}");
}

/// Says that everything holds, of a program of which that is true.
#[derive(Debug)]
struct Claim;

impl Proof for Claim {
    fn check(&self, _: &Task, _: &Deadline) -> Result<(), Reason> {
        Ok(())
    }

    fn summary(&self) -> String {
        "it is so".to_owned()
    }

    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Needs its whole share for a question with accesses in it, which stand in its way, and is not through with the others
/// as long as shares are short.
#[derive(Debug)]
struct Slow;

impl Engine for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn summary(&self) -> &'static str {
        "is not through in a short share"
    }

    fn run(&self, task: &Task, run: &Run<'_>) -> Finding {
        let is_long = run.deadline.remaining().is_some_and(|left| left > Duration::from_secs(60));
        if is_long && !task.specification.asks(Part::ValidDeref) {
            return Finding::Proved(Box::new(Claim));
        }
        while !run.deadline.is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Finding::Open(vec![Reason::new("an access").about(Some(Part::ValidDeref))])
    }
}

/// Knows about accesses alone.
#[derive(Debug)]
struct Accesses;

impl Engine for Accesses {
    fn name(&self) -> &'static str {
        "accesses"
    }

    fn summary(&self) -> &'static str {
        "shows that accesses are valid"
    }

    fn run(&self, task: &Task, _: &Run<'_>) -> Finding {
        match task.specification.parts.as_slice() {
            [Part::ValidDeref] => Finding::Proved(Box::new(Claim)),
            _ => Finding::Open(vec![Reason::new("other parts")]),
        }
    }
}

#[test]
fn what_was_shown_apart_is_not_asked_again() {
    let task = task("int main(void) { drop(build()); return 0; }", Specification::everyday());
    let log = Log::default();
    let engines: [Box<dyn Engine>; 2] = [Box::new(Slow), Box::new(Accesses)];
    let short = Duration::from_millis(50);
    let portfolio = Portfolio {
        engines: &engines,
        deadline: &Deadline::after(Duration::from_secs(600)),
        safeguard: &Unguarded,
        observer: &log,
        keeper: &Forgetful,
        effort: Effort::Fast,
        shares: Shares { first: short, after_violation: short },
        extent: Extent::EveryPart,
        sharing: Sharing::Shared,
        cores: Cores::One,
    };
    let decision = portfolio.decide(&task);
    assert_eq!(letters(&decision), "hhhh");
    let told = log.0.into_inner();
    let last = told.iter().rev().find(|line| line.starts_with("slow unreach-call v"));
    assert_eq!(last.unwrap(), "slow unreach-call valid-free valid-memtrack", "{told:?}");
}
