//! Trees of nodes that a tag or their links tell apart: what is proved of them, and what never is.

mod common;

use common::{holds, is_never_proved, is_never_proved_by_summaries};

/// Expressions whose nodes are unions: a number, or links to one operand or two.
const EXPRESSION: &str = "
struct e { int tag; union { int number; struct { struct e *a, *b; } op; } u; };
static struct e *grow(void) {
    struct e *e = malloc(sizeof *e); int c = __VERIFIER_nondet_int();
    if (c == 1) { e->tag = 1; e->u.op.a = grow(); e->u.op.b = 0; }
    else if (c == 2) { e->tag = 2; e->u.op.a = grow(); e->u.op.b = grow(); }
    else { e->tag = 0; e->u.number = c; }
    return e;
}
static void destroy(struct e *e) {
    if (e->tag != 0) { destroy(e->u.op.a); if (e->tag == 2) destroy(e->u.op.b); }
    free(e);
}
";

/// Nodes that have both children or none, and know which.
const FULL: &str = "
struct f { struct f *l, *r; int leaf; };
static struct f *grow(void) {
    struct f *f = malloc(sizeof *f);
    f->l = f->r = 0; f->leaf = 1;
    if (__VERIFIER_nondet_int()) { f->leaf = 0; f->l = grow(); f->r = grow(); }
    return f;
}
static void destroy(struct f *f) { if (f->l) { destroy(f->l); destroy(f->r); } free(f); }
";

fn of_expression(functions: &str, main: &str) -> String {
    let main = format!("int main(void) {{ struct e *e = grow(); {main} destroy(e); return 0; }}");
    format!("{EXPRESSION}{functions}{main}")
}

fn of_full_tree(functions: &str, main: &str) -> String {
    let main = format!("int main(void) {{ struct f *f = grow(); {main} destroy(f); return 0; }}");
    format!("{FULL}{functions}{main}")
}

const EVALUATE: &str = "
static unsigned evaluate(struct e *e) {
    switch (e->tag) {
    case 0: return e->u.number;
    case 1: return -evaluate(e->u.op.a);
    default: if (e->tag != 2) reach_error(); return evaluate(e->u.op.a) + evaluate(e->u.op.b);
    }
}
";

#[test]
fn a_tag_says_which_links_of_a_union_lead_on() {
    holds(&of_expression(EVALUATE, "evaluate(e);"));
    holds(&of_expression(
        "",
        "struct e *p = e; while (p->tag) p = p->tag == 1 ? p->u.op.a : p->u.op.b; p->u.number = 3;",
    ));
}

#[test]
fn nodes_are_rewritten_into_others() {
    let simplify = "
static struct e *simplify(struct e *e) {
    if (e->tag == 1) {
        e->u.op.a = simplify(e->u.op.a);
        if (e->u.op.a->tag == 1) { struct e *x = e->u.op.a->u.op.a; free(e->u.op.a); free(e); return x; }
    } else if (e->tag == 2) { e->u.op.a = simplify(e->u.op.a); e->u.op.b = simplify(e->u.op.b); }
    return e;
}
";
    holds(&of_expression(simplify, "e = simplify(e);"));
    let lost = simplify.replace("free(e->u.op.a); free(e);", "free(e);");
    is_never_proved(&of_expression(&lost, "e = simplify(e);"));
}

#[test]
fn where_links_would_be_nodes_may_own_blocks() {
    let named = EXPRESSION
        .replace("int number", "char *name")
        .replace("e->u.number = c;", "e->u.name = malloc(8);");
    let freed = named.replace("free(e);", "if (e->tag == 0) free(e->u.name); free(e);");
    let main = "int main(void) { struct e *e = grow(); destroy(e); return 0; }";
    holds(&format!("{freed}{main}"));
    is_never_proved_by_summaries(&format!("{named}{main}"));
    let twice = named.replace(
        "free(e);",
        "if (e->tag == 0) free(e->u.name); if (e->tag == 0) free(e->u.name); free(e);",
    );
    is_never_proved_by_summaries(&format!("{twice}{main}"));
}

#[test]
fn a_node_has_both_children_or_none() {
    holds(&of_full_tree("", "struct f *p = f; while (p->r) p = p->l; p->leaf = 2;"));
    holds(&of_full_tree(
        "",
        "struct f *p = f; while (!p->leaf) p = __VERIFIER_nondet_int() ? p->l : p->r; if (p->l) reach_error();",
    ));
}

#[test]
fn nodes_that_have_one_child_are_not_overlooked() {
    let rare =
        FULL.replace("f->r = grow(); }", "if (__VERIFIER_nondet_int() != 77) f->r = grow(); }");
    let main = "int main(void) { struct f *f = grow(); struct f *p = f; while (p->l) p = p->r; destroy(f); return 0; }";
    is_never_proved_by_summaries(&format!("{rare}{main}"));
    let main = "int main(void) { struct f *f = grow(); destroy(f); return 0; }";
    is_never_proved_by_summaries(&format!("{rare}{main}"));
}

#[test]
fn a_tag_that_is_wrong_once_is_not_overlooked() {
    let rare = EXPRESSION.replace("e->tag = 1;", "e->tag = c == __VERIFIER_nondet_int() ? 2 : 1;");
    let main = "int main(void) { struct e *e = grow(); evaluate(e); destroy(e); return 0; }";
    is_never_proved_by_summaries(&format!("{rare}{EVALUATE}{main}"));
    // Bytes that were never written are followed.
    let rare = EXPRESSION.replace("e->u.op.b = 0;", "");
    let both = EVALUATE.replace("-evaluate(e->u.op.a)", "evaluate(e->u.op.b)");
    is_never_proved_by_summaries(&format!("{rare}{both}{main}"));
    // A number of the union changes half of a link.
    let half = of_expression("", "if (e->tag == 1) e->u.number = 3;");
    is_never_proved_by_summaries(&half);
}

#[test]
fn nodes_that_change_their_tag_keep_their_links() {
    let change = "
static void change(struct e *e, int k) {
    while (e->tag) { if (k-- == 5) { TAG } e = e->u.op.a; }
}
";
    holds(&of_expression(&change.replace("TAG", "e->tag = e->tag == 2 ? 2 : 1;"), "change(e, 9);"));
    is_never_proved_by_summaries(&of_expression(
        &change.replace("TAG", "e->tag = 3 - e->tag;"),
        "change(e, __VERIFIER_nondet_int());",
    ));
}

/// A tree is made a list by its right links, and freed as one.
const FLATTEN: &str = "
struct t { struct t *l, *r; };
static struct t *grow(void) {
    if (!__VERIFIER_nondet_int()) return 0;
    struct t *t = malloc(sizeof *t); t->l = grow(); t->r = grow(); return t;
}
int main(void) {
    struct t *root = grow(), *t, *x, *e, *n;
    for (t = root; t; t = t->r)
        while (t->l) { x = e = t->l; while (e->r) e = e->r; e->r = t->r; t->r = x; t->l = 0; }
    while (root) { n = root->r; if (root->l) reach_error(); free(root); root = n; }
    return 0;
}
";

#[test]
fn nodes_may_all_become_of_one_variant() {
    holds(FLATTEN);
    is_never_proved_by_summaries(
        &FLATTEN.replace("while (t->l) {", "while (t->l && __VERIFIER_nondet_int() != 7) {"),
    );
    is_never_proved_by_summaries(&FLATTEN.replace("e->r = t->r;", ""));
}

#[test]
fn a_tree_is_rotated_until_no_node_has_a_left_child() {
    let vine = "
struct t { struct t *l, *r; };
static struct t *grow(void) {
    if (!__VERIFIER_nondet_int()) return 0;
    struct t *t = malloc(sizeof *t); t->l = grow(); t->r = grow(); return t;
}
int main(void) {
    struct t *root = grow(), **p = &root, *t, *x, *n;
    while (*p) {
        if ((*p)->l) { t = *p; x = t->l; t->l = x->r; x->r = t; *p = x; } else p = &(*p)->r;
    }
    while (root) { n = root->r; if (root->l) reach_error(); free(root); root = n; }
    return 0;
}
";
    holds(vine);
    is_never_proved_by_summaries(
        &vine.replace("else p = &(*p)->r;", "else p = &(*p)->r; if (*p && (*p)->r) p = &(*p)->r;"),
    );
}
