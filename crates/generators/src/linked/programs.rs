//! Random programs that build, change and free lists of lengths that inputs decide.

use crate::random::Random;

const START: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
struct pair { struct pair *next; struct pair *previous; int value; };
static struct node *shared;
int main(void) {
    struct node *a = 0, *b = 0, *c = 0, *d = 0;
    struct pair *p = 0, *q = 0, *end = 0;
    int i = 0, n = __VERIFIER_nondet_int();
";

const END: &str = "
    while (a) { c = a->next; free(a); a = c; }
    while (b) { c = b->next; free(b); b = c; }
    while (shared) { c = shared->next; free(shared); shared = c; }
    while (p) { q = p->next; free(p); p = q; }
    return i;
}
";

/// What is done to singly linked lists; `X` and `Y` are lists, `V` is a value.
const SINGLY: &[&str] = &[
    "c = malloc(sizeof *c); c->next = X; c->value = V; X = c;",
    "c = calloc(1, sizeof *c); c->next = X; X = c;",
    "if (X) { c = X->next; free(X); X = c; }",
    "for (c = X; c; c = c->next) c->value = V;",
    "for (c = X; c; c = c->next) i += c->value & 1;",
    "c = malloc(sizeof *c); c->next = 0; c->value = V; \
     if (!X) X = c; else { for (d = X; d->next; d = d->next) ; d->next = c; }",
    "d = 0; while (X) { c = X->next; X->next = d; d = X; X = c; } X = d; d = 0;",
    "if (X && X->next) { c = X->next; X->next = c->next; free(c); }",
    "if (X) { c = malloc(sizeof *c); c->value = V; c->next = X->next; X->next = c; }",
    "if (X) { c = X; X = X->next; c->next = Y; Y = c; }",
    "c = X; X = Y; Y = c;",
    "for (c = X; c && c->value != V; c = c->next) ; if (c) c->value = i;",
    "if (X) { for (c = X; c->next; c = c->next) ; c->next = Y; Y = 0; }",
];

/// What is done to the doubly linked list from `p` to `end`.
const DOUBLY: &[&str] = &[
    "q = malloc(sizeof *q); q->previous = 0; q->value = V; q->next = p; \
     if (p) p->previous = q; else end = q; p = q;",
    "q = malloc(sizeof *q); q->next = 0; q->value = V; q->previous = end; \
     if (end) end->next = q; else p = q; end = q;",
    "if (p) { q = p->next; free(p); p = q; if (p) p->previous = 0; else end = 0; }",
    "if (end) { q = end->previous; free(end); end = q; if (end) end->next = 0; else p = 0; }",
    "for (q = p; q; q = q->next) q->value = V;",
    "for (q = end; q; q = q->previous) i ^= q->value;",
    "q = p; if (q && q->next) { q = q->next; q->previous->next = q->next; \
     if (q->next) q->next->previous = q->previous; else end = q->previous; free(q); }",
];

const NUMBERS: &[&str] = &["i++;", "i = V;", "if (n > 3) i = n;", "n = INPUT;"];

const VALUES: &[&str] = &["7", "0", "i", "n", "INPUT", "(n & 3)"];

/// The program of a seed.
pub fn list_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
    // One kind of list in most programs: with more, few of them have invariants.
    let kinds: &[&[&str]] = match random.below(4) {
        0 => &[SINGLY, DOUBLY, NUMBERS],
        1 => &[DOUBLY, DOUBLY, NUMBERS],
        _ => &[SINGLY, SINGLY, SINGLY, NUMBERS],
    };
    let lists: &[&str] = match random.below(3) {
        0 => &["a", "b", "shared"],
        1 => &["a", "b"],
        _ => &["a"],
    };
    let mut text = START.to_owned();
    for _ in 0..random.between(1, 3) {
        statement(&mut random, kinds, lists, 0, &mut text);
    }
    text + END
}

fn statement(
    random: &mut Random,
    kinds: &[&[&str]],
    lists: &[&str],
    depth: usize,
    text: &mut String,
) {
    let indent = "    ".repeat(depth + 1);
    match random.below(10) {
        0..=3 if depth < 2 => {
            text.push_str(&format!("{indent}while (__VERIFIER_nondet_int()) {{\n"));
            for _ in 0..random.between(1, 2) {
                statement(random, kinds, lists, depth + 1, text);
            }
            text.push_str(&format!("{indent}}}\n"));
        }
        4 if depth < 2 => {
            text.push_str(&format!("{indent}if (__VERIFIER_nondet_int() > 0) {{\n"));
            statement(random, kinds, lists, depth + 1, text);
            text.push_str(&format!("{indent}}}\n"));
        }
        _ => {
            let kind = random.pick(kinds);
            let pattern = random.pick(kind);
            let (x, y) = (random.pick(lists), random.pick(lists));
            let line = pattern
                .replace('X', x)
                .replace('Y', y)
                .replace('V', random.pick(VALUES))
                .replace("INPUT", "__VERIFIER_nondet_int()");
            text.push_str(&format!("{indent}{line}\n"));
        }
    }
}
