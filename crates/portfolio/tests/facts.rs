//! What engines tell each other: who says so, who sees it, and that lies prove nothing.

use std::time::Duration;

use heapwright_engine::{
    Deadline, Engine, Fact, Finding, Link, LinkWay, Linked, Run, Sharing, Silent, Structure, Task,
};
use heapwright_engines::{EngineOptions, engines, engines_on_request};
use heapwright_frontend::{Settings, Source, load};
use heapwright_oracle::Effort;
use heapwright_portfolio::{Cores, Decision, Extent, Forgetful, Portfolio, Shares, Unguarded};
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};

const HEAD: &str = "
    extern void *malloc(__SIZE_TYPE__); extern void free(void *);
    extern int __VERIFIER_nondet_int(void);
    struct node { struct node *next; struct node *back; long value; };
";

/// A list with links back, built and given back.
const LIST: &str = "int main(void) {
        struct node *head = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = head; fresh->back = 0;
            if (head) head->back = fresh;
            head = fresh;
        }
        while (head) { struct node *next = head->next; free(head); head = next; }
        return 0;
    }";

/// Accesses of a ring, whose nodes are never given back.
const RING: &str = "int main(void) {
        struct node *head = malloc(sizeof *head);
        head->next = head; head->back = 0;
        while (__VERIFIER_nondet_int()) {
            struct node *fresh = malloc(sizeof *fresh);
            fresh->next = head->next; fresh->back = 0; head->next = fresh;
        }
        while (__VERIFIER_nondet_int()) head = head->next;
        return 0;
    }";

fn task(main: &str, property: Property) -> Task {
    let source = Source::new("test.c", format!("{HEAD}{main}"));
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
    Task::new(program, Specification::of_property(property), false)
}

fn decide(task: &Task, engines: &[Box<dyn Engine>], sharing: Sharing) -> Decision {
    let portfolio = Portfolio {
        engines,
        deadline: &Deadline::after(Duration::from_secs(60)),
        safeguard: &Unguarded,
        observer: &Silent,
        keeper: &Forgetful,
        effort: Effort::Fast,
        shares: Shares::default(),
        extent: Extent::EveryPart,
        sharing,
        cores: Cores::One,
    };
    portfolio.decide(task)
}

fn named(name: &str) -> Box<dyn Engine> {
    let options = EngineOptions::default();
    let all = engines(&options).into_iter().chain(engines_on_request(&options));
    all.filter(|engine| engine.name() == name).last().expect("an engine")
}

/// The look among others.
fn glance(name: &str) -> Box<dyn Engine> {
    let mut all = engines(&EngineOptions::default()).into_iter();
    all.find(|engine| engine.name() == name).expect("an engine")
}

fn facts(decision: &Decision) -> Vec<String> {
    decision.facts.iter().map(|it| format!("{}: {}", it.engine, it.fact)).collect()
}

/// Says what is not so, before others begin.
struct Liar;

impl Engine for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn summary(&self) -> &'static str {
        "says what is not so"
    }

    fn run(&self, _: &Task, run: &Run<'_>) -> Finding {
        let links = [0, 4, 8, 16, 17, 800].map(|offset| Link { offset, way: LinkWay::Onward });
        for size in [0, 8, 24, u64::MAX] {
            let links = links.to_vec();
            run.publish("liar", Fact::Linked(Linked { size, links, structure: Structure::Tree }));
            run.publish("liar", Fact::Acyclic { size, offset: 0 });
            run.publish("liar", Fact::Unshared { size, offset: 0 });
        }
        Finding::Open(Vec::new())
    }
}

#[test]
fn runs_show_which_links_lead_back() {
    let task = task(LIST, Property::ValidMemsafety);
    let decision = decide(&task, &[glance("concrete")], Sharing::Shared);
    let seen =
        "concrete: runs show blocks of 24 bytes that form a list, onward at 0, back from 0 at 8";
    assert!(facts(&decision).iter().any(|fact| fact == seen), "{:?}", facts(&decision));
}

#[test]
fn a_proof_by_storage_graphs_says_what_is_acyclic_and_unshared() {
    let deref = |main| task(main, Property::UnreachCall);
    let shown = |main| facts(&decide(&deref(main), &[named("k-limited")], Sharing::Shared));
    let (acyclic, unshared) = (
        "k-limited: no cycle of links at 0 of blocks of 24 bytes".to_owned(),
        "k-limited: no two links at 0 lead to one block of 24 bytes".to_owned(),
    );
    let list = shown(LIST);
    assert!(list.contains(&acyclic) && list.contains(&unshared), "{list:?}");
    let ring = shown(RING);
    assert!(ring.iter().any(|fact| fact.contains("holds")), "{ring:?}");
    assert!(!ring.contains(&acyclic), "{ring:?}");
}

#[test]
fn forests_look_only_where_links_were_seen_and_shared() {
    let task = task(LIST, Property::ValidMemsafety);
    let engines = [glance("concrete"), glance("forest-automata")];
    let prover =
        |sharing| decide(&task, &engines, sharing).proofs.first().map(|proved| proved.engine);
    assert_eq!(prover(Sharing::Shared), Some("forest-automata"));
    assert_eq!(prover(Sharing::Hidden), None);
}

#[test]
fn lies_prove_nothing() {
    let wrong = [
        LIST.replace("free(head); head = next;", "head = next;"),
        LIST.replace("head = next;", "head = next->next;"),
        LIST.replace("head->back = fresh;", "head->back = fresh, free(fresh->next);"),
    ];
    for engine in ["forest-automata", "three-valued", "symbolic-heap", "k-limited"] {
        for main in &wrong {
            let task = task(main, Property::ValidMemsafety);
            let engines: [Box<dyn Engine>; 2] = [Box::new(Liar), glance_or_whole(engine)];
            let decision = decide(&task, &engines, Sharing::Shared);
            assert!(!decision.open_parts().is_empty() || !decision.violations.is_empty(), "{main}");
        }
    }
}

fn glance_or_whole(name: &str) -> Box<dyn Engine> {
    if name == "k-limited" { named(name) } else { glance(name) }
}
