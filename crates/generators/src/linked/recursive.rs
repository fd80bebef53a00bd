//! Random programs whose lists are changed by recursive functions.
//!
//! A function has statements before its call of itself and behind it, on its own node, on what the
//! call gave back, on a global list and on a second list. Most are wrong in some way; `main` looks at
//! all that is left, in loops, where states meet.

use crate::random::Random;

const START: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; struct node *back; int value; };
static struct node *shared;
";

const SINGLY: &str = "
static struct node *build(int v) {
    if (!__VERIFIER_nondet_int()) return 0;
    struct node *c = malloc(sizeof *c); c->value = v; c->next = build(v); c->back = 0; return c;
}
";

const DOUBLY: &str = "
static struct node *build_behind(struct node *x, int v) {
    if (!__VERIFIER_nondet_int()) return 0;
    struct node *c = malloc(sizeof *c); c->value = v; c->back = x; c->next = build_behind(c, v);
    return c;
}
static struct node *build(int v) { return build_behind(0, v); }
";

/// Before the call: `x` is the own node.
const BEFORE: &[&str] = &[
    "x->value = v;",
    "x->value = x->value + 1;",
    "c = x->next; x->next = y; y = x; x = c; if (!x) return y;",
    "if (x->next) { d = x->next; x->next = d->next; free(d); }",
    "d = malloc(sizeof *d); d->next = x->next; d->value = v; x->next = d; x = d;",
    "d = malloc(sizeof *d); d->next = y; d->value = v; y = d;",
    "d = malloc(sizeof *d); d->next = shared; d->value = 5; shared = d;",
    "if (shared) { d = shared->next; free(shared); shared = d; }",
    "v = x->value;",
    "if (x->value == v) return x;",
    "d = x->next; free(x); x = d; if (!x) return y;",
];

const AFTER: &[&str] = &[
    "x->next = c;",
    "x->value = v;",
    "x->value = 9;",
    "free(x); x = c;",
    "d = malloc(sizeof *d); d->value = v; d->next = c; c = d;",
    "if (c && c != x->next) reach_error();",
    "if (c) c->value = 1;",
    "if (x->next) x->next->value = 2;",
    "d = x->next; if (d) { x->next = d->next; free(d); }",
    "if (shared) shared->value = 4;",
    "y = c;",
];

/// With links back, before the call or behind it.
const BACK: &[&str] = &[
    "if (x->next) x->next->back = x;",
    "if (x->next) x->next->back = 0;",
    "if (x->back) x->back->value = v;",
    "if (x->back && x->back->value == 1) reach_error();",
    "if (x->back && x->back->next != x) reach_error();",
    "if (x->back) { free(x->back); x->back = 0; }",
    "if (x->next) { d = x->next; x->next = d->next; if (d->next) d->next->back = x; free(d); }",
    "x->back = y;",
    "d = x->back; if (d) d->next = x->next;",
];

const ARGUMENTS: &[&str] = &[
    "x->next, y",
    "x->next, y",
    "x->next, 0",
    "x->next, x",
    "y, x->next",
    "x, y",
    "shared, y",
    "x->next, shared",
];

const BASES: &[&str] = &["return y;", "return 0;", "return x;", "return y;"];

const RESULTS: &[&str] = &["x", "x", "c", "y", "d"];

/// What `main` does with its lists.
const CALLS: &[&str] = &[
    "a = F(a, b, n); b = 0;",
    "a = F(a, 0, 3);",
    "c = F(a, b, 3);",
    "F(a, 0, n);",
    "b = F(a, 0, 7); a = 0;",
    "c = a; a = F(a, 0, 7); if (c) c->value = 8;",
    "if (a) { c = a->next; F(a, b, 7); if (c) c->value = 3; }",
    "for (c = a; c && c->next; c = c->next) ; F(a, 0, 7); if (c) c->value = 1;",
    "shared = b; b = F(a, shared, 7); a = 0;",
    "a = F(shared, a, 7); shared = 0;",
];

const END: &str = "
    for (c = a; c; c = c->next) n += c->value;
    while (a) { c = a->next; free(a); a = c; }
    while (b) { c = b->next; free(b); b = c; }
    while (shared) { c = shared->next; free(shared); shared = c; }
    return n;
}
";

/// The program of a seed.
pub fn recursive_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x5851_f42d).wrapping_add(91));
    let mut text = START.to_owned();
    let is_doubly = random.below(3) == 0;
    text.push_str(if is_doubly { DOUBLY } else { SINGLY });
    let is_mutual = random.below(4) == 0;
    if is_mutual {
        text.push_str("static struct node *g(struct node *x, struct node *y, int v);\n");
        function(&mut random, ("f", "g"), is_doubly, &mut text);
        function(&mut random, ("g", "f"), is_doubly, &mut text);
    } else {
        function(&mut random, ("f", "f"), is_doubly, &mut text);
    }
    text.push_str(
        "int main(void) {
    struct node *a = 0, *b = 0, *c = 0;
    int n = __VERIFIER_nondet_int();
    a = build(7);
",
    );
    if random.below(2) == 0 {
        text.push_str("    b = build(n);\n");
    }
    if random.below(4) == 0 {
        text.push_str("    shared = build(6);\n");
    }
    for _ in 0..random.between(1, 2) {
        let call = random.pick(CALLS).replace('F', "f");
        let line = match random.below(4) {
            0 => format!("    while (__VERIFIER_nondet_int()) {{ {call} }}\n"),
            _ => format!("    {call}\n"),
        };
        text.push_str(&line);
        text.push_str("    for (c = a; c; c = c->next) if (c->value == 40) reach_error();\n");
    }
    text + END
}

fn function(random: &mut Random, (name, callee): (&str, &str), is_doubly: bool, text: &mut String) {
    let patterns = |random: &mut Random, usual: &'static [&'static str]| {
        if is_doubly && random.below(2) == 0 { BACK } else { usual }
    };
    text.push_str(&format!(
        "static struct node *{name}(struct node *x, struct node *y, int v) {{
    struct node *c = 0, *d = 0;
    if (!x{}) {}\n",
        random.pick(&["", " || !__VERIFIER_nondet_int()", " || !x->next"]),
        random.pick(BASES)
    ));
    for _ in 0..random.below(3) {
        let before = patterns(random, BEFORE);
        statement(random, before, text);
    }
    let result = random.pick(&["c = ", "c = ", "x->next = ", "y = ", ""]);
    let value = random.pick(&["v", "v", "x->value", "v + 1"]);
    text.push_str(&format!("    {result}{callee}({}, {value});\n", random.pick(ARGUMENTS)));
    for _ in 0..random.below(3) {
        let after = patterns(random, AFTER);
        statement(random, after, text);
    }
    text.push_str(&format!("    return {};\n}}\n", random.pick(RESULTS)));
}

fn statement(random: &mut Random, patterns: &[&str], text: &mut String) {
    let line = random.pick(patterns);
    match random.below(4) {
        0 => text.push_str(&format!("    if (__VERIFIER_nondet_int()) {{ {line} }}\n")),
        _ => text.push_str(&format!("    {line}\n")),
    }
}
