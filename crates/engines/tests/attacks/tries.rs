//! Trees whose nodes have an array of links, gone down by an index: a link that is overwritten, forgotten or followed unseen.

use crate::{right, wrong};

const TRIE: &str = "struct n { struct n *c[4]; int v; };
    static struct n *node(void) { struct n *x = malloc(sizeof *x); for (int i = 0; i < 4; i++) x->c[i] = 0; x->v = 0; return x; }
    static void destroy(struct n *x) { if (x) { for (int i = 0; i < 4; i++) destroy(x->c[i]); free(x); } }
    static unsigned any(void) { return __VERIFIER_nondet_uint() & 3; }";

fn all(programs: &[&str], ask: fn(&[&str])) {
    for program in programs {
        ask(&[&format!(
            "{TRIE} int main(void) {{ struct n *r = node(), *x; unsigned i; {program} }}"
        )]);
    }
}

const GROW: &str = "while (N) { x = r; while (N) { i = any(); if (!x->c[i]) x->c[i] = node(); x = x->c[i]; } x->v = 1; }";

fn grown(programs: &[&str], ask: fn(&[&str])) {
    let programs: Vec<String> =
        programs.iter().map(|program| format!("{GROW} {program}")).collect();
    all(&programs.iter().map(String::as_str).collect::<Vec<_>>(), ask);
}

#[test]
fn links_are_lost_or_followed_unseen() {
    all(
        &[
            "while (N) { x = r; while (N) { i = any(); if (!x->c[i]) x->c[i] = node(); x = x->c[i]; if (RARE) x->c[i] = node(); } } destroy(r);",
            "while (N) { x = r; while (N) { i = any(); if (!x->c[0]) x->c[i] = node(); x = x->c[i]; if (!x) break; } } destroy(r);",
            "while (N) { x = r; while (N) { i = any(); if (!x->c[i]) x->c[i] = RARE ? r : node(); x = x->c[i]; } } destroy(r);",
        ],
        wrong,
    );
    grown(
        &[
            "destroy(r->c[3]); destroy(r);",
            "if (r->c[2] && r->c[1]) r->c[1]->c[3]->v = 1; destroy(r);",
            "x = r; while (x->c[3]) x = x->c[3]; x->c[2]->v = 1; destroy(r);",
            "for (i = 0; i < 3; i++) destroy(r->c[i]); free(r);",
            "if (r->c[0]) { destroy(r->c[0]->c[any()]); } destroy(r);",
            "x = r->c[any()]; free(r); destroy(x);",
        ],
        wrong,
    );
}

#[test]
fn links_are_looked_at_first() {
    grown(
        &[
            "destroy(r);",
            "x = r; while (x->c[3]) x = x->c[3]; if (x->c[2]) x->c[2]->v = 1; destroy(r);",
            "for (i = 0; i < 4; i++) destroy(r->c[i]); free(r);",
        ],
        right,
    );
}
