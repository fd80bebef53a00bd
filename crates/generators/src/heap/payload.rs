//! The fields of nodes: every list and tree carries a random payload besides its links.
//! A payload comes with functions to store a value in a node, to digest a node into a number, and to
//! release a node with what it owns.

use super::scene::{INTEGER_TYPES, KEY_TYPES};
use crate::random::Random;
use crate::text::fill;

/// Declarations for `struct $p_node` with the given link fields, and for its functions
/// `$p_store`, `$p_digest`, `$p_create` and `$p_release`. Nodes have a field `key` for the value.
pub(crate) fn declare_node(random: &mut Random, prefix: &str, links: &str) -> String {
    let mut fields = vec![format!("{} key;", random.pick(&KEY_TYPES)), links.to_owned()];
    let mut extras = Extras::default();
    for number in 0..random.below(4) {
        let (field, extra) = extra_field(random, number);
        fields.push(field);
        extras.add(extra);
    }
    random.shuffle(&mut fields);
    let values = [
        ("p", prefix),
        ("fields", &fields.join("\n")),
        ("before", &extras.before),
        ("store", &extras.store),
        ("digest", &extras.digest),
        ("release", &extras.release),
    ];
    // Filled twice: the parts themselves name `$p`.
    fill(&fill(NODE, &keep_prefix(&values)), &[("p", prefix)])
}

/// Leaves `$p` for the second round of filling.
fn keep_prefix<'v>(values: &[(&'v str, &'v str)]) -> Vec<(&'v str, &'v str)> {
    values.iter().map(|(name, value)| (*name, if *name == "p" { "$p" } else { *value })).collect()
}

const NODE: &str = "
$before
struct $p_node {
$fields
};
static void $p_store(struct $p_node *node, int value) {
node->key = value;
$store
}
static unsigned int $p_digest(const struct $p_node *node) {
unsigned int digest = (unsigned int)node->key;
$digest
return digest;
}
static struct $p_node *$p_create(int value) {
struct $p_node *node = malloc(sizeof *node);
if (!node) abort();
memset(node, 0, sizeof *node);
$p_store(node, value);
return node;
}
static void $p_release(struct $p_node *node) {
$release
free(node);
}
";

/// The text that one extra field adds to each place.
#[derive(Default)]
struct Extras {
    before: String,
    store: String,
    digest: String,
    release: String,
}

impl Extras {
    fn add(&mut self, other: Extras) {
        self.before += &other.before;
        self.store += &other.store;
        self.digest += &other.digest;
        self.release += &other.release;
    }
}

fn extra_field(random: &mut Random, number: usize) -> (String, Extras) {
    let template = random.pick(&EXTRA_FIELDS);
    let name = format!("extra{number}");
    let values = [
        ("p", "$p"),
        ("e", name.as_str()),
        ("t", random.pick(&INTEGER_TYPES)),
        ("k", &random.between(1, 90).to_string()),
        ("n", &random.between(2, 7).to_string()),
        ("a", &random.between(3, 11).to_string()),
        ("b", &random.between(12, 20).to_string()),
    ];
    let [field, before, store, digest, release] = template.map(|part| fill(part, &values));
    (field, Extras { before, store, digest, release })
}

/// Each row: the field, what stands before the node's type, and the statements that store, digest
/// and release.
const EXTRA_FIELDS: [[&str; 5]; 12] = [
    ["$t $e;", "", "node->$e = ($t)(value % $k);\n", "digest += (unsigned int)node->$e;\n", ""],
    [
        "char $e[$n];",
        "",
        "memset(node->$e, 'a' + value % 26, $n - 1);\nnode->$e[$n - 1] = '\\0';\n",
        "digest = digest * 31u + (unsigned int)strlen(node->$e) + (unsigned char)node->$e[0];\n",
        "",
    ],
    [
        "$t $e[$n];",
        "",
        "for (int i = 0; i < $n; i++) node->$e[i] = ($t)((value + i) % $k);\n",
        "for (int i = $n - 1; i >= 0; i--) digest = digest * 3u + (unsigned int)node->$e[i];\n",
        "",
    ],
    [
        "struct { short a; struct { unsigned char b[$n]; long c; } inner; } $e;",
        "",
        "node->$e.a = (short)-value;\nnode->$e.inner.b[$n - 1] = (unsigned char)value;\n\
         node->$e.inner.c = value * $kL;\n",
        "digest ^= (unsigned int)(node->$e.a + node->$e.inner.b[$n - 1]) + (unsigned int)node->$e.inner.c;\n",
        "",
    ],
    [
        "union { unsigned int word; unsigned char bytes[4]; } $e;",
        "",
        "node->$e.word = (unsigned int)value * 2654435761u;\n",
        "digest += node->$e.bytes[1] * 7u + node->$e.bytes[3];\n",
        "",
    ],
    [
        "unsigned int $e_low : $a; int $e_high : $b; unsigned int $e_flag : 1;",
        "",
        "node->$e_low = (unsigned int)value;\nnode->$e_high = -value;\nnode->$e_flag = value & 1;\n",
        "digest = digest * 5u + node->$e_low + (unsigned int)node->$e_high + node->$e_flag;\n",
        "",
    ],
    [
        "double $e;",
        "",
        "node->$e = value * 0.25 + $k;\n",
        "digest += (unsigned int)(node->$e * 4.0);\n",
        "",
    ],
    [
        "enum $p_$e $e;",
        "enum $p_$e { $p_$e_FIRST = $k, $p_$e_SECOND, $p_$e_THIRD = 200 };\n",
        "node->$e = value % 3 == 0 ? $p_$e_FIRST : value % 3 == 1 ? $p_$e_SECOND : $p_$e_THIRD;\n",
        "switch (node->$e) {\ncase $p_$e_FIRST: digest += 1u; break;\n\
         case $p_$e_SECOND: digest += 10u; break;\ndefault: digest += (unsigned int)node->$e;\n}\n",
        "",
    ],
    [
        "unsigned int (*$e)(unsigned int);",
        "static unsigned int $p_$e_twice(unsigned int x) { return x * 2u; }\n\
         static unsigned int $p_$e_flip(unsigned int x) { return ~x; }\n",
        "node->$e = value % 2 ? $p_$e_twice : $p_$e_flip;\n",
        "digest = node->$e(digest);\n",
        "",
    ],
    [
        "$t *$e;",
        "",
        "if (!node->$e) node->$e = malloc($n * sizeof *node->$e);\nif (!node->$e) abort();\n\
         for (int i = 0; i < $n; i++) node->$e[i] = ($t)((value ^ i) % $k);\n",
        "for (int i = 0; i < $n; i++) digest += (unsigned int)node->$e[i];\n",
        "free(node->$e);\n",
    ],
    [
        "char *$e;",
        "",
        "free(node->$e);\nnode->$e = calloc($b, 1);\nif (!node->$e) abort();\n\
         strcpy(node->$e, value % 2 ? \"odd\" : \"even\");\nstrcat(node->$e, \"$k\");\n",
        "digest += (unsigned int)strlen(node->$e) + (strcmp(node->$e, \"odd$k\") == 0);\n",
        "free(node->$e);\n",
    ],
    [
        "_Bool $e; unsigned char $e_tail;",
        "",
        "node->$e = value % $k;\nnode->$e_tail = (unsigned char)(value * $k);\n",
        "digest = digest * 2u + node->$e + node->$e_tail;\n",
        "",
    ],
];

/// The names that every scene with nodes has.
pub(crate) fn node_names(prefix: &str) -> Vec<(&'static str, String)> {
    vec![("p", prefix.to_owned())]
}
