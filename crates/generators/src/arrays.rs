//! Arrays whose length an input decides: filled, copied and changed here and there, and then looked at. What is checked of all
//! elements holds in some programs, and fails in others at one element only; the interpreter knows.

use crate::random::Random;
use crate::text::indent;
use crate::traps::filled;

const PRELUDE: &str = "
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define ND __VERIFIER_nondet_int()
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
static void change(T *p, unsigned n) { if (n > 1) { p[n - 1] = ⟨3¦7⟩; change(p, n / 2); } }
";

/// The first writes to `a`.
const FILLS: [&str; 7] = [
    "for (unsigned i = 0; i < n; i++) a[i] = ⟨7¦3¦0⟩;",
    "for (unsigned i = 0; i < n; i++) a[i] = ND;",
    "for (unsigned i = 0; i < n; i++) a[i] = ⟨(T)i¦(T)(2 * i)¦(T)(i + 3)¦(T)(i * i)¦(T)-i⟩;",
    "for (unsigned i = ⟨0¦1⟩; i < n⟨¦ - 1⟩; i++) a[i] = 7;",
    "for (unsigned i = n; i > ⟨0¦1⟩; i--) a[i - 1] = 7;",
    "for (unsigned i = 0; i < n; i += ⟨1¦2⟩) a[i] = 7;",
    "for (T *p = a; p < a + n; p++) *p = ⟨7¦ND⟩;",
];

/// What happens to `a` and `b` then.
const CHANGES: [&str; 14] = [
    "for (unsigned i = 0; i < n; i++) b[i] = a[⟨i¦i¦n - 1 - i⟩];",
    "for (unsigned i = 0; i < n; i++) b[i] = a[i] ⟨+ 1¦- 1¦* 2⟩;",
    "for (unsigned i = 0; i < n; i++) ⟨a[i]++;¦if (a[i] < 0) a[i] = 0;¦if (a[i] > 7) a[i] = 7;¦if (i == 5) continue; a[i] = 3;⟩",
    "⟨a¦b⟩[⟨0¦n - 1¦n / 2¦1⟩] = ⟨7¦8¦0⟩;",
    "if (k < n) ⟨a¦b⟩[k] = ⟨7¦8¦a[0]⟩;",
    "((char *)a)[⟨0¦1¦n - 1¦k % n⟩] = ⟨0¦1⟩;",
    "memset(⟨a¦a + n / 2¦b⟩, ⟨0¦1⟩, sizeof *a);",
    "⟨memcpy(b, a, n * sizeof *a);¦memmove(a + 1, a, (n - 1) * sizeof *a);¦memcpy(b, a, sizeof *a);⟩",
    "change(⟨a¦b⟩, n);",
    "a = realloc(a, (n + ⟨0¦1⟩) * sizeof *a);",
    "for (unsigned i = 0; i < n; i++) if (a[i] > best) best = a[i];",
    "for (unsigned i = 0; i + 1 < n; i++) if (a[i] > a[i + 1]) { T t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; }",
    "for (unsigned i = 1; i < n; i++) a[i] = a[i - 1]⟨¦ + 1⟩;",
    "for (unsigned i = 0; i < n && a[i]; i++) a[i] = ⟨7¦1⟩;",
];

/// What is checked.
const CHECKS: [&str; 9] = [
    "for (unsigned i = ⟨0¦0¦1⟩; i < n⟨¦¦ - 1⟩; i++) CHECK(a[i] == ⟨7¦3¦0¦8⟩);",
    "for (unsigned i = 0; i < n; i++) CHECK(a[i] == ⟨(T)i¦(T)(2 * i)¦(T)(i + 3)⟩);",
    "for (unsigned i = 0; i < n; i++) CHECK(a[i] == b[i]);",
    "for (unsigned i = 0; i < n; i++) CHECK(a[i] <= ⟨best¦7¦8⟩);",
    "for (unsigned i = 0; i < n; i++) CHECK(a[i] >= ⟨0¦3⟩);",
    "for (unsigned i = 0; i + 1 < n; i++) CHECK(a[i] <= a[i + 1]);",
    "if (k < n) CHECK(a[k] ⟨==¦<=⟩ ⟨7¦b[k]¦best⟩);",
    "for (unsigned i = n; i > 0; i--) CHECK(a[i - 1] == ⟨7¦b[i - 1]⟩);",
    "CHECK(a[⟨0¦n - 1⟩] == ⟨7¦b[n - 1]¦b[0]⟩);",
];

/// The program of a seed.
pub fn array_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b1).wrapping_add(0xa77));
    let element = random.pick(&["int", "int", "signed char", "short", "unsigned", "long"]);
    let limit = random.pick(&["4", "9", "40", "1000"]);
    let mut body = format!(
        "unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
if (n < 2 || n > {limit}) return 0;
T *a = ⟨malloc(n * sizeof *a)¦calloc(n, sizeof *a)⟩, *b = ⟨malloc(n * sizeof *b)¦calloc(n, sizeof *b)⟩;
"
    );
    body.push_str(random.pick(&FILLS));
    body.push_str("\nT best = a[0];\n");
    for _ in 0..random.pick(&[0, 1, 1, 2, 2, 3]) {
        body.push_str(random.pick(&CHANGES));
        body.push('\n');
    }
    for _ in 0..random.pick(&[1, 1, 2]) {
        body.push_str(random.pick(&CHECKS));
        body.push('\n');
    }
    body.push_str("free(a);\nfree(b);\nreturn best == 99;\n");
    let text = format!("typedef {element} T;\n{PRELUDE}int main(void) {{\n{body}}}\n");
    indent(&filled(&text, "", &mut random))
}
