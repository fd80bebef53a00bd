//! Random programs over lists with marks in some order: built in turn, in blocks or at random, then
//! walked, changed, filtered and dropped, with claims about the order of marks.
//!
//! Most claims are wrong for most lists, and that is welcome: the interpreter knows which runs fail.

use crate::random::Random;

const START: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
#define INPUT __VERIFIER_nondet_int()
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct node { int mark; struct node *next; struct node *previous; };
static struct node *head, *last;
";

/// How nodes come in at the two ends: singly linked, doubly linked, and in a ring without a head.
const LINKINGS: &[&str] = &[
    "static void front(int mark) {
    struct node *f = malloc(sizeof *f); f->mark = mark; f->previous = 0; f->next = head;
    if (!head) last = f;
    head = f;
}
static void back(int mark) {
    struct node *f = malloc(sizeof *f); f->mark = mark; f->previous = 0; f->next = 0;
    if (last) last->next = f; else head = f;
    last = f;
}",
    "static void front(int mark) {
    struct node *f = malloc(sizeof *f); f->mark = mark; f->previous = 0; f->next = head;
    if (head) head->previous = f; else last = f;
    head = f;
}
static void back(int mark) {
    struct node *f = malloc(sizeof *f); f->mark = mark; f->next = 0; f->previous = last;
    if (last) last->next = f; else head = f;
    last = f;
}",
];

/// What is built; `PUSH` is one of the two ends.
const BUILDS: &[&str] = &[
    "flag = 1; while (INPUT) { if (flag) { PUSH(1); flag = 0; } else { PUSH(2); flag = 1; } }",
    "while (INPUT) { PUSH(1); PUSH(2); }",
    "while (INPUT) { PUSH(1); PUSH(2); PUSH(0); }",
    "while (INPUT) PUSH(1); while (INPUT) PUSH(2);",
    "while (INPUT) { if (last && last->mark == 0) back(1); else back(INPUT > 0); }",
    "while (INPUT) { if (INPUT > 0) { PUSH(2); PUSH(1); } else PUSH(1); }",
    "while (INPUT) PUSH(INPUT > 0 ? 1 : 2);",
    "while (INPUT) PUSH(INPUT);",
    "while (INPUT) { PUSH(number); number = number == 1 ? 2 : 1; }",
    "PUSH(1); while (INPUT) PUSH(head->mark == 1 ? 2 : 1);",
];

/// What may come behind it.
const ENDS: &[&str] = &["", "", "back(3);", "if (last && last->mark == 0) back(1);", "front(3);"];

/// What is asked of each node, or done to it.
const WORK: &[&str] = &[
    "if (at->next) CHECK(at->mark != at->next->mark);",
    "if (at->next) CHECK(at->mark <= at->next->mark);",
    "if (at->next && at->next->mark != 3) CHECK(at->mark + at->next->mark == 3);",
    "if (at->mark == 1) CHECK(at->next && at->next->mark == 2);",
    "if (at->mark == 2) CHECK(!at->next || at->next->mark != 2);",
    "if (at->mark == 0) { at = at->next; CHECK(at && at->mark == 1); }",
    "CHECK(at->mark != 3 || !at->next);",
    "CHECK(at->mark == (flag ? 1 : 2)); flag = !flag;",
    "if (at->mark == 2) flag = 0; else CHECK(flag);",
    "if (at->mark == 2) at->mark = 3;",
    "if (flag) { at->mark = 2; flag = 0; } else { at->mark = 1; flag = 1; }",
    "if (at->mark < 0) at->mark = 0;",
    "CHECK(at->mark >= 0);",
    "if (INPUT > 5) at->mark = 1;",
];

/// What is done to a singly linked list as a whole.
const WHOLE: &[&str] = &[
    "{ struct node **p = &head; while (*p) { if ((*p)->mark == 2) { at = *p; *p = at->next; free(at); }
       else p = &(*p)->next; } }",
    "{ struct node **p = &head; while (*p) { if ((*p)->mark < 1) { at = *p; *p = at->next; free(at); }
       else p = &(*p)->next; } }",
    "{ struct node *r = 0; while (head) { at = head->next; head->next = r; r = head; head = at; } head = r; }",
    "{ struct node *r = 0; while (head && head->mark == 1) { at = head->next; head->next = r; r = head;
       head = at; }
       while (r) { at = r->next; CHECK(r->mark == 1); free(r); r = at; } }",
    "{ struct node *r = 0; flag = 1; while (head) { at = head; head = head->next;
       if (flag) { at->next = r; r = at; flag = 0; } else { CHECK(at->mark == 2); free(at); flag = 1; } }
       head = r; }",
    "for (at = head; at; at = at->next) if (at->mark == 1 && INPUT > 0) {
       struct node *f = malloc(sizeof *f); f->mark = 2; f->previous = 0; f->next = at->next; at->next = f; }",
];

/// The program of a seed.
pub fn marked_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(41));
    let is_double = random.percent(50);
    let linking = LINKINGS[usize::from(is_double)];
    let mut text = format!(
        "{START}{linking}\nint main(void) {{\n    struct node *at;\n    int flag = 1, number = 1;\n"
    );
    let push = if random.percent(50) { "front" } else { "back" };
    let build = random.pick(BUILDS).replace("PUSH", push);
    text.push_str(&format!("    {build}\n    {}\n", random.pick(ENDS)));
    if !is_double {
        text.push_str("    last = 0;\n");
    }
    for _ in 0..random.between(1, 3) {
        if !is_double && random.percent(30) {
            text.push_str(&format!("    {}\n", random.pick(WHOLE)));
            continue;
        }
        let walk = match is_double && random.percent(40) {
            true => "for (at = last; at; at = at->previous)",
            false => "for (at = head; at; at = at->next)",
        };
        let work = random.pick(WORK);
        text.push_str(&format!("    flag = 1; {walk} {{ {work} if (!at) break; }}\n"));
    }
    text + "    while (head) { at = head->next; free(head); head = at; }\n    return 0;\n}\n"
}
