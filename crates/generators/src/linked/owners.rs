//! Random programs over lists whose nodes come in kinds: nodes that own blocks and lists, share
//! them, have different sizes, carry numbers, and are linked singly, doubly, in a ring or in the middle of the node.
//!
//! A program is a plan, not a soup: one way of linking, one payload, one number; then a list is
//! built, worked on by walks, and dropped. Some of what walks do is faulty, now and then: inputs
//! decide. What is right for one payload is a fault for another, and that is welcome: the
//! interpreter knows which runs are faulty.

use crate::random::Random;

use crate::linked::linkings::{
    AHEAD, COLOURED, DOUBLY, EITHER, KERNEL, Linking, RING, SINGLY, SKIPPING, SORTED, WITH_LOOP,
};
use crate::linked::payloads::{
    BLOCK, CHILD, DANGLING, INNER, INNER_DOUBLY, INNER_OWNERS, NEIGHBOURS, NONE, Payload, SHARED,
    SIZED, SIZED_OWNERS, SOMETIMES, TWO_BLOCKS,
};

const START: &str = "
typedef __SIZE_TYPE__ size_t;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
#define INPUT __VERIFIER_nondet_int()
#define RARELY (__VERIFIER_nondet_int() > 9)
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
";

/// Numbers that nodes carry: of the node `@`, and what a walk says of them.
struct Number {
    start: &'static str,
    make: &'static [&'static str],
    work: &'static [&'static str],
}

const NUMBERS: &[Number] = &[
    Number { start: "", make: &[""], work: &["NOTHING"] },
    Number {
        start: "",
        make: &["@->key = INPUT > 0 ? 1 : 2;", "@->key = 0; if (INPUT > 0) @->key = 2;"],
        work: &[
            "CHECK(at->key != 3);",
            "CHECK(at->key <= 1);",
            "if (RARELY) at->key = 1;",
            "if (at->key == 2) at->key = 1;",
            "if (at->key == 1 && RARELY) at->key = 3;",
        ],
    },
    Number {
        start: "",
        make: &["@->key = number;", "@->key = number; number = @->key;"],
        work: &[
            "CHECK(at->key == number);",
            "if (RARELY) number = at->key;",
            "if (RARELY) at->key = number;",
            "if (RARELY) number = INPUT;",
            "if (cursor) CHECK(at->key == cursor->key);",
        ],
    },
    // One number for all nodes, or one for each.
    Number {
        start: "int is_first = 1; if (number < 0 || number > 9) number = 4;",
        make: &["@->key = number;", "@->key = INPUT; if (@->key < 0 || @->key > 9) @->key = 4;"],
        work: &[
            "if (is_first) { number = at->key; is_first = 0; } CHECK(at->key == number);",
            "CHECK(at->key >= 0 && at->key < 10);",
        ],
    },
    Number {
        start: "int low = 1000, high = -1000;",
        make: &[
            "@->key = INPUT; if (@->key < low) low = @->key; if (@->key > high) high = @->key;",
            "@->key = INPUT; if (@->key > high) high = @->key; low = number;",
        ],
        work: &[
            "CHECK(at->key >= low);",
            "CHECK(low <= at->key && at->key <= high);",
            "if (RARELY) at->key = low;",
            "if (RARELY) low = at->key;",
            "if (cursor) CHECK(at->key <= cursor->key || low < at->key);",
            "if (RARELY) high = 7;",
        ],
    },
    Number {
        start: "int count = 0;",
        make: &[
            "@->key = count++;",
            "@->key = count; if (count < 5) count++;",
            "@->key = INPUT; if (@->key < 0 || @->key > 9) @->key = 4;",
        ],
        work: &[
            "CHECK(at->key <= 9);",
            "CHECK(at->key < count);",
            "CHECK(at->key >= 0);",
            "if (at->key < 9) at->key++;",
            "at->key = count;",
            "if (count > 2) count--;",
        ],
    },
];

const LINKINGS: &[Linking] =
    &[SINGLY, SORTED, DOUBLY, KERNEL, WITH_LOOP, RING, SKIPPING, EITHER, AHEAD, COLOURED, SORTED];
const PAYLOADS: &[Payload] = &[
    NONE,
    BLOCK,
    SOMETIMES,
    TWO_BLOCKS,
    DANGLING,
    CHILD,
    SHARED,
    NEIGHBOURS,
    INNER,
    INNER_DOUBLY,
    INNER_OWNERS,
    SIZED,
    SIZED_OWNERS,
];

struct Plan<'r> {
    random: &'r mut Random,
    linking: &'static Linking,
    payload: &'static Payload,
    number: &'static Number,
}

/// The program of a seed.
pub fn owner_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(29));
    let linking = &LINKINGS[random.below(LINKINGS.len())];
    let payload = &PAYLOADS[random.below(PAYLOADS.len())];
    let number = &NUMBERS[if random.percent(60) { 0 } else { random.below(NUMBERS.len()) }];
    Plan { random: &mut random, linking, payload, number }.program()
}

impl Plan<'_> {
    fn program(&mut self) -> String {
        let (linking, payload, number) = (self.linking, self.payload, self.number);
        let order = self.random.percent(50);
        let members = match order {
            true => format!("int key; {} {}", payload.members, linking.links),
            false => format!("{} {} int key;", linking.links, payload.members),
        };
        let mut text = format!(
            "{START}struct node;\nstruct link {{ struct link *next; struct link *previous; }};\n\
             {}\nstruct node {{ {members} }};\n\
             #define NODE(l) ((struct node *)((char *)(l) - __builtin_offsetof(struct node, link)))\n\
             int main(void) {{\n    struct node *at = 0, *f = 0, *cursor = 0, *last = 0;\n    \
             int number = INPUT;\n    {}\n    {}\n    {}\n",
            payload.types, payload.start, linking.start, number.start
        );
        if self.random.percent(40) {
            // Lists that were built in two ways meet.
            text.push_str("    if (INPUT > 0) {\n");
            self.build(&mut text);
            text.push_str("    } else {\n");
            self.build(&mut text);
            text.push_str("    }\n    number = 0; while (INPUT > 0) ;\n");
        } else {
            self.build(&mut text);
        }
        for _ in 0..self.random.below(3) {
            match self.random.below(5) {
                0 => {
                    let line = self.random.pick(linking.whole);
                    self.line(&mut text, 1, line);
                }
                1 if self.random.percent(30) => self.build(&mut text),
                _ => self.walk(&mut text),
            }
        }
        self.drop(&mut text);
        text + "    return 0;\n}\n"
    }

    fn build(&mut self, text: &mut String) {
        text.push_str("    while (INPUT) {\n        f = malloc(sizeof *f);\n");
        let payload = self.random.pick(self.payload.make).replace('@', "f");
        let number = self.random.pick(self.number.make).replace('@', "f");
        self.line(text, 2, &payload);
        self.line(text, 2, &number);
        let insert = self.random.pick(self.linking.insert);
        self.line(text, 2, insert);
        // A pointer that stays is a cursor into the list.
        let stays = self.random.percent(15);
        text.push_str(if stays { "    }\n" } else { "        f = 0;\n    }\n" });
        if self.random.percent(50) {
            text.push_str("    last = 0;\n");
        }
    }

    fn walk(&mut self, text: &mut String) {
        text.push_str(&format!("    {} {{\n", self.linking.walk));
        for _ in 0..self.random.between(1, 2) {
            let lines = match self.random.below(8) {
                0..=1 => self.linking.work,
                2..=3 => self.number.work,
                _ => self.payload.work,
            };
            let line = self.random.pick(lines);
            self.line(text, 2, line);
        }
        text.push_str("    }\n");
        if self.random.percent(60) {
            text.push_str("    cursor = 0;\n");
        }
    }

    fn drop(&mut self, text: &mut String) {
        let linking = self.linking;
        if self.random.percent(25) {
            // In two passes.
            text.push_str(
                &format!(
                    "    {} {{ RELEASE }}\n    {} {{ free(at); }}\n",
                    linking.walk, linking.take
                )
                .replace("RELEASE", &self.payload.release.replace('@', "at")),
            );
        } else {
            text.push_str(&format!("    {} {{\n", linking.take));
            self.line(text, 2, "RELEASE(at) free(at);");
            text.push_str("    }\n");
        }
        let end = self.payload.end;
        self.line(text, 1, end);
        if self.random.percent(15) {
            text.push_str("    if (keep) *(int *)keep = 1;\n");
        }
    }

    /// A line with the payload and the numbers of this program put in.
    fn line(&mut self, text: &mut String, depth: usize, line: &str) {
        let make = self.random.pick(self.payload.make);
        let number = self.random.pick(self.number.make);
        let line = line
            .replace("PAYLOAD(f)", &make.replace('@', "f"))
            .replace("NUMBER(f)", &number.replace('@', "f"))
            .replace("RELEASE(NODE(t))", &self.payload.release.replace('@', "NODE(t)"))
            .replace("RELEASE(at)", &self.payload.release.replace('@', "at"))
            .replace("RELEASE(t)", &self.payload.release.replace('@', "t"))
            .replace("NOTHING", ";");
        if !line.is_empty() {
            text.push_str(&format!("{}{line}\n", "    ".repeat(depth)));
        }
    }
}
