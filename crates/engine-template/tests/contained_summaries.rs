//! Runs of the interpreter are contained in what summaries say: random programs whose functions call
//! themselves and each other, change what they get pointers to, and build and change lists, are run; in
//! the formula in which calls do what the found summaries say, the run's result must be possible.

use std::fmt::Write;
use std::time::Duration;

use heapwright_engine::{Task, run_settings};
use heapwright_engine_template::analysis::inlined::Calls;
use heapwright_engine_template::ssa::formula::{Formula, InputKind};
use heapwright_engine_template::ssa::{BuildSettings, Preparation};
use heapwright_engine_template::synthesis::{Limits, Selection, Statistics, Template, synthesise};
use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{
    DrawnInput, Environment, InputKind as DrawnKind, Outcome, SeededInputs, run,
};
use heapwright_logic::TermId;
use heapwright_program::DataModel;
use heapwright_property::{Property, Specification};
use heapwright_solver::{BackEnd, Deadline, SmtSolver, Solver};

const PRELUDE: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct node { struct node *next; int value; };
static int global, other;
";

/// Sets of domains that are tried on each program.
const DOMAINS: [&[&str]; 3] = [
    &["shape", "intervals", "equalities"],
    &["shape", "zones", "values", "sums"],
    &["shape", "intervals", "access-paths", "pairs"],
];

/// A small source of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn small(&mut self) -> i64 {
        self.below(9) as i64 - 3
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// Functions with holes: `N` is a number, `§` a statement, `E` an expression over `n` and `a`.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "count",
        "static int count(int n, int a) { § if (n <= 0) return E; int t = count(n - 1, a + N); \
         § return t + E; }",
    ),
    (
        "twice",
        "static int twice(int n, int a) { if (n <= 0) return a; int x = n, *p = &x; \
         int t = twice(n - 1, a); *p += N; § if (n == 3) t += twice(n - 2, N); return t + x; }",
    ),
    (
        "even",
        "static int odd(int n, int a); static int even(int n, int a) { § if (n <= 0) return N; \
         return odd(n - 1, a); } \
         static int odd(int n, int a) { if (n <= 0) return E; § return even(n - 1, a) - N; }",
    ),
    (
        "array",
        "static int array(int n, int a) { int t[2]; t[0] = a; t[1] = E; if (n > 0) { \
         t[1] += array(n - 1, t[0]); § } return t[0] + t[1]; }",
    ),
    (
        "turn",
        "static int turn(int n, int a) { int i, t = a; for (i = 0; i < n; i++) { t += N; § } \
         return t; }",
    ),
];

/// Functions over pointers and lists.
const CHANGERS: &[(&str, &str)] = &[
    ("set", "static void set(int *p, int n) { int a = *p; if (n > 2) *p = E; else *p += N; }"),
    (
        "deep",
        "static void deep(int *p, int n) { int a = *p; if (n <= 0) { *p = E; return; } \
         int x = *p + N; deep(n == 2 ? &x : p, n - 1); § *p += x; }",
    ),
];

const LISTS: &[(&str, &str)] = &[
    (
        "build",
        "static struct node *build(int n) { int a = n; if (n <= 0) return 0; \
         struct node *x = malloc(sizeof *x); x->value = E; x->next = build(n - 1); \
         if (x->next) x->next->value += N; return x; }",
    ),
    (
        "push",
        "static struct node *push(struct node *l, int n) { int a = n; \
         struct node *x = malloc(sizeof *x); x->next = l; x->value = E; § \
         if (n > 1) return push(x, n - 2); return x; }",
    ),
    (
        "change",
        "static struct node *change(struct node *l, int n) { int a = n; if (!l) return l; \
         l->value += E; change(l->next, n); § return n == 1 ? l->next : l; }",
    ),
    (
        "walk",
        "static struct node *walk(struct node *l, int n) { int a = n; struct node *p; \
         for (p = l; p; p = p->next) { p->value += N; global += p->value; } § return l; }",
    ),
];

const STATEMENTS: &[&str] = &[
    "global += N;",
    "global = a;",
    "if (global > N) other = n;",
    "other -= N;",
    "if (a > N) global = other;",
    ";",
];

const EXPRESSIONS: &[&str] =
    &["a", "n", "a + n", "a - N", "n * 2", "N", "global + a", "other - n", "(a > N ? n : N)"];

/// Fills the holes of a text.
fn fill(text: &str, random: &mut Random) -> String {
    let mut result = String::new();
    for symbol in text.chars() {
        match symbol {
            '§' => {
                let statement = random.pick(STATEMENTS);
                result.push_str(&fill(statement, random));
            }
            'E' => {
                let expression = random.pick(EXPRESSIONS);
                result.push_str(&fill(expression, random));
            }
            'N' => write!(result, "({})", random.small()).expect("a string"),
            other => result.push(other),
        }
    }
    result
}

/// A program whose `main` has no loop, and draws its inputs first.
fn program(random: &mut Random) -> String {
    let mut text = String::new();
    for (_, function) in FUNCTIONS.iter().chain(CHANGERS).chain(LISTS) {
        text.push_str(&fill(function, random));
        text.push('\n');
    }
    text.push_str(
        "int main(void) { int n = __VERIFIER_nondet_uint() % 5, a = __VERIFIER_nondet_uint() % 7; \
         int x = a, y = n, status = 0; struct node *l = 0, *m = 0;\n",
    );
    for _ in 0..2 + random.below(4) {
        let number = fill(random.pick(&["n", "a", "N", "n + 1"]), random);
        let line = match random.below(8) {
            0..=2 => {
                let (name, _) = FUNCTIONS[random.below(FUNCTIONS.len() as u64) as usize];
                let target = random.pick(&["x", "y", "status"]);
                format!("{target} = {name}({number}, x);")
            }
            3 | 4 => {
                let (name, _) = CHANGERS[random.below(CHANGERS.len() as u64) as usize];
                let target = random.pick(&["&x", "&y", "&global", "l ? &l->value : &y"]);
                format!("{name}({target}, {number});")
            }
            5 => format!("l = build({number});"),
            _ => {
                let (name, _) = LISTS[1 + random.below(LISTS.len() as u64 - 1) as usize];
                let target = random.pick(&["l", "m"]);
                format!("{target} = {name}(l, {number});")
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
    let parts =
        ["x", "y", "global", "other", "(l ? l->value : 1)", "(m && m->next ? m->next->value : 2)"];
    let (first, second) = (random.pick(&parts), random.pick(&parts));
    let _ = write!(text, "status = ({first} + 3 * {second} + status) & 127; return status; }}");
    text
}

fn task(body: &str) -> Task {
    let source = Source::new("test.c", format!("{PRELUDE}{body}"));
    let program =
        load(&[source], &Settings::new(DataModel::Lp64)).expect("the program is correct").program;
    let specification = Specification::of_property(Property::UnreachCall);
    Task { program, specification, malloc_may_fail: false }
}

/// What is known of a program: its formula and what all summaries say.
struct Known {
    formula: Formula,
    solver: Solver,
    claims: Vec<TermId>,
}

/// Finds summaries; none if that takes too long.
fn summaries(task: &Task, calls: Calls, domains: &[&str]) -> Option<Known> {
    let preparation = Preparation::of(task, calls).expect("the program can be prepared");
    let mut formula = preparation.formula(task, BuildSettings::default());
    assert!(formula.unsupported.is_empty(), "{:?}", formula.unsupported);
    let mut solver = BackEnd::Embedded.solver();
    for &constraint in &formula.constraints {
        solver.assert(&formula.terms, constraint);
    }
    let selection = Selection {
        domains: domains.iter().map(|&name| name.to_owned()).collect(),
        guards: true,
        paths: true,
        conditions: false,
    };
    let mut template = Template::new(&mut formula, &selection);
    let limits = Limits::until(Deadline::after(Duration::from_secs(10)));
    let mut statistics = Statistics::default();
    synthesise(&mut formula, &mut solver, &mut template, &limits, &mut statistics).ok()?;
    let claims = template.assumptions(&mut formula.terms);
    Some(Known { formula, solver, claims })
}

impl Known {
    /// Whether a run with these inputs may end with this status.
    fn allows(&mut self, drawn: &[DrawnInput], status: i32) -> bool {
        let formula = &mut self.formula;
        let drawn = drawn.iter().filter(|it| matches!(it.kind, DrawnKind::Nondeterministic(_)));
        let is_number = |kind: &InputKind| matches!(kind, InputKind::Nondeterministic(_));
        let inputs: Vec<TermId> = formula
            .inputs
            .iter()
            .filter(|input| is_number(&input.kind) && input.guard == TermId::TRUE)
            .map(|input| input.value)
            .collect();
        let mut question = self.claims.clone();
        for (value, input) in inputs.into_iter().zip(drawn) {
            let width = formula.terms.width(value);
            let bits = formula.terms.bit_vector(input.bits, width);
            question.push(formula.terms.equal(value, bits));
        }
        let versions = formula.versions.iter().rev();
        let last = versions.into_iter().find(|version| version.name.starts_with("status#"));
        let last = last.expect("the status is assigned").clone();
        let width = formula.terms.width(last.term);
        let expected = formula.terms.bit_vector(status as u32 as u128, width);
        question.extend([last.guard, formula.terms.equal(last.term, expected)]);
        self.solver.check(&formula.terms, &question, &Deadline::never()).is_sat()
    }
}

/// Some runs of a program, with their inputs and how they end.
fn runs(task: &Task) -> Vec<(Vec<DrawnInput>, i32)> {
    let mut settings = run_settings(task);
    settings.record_inputs = true;
    let mut runs = Vec::new();
    for seed in 0..10 {
        let report = run(&task.program, &settings, Environment::silent(SeededInputs::new(seed)));
        let Outcome::Exited(status) = report.outcome else { panic!("{:?}", report.outcome) };
        runs.push((report.inputs_drawn, status));
    }
    runs
}

/// Checks programs of random seeds; gives how many were compared.
fn contained(seeds: std::ops::Range<u64>) -> usize {
    let mut compared = 0;
    for seed in seeds {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed * 0x1234_5677 + 1));
        let body = program(&mut random);
        let task = task(&body);
        let runs = runs(&task);
        let domains = DOMAINS[random.below(DOMAINS.len() as u64) as usize];
        for calls in [Calls::Summarised, Calls::RecursionSummarised] {
            let Some(mut known) = summaries(&task, calls, domains) else { continue };
            for (inputs, status) in &runs {
                assert!(
                    known.allows(inputs, *status),
                    "seed {seed}, {calls:?}, {domains:?}: {status} is not possible in\n{body}"
                );
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn runs_of_random_programs_with_calls() {
    let is_long = std::env::var_os("HEAPWRIGHT_LONG_TESTS").is_some();
    let seeds = if is_long { 0..400 } else { 0..12 };
    let compared = contained(seeds);
    println!("{compared} runs were compared");
    assert!(compared >= 60, "only {compared} comparisons");
}
