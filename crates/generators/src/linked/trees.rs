//! Random programs over trees: nodes with two or three links, with or without one to the parent,
//! with numbers, and nodes that own blocks, lists or rings.
//!
//! A program is a plan: a tree is built, worked on by walks down and up, and dropped. Some of what
//! walks do is faulty, now and then: inputs decide.

use crate::random::Random;

const START: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
#define INPUT __VERIFIER_nondet_int()
#define RARELY (__VERIFIER_nondet_int() > 9)
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
struct item { struct item *next; };
struct stack { struct stack *below; struct node *node; };
";

/// What nodes own: of the node `@`.
struct Payload {
    members: &'static str,
    make: &'static [&'static str],
    work: &'static [&'static str],
    release: &'static str,
}

const PAYLOADS: &[Payload] = &[
    Payload { members: "", make: &[""], work: &[";"], release: "" },
    Payload { members: "", make: &[""], work: &[";"], release: "" },
    Payload {
        members: "int key;",
        make: &["@->key = INPUT > 0 ? 1 : 2;", "@->key = 1;"],
        work: &["CHECK(at->key > 0);", "CHECK(at->key < 2);", "if (RARELY) at->key = 1;"],
        release: "CHECK(@->key <= 2);",
    },
    Payload {
        members: "int *data;",
        make: &[
            "@->data = malloc(4); *@->data = 3;",
            "@->data = 0; if (INPUT > 0) @->data = malloc(4);",
        ],
        work: &[
            "if (at->data) *at->data = 4;",
            "if (RARELY) { free(at->data); at->data = 0; }",
            "if (RARELY) free(at->data);",
        ],
        release: "free(@->data);",
    },
    Payload {
        members: "struct item *items;",
        make: &[
            "@->items = 0; while (RARELY) { i = malloc(sizeof *i); i->next = @->items; @->items = i; } i = 0;",
        ],
        work: &[
            "i = malloc(sizeof *i); i->next = at->items; at->items = i; i = 0;",
            "if (at->items && RARELY) at->items = at->items->next;",
        ],
        release: "while (@->items) { i = @->items->next; free(@->items); @->items = i; }",
    },
    // A ring.
    Payload {
        members: "struct item *items;",
        make: &[
            "@->items = malloc(sizeof *i); @->items->next = @->items; while (RARELY) { i = malloc(sizeof \
             *i); i->next = @->items->next; @->items->next = i; } i = 0;",
        ],
        work: &[
            "i = malloc(sizeof *i); i->next = at->items->next; at->items->next = i; i = 0;",
            "if (RARELY) at->items = at->items->next;",
            "if (RARELY) at->items->next = at->items;",
        ],
        release: "i = @->items->next; while (i != @->items) { @->items->next = i->next; free(i); i = \
                  @->items->next; } free(i); i = 0;",
    },
];

/// Ways to put the node `f` into the tree. `LINK(a, s, b)`: `b` comes below `a` on side `s`;
/// `UP(b, a)`: `a` is above `b`.
const INSERT: &[&str] = &[
    "if (!root) { TOP(f) } else { at = root; while (1) { if (INPUT > 0) { if (!at->left) { \
     LINK(at, left, f) break; } at = at->left; } else { if (!at->right) { LINK(at, right, f) break; } \
     at = at->right; } } at = 0; }",
    "if (!root) { TOP(f) } else { at = root; while (at->left && at->right) { if (INPUT > 0) at = \
     at->left; else at = at->right; } if (!at->left) { LINK(at, left, f) } else { LINK(at, right, f) } \
     at = 0; }",
    "if (root) { if (INPUT > 0) { LINK(f, left, root) } else { LINK(f, right, root) } } TOP(f)",
    "if (!root) { TOP(f) } else { at = root; while (INPUT > 0 && at->left) at = at->left; while \
     (INPUT > 0 && at->right) at = at->right; if (!at->left) { LINK(at, left, f) } else if \
     (!at->right) { LINK(at, right, f) } else { t = at->left; LINK(f, left, t) LINK(at, left, f) } \
     at = 0; t = 0; }",
    "link = &root; up = 0; while (*link) { up = *link; link = INPUT > 0 ? &up->left : &up->right; } \
     *link = f; UP(f, up) link = 0; up = 0;",
];

/// What is done to the node `at` on the way down, with `up` above it; a fault in some trees.
const WORK: &[&str] = &[
    "t = at->left; at->left = at->right; at->right = t; t = 0;",
    "if (RARELY) at->left = at->right;",
    "if (RARELY) at->right = root;",
    "if (RARELY) at->left = 0;",
    "if (at->left && RARELY) free(at->left);",
    "if (RARELY) cursor = at;",
    "if (at->left && !at->left->left && !at->left->right) { t = at->left; at->left = 0; RELEASE(t) \
     free(t); t = 0; }",
    "if (at->left && RARELY) { t = at->left; at->left = 0; free(t); t = 0; }",
    "if (at->left && at->left->right) { t = at->left->right; LINK(at->left, right, at->right) \
     LINK(at, right, t) t = 0; }",
    "if (up && RARELY) CHECK(up->left == at || up->right == at);",
    "if (!at->right) { f = malloc(sizeof *f); f->left = f->right = 0; MAKE(f) LINK(at, right, f) f = 0; }",
];

const WALKS: &[&str] = &[
    "at = root; up = 0; while (at) { WORK up = at; if (INPUT > 0) at = at->left; else at = at->right; }",
    "at = root; up = 0; while (at && (at->left || at->right)) { up = at; WORK if (at->left) at = \
     at->left; else at = at->right; }",
    "at = root; while (at && at->left) { at = at->left; WORK }",
];

/// Where nodes know their parents.
const CLIMBS: &[&str] = &[
    "at = root; while (at && (at->left || at->right)) { if (at->left) at = at->left; else at = \
     at->right; } while (at && at->parent) { WORK at = at->parent; } CHECK(at == root);",
    "at = root; while (at && at->left) at = at->left; while (at) { up = at->parent; if (!up) \
     CHECK(at == root); at = up; }",
    "at = root; while (at && at->right) { CHECK(at->right->parent == at); at = at->right; if (RARELY) \
     at->parent = 0; }",
];

/// What is done to the tree as a whole.
const WHOLE: &[&str] = &[
    "if (root && root->left) { t = root->left; LINK(root, left, t->right) LINK(t, right, root) TOP(t) t = 0; }",
    "if (root && root->left) { t = root->left; LINK(t, right, root) TOP(t) t = 0; }",
    "while (root && root->right && INPUT > 0) { t = root->right; LINK(root, right, t->left) \
     LINK(t, left, root) TOP(t) } t = 0;",
    "if (root && RARELY) { t = root->left; if (t) { TOP(t) } t = 0; }",
    "mirror(root);",
];

const DROPS: &[&str] = &[
    "if (root) { s = malloc(sizeof *s); s->below = 0; s->node = root; while (s) { at = s->node; q = \
     s->below; free(s); s = q; PUSH(left) PUSH(right) RELEASE(at) free(at); } root = 0; }",
    "while (root) { up = 0; at = root; while (at->left || at->right) { up = at; if (at->left) at = \
     at->left; else at = at->right; } if (up) { if (up->left == at) up->left = 0; else up->right = 0; \
     } else root = 0; RELEASE(at) free(at); } up = 0;",
    "while (root) { if (root->left) { t = root->left; root->left = t->right; t->right = root; root = \
     t; } else { t = root->right; RELEASE(root) free(root); root = t; } } t = 0;",
    "while (root) { at = root; while (at->left) at = at->left; if (at == root) { root = at->right; \
     RELEASE(at) free(at); } else { up = root; while (up->left != at) up = up->left; up->left = \
     at->right; RELEASE(at) free(at); } } up = 0;",
    "while (root) { t = root->left; RELEASE(root) free(root); root = t; }",
    "fell(root); root = 0;",
    "fell(root); root = 0;",
];

const CLIMBING_DROP: &str = "at = root; while (at) { if (at->left) at = at->left; else if (at->right) \
     at = at->right; else { up = at->parent; if (up) { if (up->left == at) up->left = 0; else \
     up->right = 0; } RELEASE(at) free(at); at = up; } } root = 0; up = 0;";

/// Functions that free a tree by recursion, and one that turns it round; some are faulty.
const FELLS: &[&str] = &[
    "fell(t->left); fell(t->right); RELEASE(t) free(t);",
    "fell(t->left); fell(t->right); RELEASE(t) free(t);",
    "fell(t->left); if (!RARELY) fell(t->right); RELEASE(t) free(t);",
    "fell(t->left); RELEASE(t) free(t); fell(t->right);",
];
const MIRROR: &str = "static void mirror(struct node *t) { struct node *u; if (!t) return; u = \
     t->left; t->left = t->right; t->right = u; mirror(t->left); mirror(t->right); }";

struct Plan<'r> {
    random: &'r mut Random,
    has_parents: bool,
    payload: &'static Payload,
}

/// The program of a seed.
pub fn tree_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(31));
    let has_parents = random.percent(40);
    let payload = &PAYLOADS[random.below(PAYLOADS.len())];
    Plan { random: &mut random, has_parents, payload }.program()
}

impl Plan<'_> {
    fn program(&mut self) -> String {
        let parent = if self.has_parents { "struct node *parent;" } else { "" };
        let mut members = ["struct node *left, *right;", parent, self.payload.members];
        if self.random.percent(40) {
            members.rotate_left(1);
        }
        let mut text = format!(
            "{START}struct node {{ {} }};\n{MIRROR}\n{}\nint main(void) {{\n    struct node *root = 0, *at = 0, *up \
             = 0, *f = 0, *t = 0, *cursor = 0;\n    struct stack *s = 0, *q = 0; struct item *i = 0; struct node **link = 0;\n",
            members.join(" "),
            self.fell()
        );
        self.build(&mut text);
        for _ in 0..self.random.below(3) {
            let (walks, whole) = (self.random.pick(WALKS), self.random.pick(WHOLE));
            let climb = self.random.pick(CLIMBS);
            match self.random.below(5) {
                0 => self.line(&mut text, whole),
                1 if self.has_parents => self.line(&mut text, climb),
                2 if self.random.percent(30) => self.build(&mut text),
                _ => self.line(&mut text, walks),
            }
            if self.random.percent(70) {
                text.push_str("    at = 0; up = 0; t = 0;\n");
            }
        }
        if self.random.percent(25) {
            text.push_str("    if (cursor) cursor->left = cursor->left;\n");
        }
        let drop = match self.has_parents && self.random.percent(40) {
            true => CLIMBING_DROP,
            false => self.random.pick(DROPS),
        };
        self.line(&mut text, drop);
        text + "    return 0;\n}\n"
    }

    /// The function that frees a tree.
    fn fell(&mut self) -> String {
        let body = self.random.pick(FELLS);
        let body = replaced(body, "RELEASE(", |of| self.payload.release.replace('@', of[0]));
        format!(
            "static void fell(struct node *t) {{ struct item *i = 0; if (!t) return; {body} i = 0; }}"
        )
    }

    fn build(&mut self, text: &mut String) {
        let make = match self.random.percent(20) {
            true => "f = calloc(1, sizeof *f);",
            false => "f = malloc(sizeof *f); f->left = f->right = 0;",
        };
        let insert = self.random.pick(INSERT);
        text.push_str("    while (INPUT > 0) {\n");
        self.line(text, &format!("{make} MAKE(f) {insert} f = 0;"));
        text.push_str("    }\n");
    }

    /// A line with the links and the payload of this program put in.
    fn line(&mut self, text: &mut String, line: &str) {
        let works = if self.random.percent(60) { WORK } else { self.payload.work };
        let work = if self.random.percent(35) { ";" } else { self.random.pick(works) };
        let line = line.replace("WORK", work);
        let make = self.random.pick(self.payload.make);
        // Now and then a parent is forgotten.
        let keeps_parents = self.has_parents && !self.random.percent(8);
        let (link, top) = match keeps_parents {
            true => ("A->S = B; if (A->S) A->S->parent = A;", "root = B; root->parent = 0;"),
            false => ("A->S = B;", "root = B;"),
        };
        let mut line = replaced(&line, "LINK(", |arguments| match arguments {
            [a, side, b] => link.replace('A', a).replace('S', side).replace('B', b),
            _ => panic!("LINK has three arguments"),
        });
        line = replaced(&line, "UP(", |arguments| match keeps_parents {
            true => format!("{}->parent = {};", arguments[0], arguments[1]),
            false => String::new(),
        });
        line = replaced(&line, "TOP(", |arguments| top.replace('B', arguments[0]));
        line = replaced(&line, "MAKE(", |arguments| make.replace('@', arguments[0]));
        line = replaced(&line, "RELEASE(", |of| self.payload.release.replace('@', of[0]));
        line = replaced(&line, "PUSH(", |side| {
            "if (at->S) { q = malloc(sizeof *q); q->below = s; q->node = at->S; s = q; } q = 0;"
                .replace('S', side[0])
        });
        text.push_str(&format!("    {line}\n"));
    }
}

/// A text in which calls of a macro are replaced.
fn replaced(text: &str, macro_name: &str, body: impl Fn(&[&str]) -> String) -> String {
    let mut text = text.to_owned();
    while let Some(start) = text.find(macro_name) {
        let inside = start + macro_name.len();
        let end = inside + text[inside..].find(')').expect("the end of a call");
        let arguments: Vec<&str> = text[inside..end].split(',').map(str::trim).collect();
        let new = body(&arguments);
        text.replace_range(start..=end, &new);
    }
    text
}
