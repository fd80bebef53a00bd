//! Arrays of pointers whose length an input decides: filled, changed here and there, walked through, and freed. In some programs an element
//! is lost, freed twice or never set; the interpreter knows.

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
typedef struct E { struct E *next; int value; } E;
static E *make(E *next, int value) { E *e = malloc(sizeof *e); e->next = next; e->value = value; return e; }
static void drop(E *e) { while (e) { E *next = e->next; free(e); e = next; } }
";

/// The first writes to `a`, whose elements are null if it was made zero.
const FILLS: [&str; 7] = [
    "for (unsigned i = 0; i < n; i++) a[i] = make(0, ⟨1¦(int)i¦ND⟩);",
    "for (unsigned i = 0; i < n; i++) a[i] = ND ? make(0, 1) : 0;",
    "for (unsigned i = 0; i < n; i++) a[i] = 0; while (ND) { unsigned h = __VERIFIER_nondet_uint() % n; a[h] = make(⟨a[h]¦a[h]¦0⟩, 1); }",
    "for (unsigned i = n; i > 0; i--) a[i - 1] = make(0, 1);",
    "for (unsigned i = 0; i < n⟨¦ - 1⟩; i++) a[i] = make(0, 1);",
    "for (E **p = a; p < a + n; p++) *p = make(0, 1);",
    "for (unsigned i = 0; i < n; i++) { a[i] = 0; while (ND) a[i] = make(a[i], 1); }",
];

/// What happens to the elements then.
const CHANGES: [&str; 14] = [
    "if (k < n) { E *t = a[k]; a[k] = a[⟨0¦n - 1¦n / 2⟩]; a[⟨0¦n - 1¦n / 2⟩] = t; }",
    "if (k < n) { drop(a[k]); ⟨a[k] = 0;¦¦a[k] = make(0, 2);⟩ }",
    "if (k < n) a[k] = ⟨make(a[k], 2)¦make(0, 2)¦0¦a[0]⟩;",
    "for (unsigned i = 0; i < n; i++) for (E *e = a[i]; e; e = e->next) e->value⟨++¦ = 3⟩;",
    "for (unsigned i = 0; i < n; i++) if (a[i]) a[i]->value = ⟨1¦2⟩;",
    "for (unsigned i = 0; i < n; i++) if (a[i] && a[i]->value ⟨== 1¦> 5⟩) { E *e = a[i]; a[i] = e->next; ⟨free(e);¦free(e);¦⟩ }",
    "for (unsigned i = 0; i < n; i++) a[i] = make(a[i], 4);",
    "{ E **b = malloc(n * sizeof *b); for (unsigned i = 0; i < n; i++) { b[i] = a[i]; ⟨a[i] = 0;¦⟩ } free(a); a = b; }",
    "a = realloc(a, ⟨2 * n¦n¦n + 1⟩ * sizeof *a);",
    "for (unsigned i = 0; i < n; i++) { E *r = 0; while (a[i]) { E *t = a[i]->next; a[i]->next = r; r = a[i]; a[i] = t; } a[i] = r; }",
    "if (k < n) { E **p = &a[k]; while (*p && (*p)->value != ⟨1¦2⟩) p = &(*p)->next; if (*p) { E *t = *p; *p = t->next; free(t); } }",
    "{ E *e = a[⟨0¦n - 1⟩]; while (e && e->value != 2) e = e->next; if (e) e->value = 1; }",
    "((int *)a)[⟨0¦k % n⟩] = ⟨0¦1⟩;",
    "if (n > 2) { E *t = a[0]; for (unsigned i = 0; i + 1 < n; i++) a[i] = a[i + 1]; a[n - 1] = ⟨t¦t¦0⟩; }",
];

/// How it ends.
const ENDS: [&str; 6] = [
    "for (unsigned i = 0; i < n; i++) drop(a[i]);",
    "for (unsigned i = ⟨0¦0¦1⟩; i < n⟨¦¦ - 1⟩; i++) drop(a[i]);",
    "for (unsigned i = 0; i < n; i++) while (a[i]) { E *e = a[i]; a[i] = e->next; free(e); }",
    "for (unsigned i = n; i > 0; i--) drop(a[i - 1]);",
    "while (n > 0) drop(a[--n]);",
    "for (unsigned i = 0; i < n; i++) ⟨free(a[i]);¦if (a[i]) { CHECK(a[i]->value ⟨< 3¦== 1⟩); drop(a[i]); }⟩",
];

/// The program of a seed.
pub fn table_program(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b1).wrapping_add(0x7ab1));
    let limit = random.pick(&["4", "9", "1000"]);
    let mut body = format!(
        "unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
if (n < 2 || n > {limit}) return 0;
E **a = ⟨malloc(n * sizeof *a)¦calloc(n, sizeof *a)⟩;
"
    );
    body.push_str(random.pick(&FILLS));
    body.push('\n');
    for _ in 0..random.pick(&[0, 0, 1, 1, 2]) {
        body.push_str(random.pick(&CHANGES));
        body.push('\n');
    }
    body.push_str(random.pick(&ENDS));
    body.push_str("\nfree(a);\nreturn 0;\n");
    let text = format!("{PRELUDE}int main(void) {{\n{body}}}\n");
    indent(&filled(&text, "", &mut random))
}
