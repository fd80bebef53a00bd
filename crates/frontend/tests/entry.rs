//! Harnesses: what callers are taken to pass, by types, names, tests for null and contracts.

use heapwright_frontend::{
    Contract, Entry, External, Globals, Loaded, Settings, Source, World, functions, load,
    suggestions,
};
use heapwright_program::DataModel;

fn settings(function: &str, contract: &str) -> Settings {
    let contract = Contract::parse("contract", contract).expect("a contract");
    let entry = Entry { function: function.to_owned(), globals: Globals::Initialised, contract };
    Settings { world: World::Modelled, entry: Some(entry), ..Settings::new(DataModel::Lp64) }
}

fn loaded(text: &str, function: &str, contract: &str) -> Loaded {
    load(&[Source::new("unit.c", text)], &settings(function, contract)).expect("a program")
}

/// The harness for a function has these lines, and assumes these things.
fn calls(text: &str, function: &str, lines: &[&str], assumptions: &[&str]) {
    let loaded = loaded(text, function, "");
    let harness = loaded.harness.expect("a harness").text;
    for line in lines {
        assert!(harness.contains(line), "no `{line}` in\n{harness}");
    }
    for wanted in assumptions {
        let found = loaded.assumptions.iter().any(|assumption| assumption == wanted);
        assert!(found, "no `{wanted}` in {:#?}", loaded.assumptions);
    }
}

const NODE: &str = "struct node { int value; struct node *next; };\n";

#[test]
fn a_list_may_be_empty_only_if_the_function_looks() {
    let walks = format!("{NODE}int f(struct node *l) {{ while (l) l = l->next; return 0; }}");
    calls(&walks, "f", &["l = (void *)heapwright_make_node();"], &[]);
    let follows = format!("{NODE}int f(struct node *l) {{ return l->value; }}");
    let assumed = ["`l` is not null: `f` does not test it"];
    calls(&follows, "f", &["l = (void *)heapwright_not_null(heapwright_make_node());"], &assumed);
}

#[test]
fn copies_and_callees_test_for_their_caller() {
    let text = format!(
        "{NODE}static int g(struct node *p) {{ struct node *q = p; return q == 0; }}\n\
         int f(struct node *l) {{ return g(l); }}"
    );
    calls(&text, "f", &["l = (void *)heapwright_make_node();"], &[]);
}

#[test]
fn a_test_after_the_use_is_no_test() {
    let text = format!("{NODE}int f(struct node *l) {{ int v = l->value; return l ? v : 0; }}");
    calls(&text, "f", &["heapwright_not_null"], &["`l` is not null: `f` does not test it"]);
}

#[test]
fn a_number_beside_a_pointer_counts_its_elements() {
    let text = "int f(const int *a, int count) { return count ? a[0] : 0; }";
    let lines = ["__VERIFIER_assume(count >= 0);", "heapwright_bytes((unsigned long)(count) * 4)"];
    calls(text, "f", &lines, &["`a` has `count` elements"]);
}

#[test]
fn back_links_and_parents_are_told_by_their_names() {
    let text = "struct d { struct d *next, *prev; }; int f(struct d *l) { return l != 0; }";
    calls(text, "f", &["first->prev = it;"], &[]);
    let text =
        "struct t { struct t *kid[2]; struct t *parent; }; int f(struct t *t) { return !t; }";
    calls(text, "f", &["it->kid[1] = heapwright_make_t();", "it->kid[1]->parent = it;"], &[]);
}

#[test]
fn what_nobody_frees_belongs_to_the_caller() {
    let node = "struct n { void *data; struct n *next; };";
    let keeps = format!("{node} int f(struct n *l) {{ return l == 0; }}");
    calls(&keeps, "f", &["it->data = (void *)heapwright_shared;"], &[]);
    let frees = format!("{node} void free(void *); void f(struct n *l) {{ free(l->data); }}");
    calls(&frees, "f", &["it->data = (void *)heapwright_short_text();"], &[]);
}

#[test]
fn constant_parameters_and_old_mains_are_no_obstacles() {
    let text = "int main(void) { return 0; } int f(char *const c, int f) { return c ? *c : f; }";
    calls(text, "f", &["char *c;".trim_end_matches("c;"), "f(c, argument_1);"], &[]);
}

#[test]
fn records_without_a_tag_have_the_name_of_their_typedef() {
    let text = "typedef struct { int *p; } box; int f(box *b) { return b->p == 0; }";
    calls(text, "f", &["box * b;", "heapwright_kept_b_p = (const void *)b->p;"], &[]);
}

#[test]
fn a_contract_overrules_names_and_tests() {
    let text = "int f(int *a, int n) { return a ? a[0] + n : 0; }";
    let loaded = loaded(text, "f", "fn f { len(a) == 2 * n; nonnull(a); n < 10; owned(a); }");
    let harness = loaded.harness.expect("a harness").text;
    assert!(harness.contains("heapwright_bytes((unsigned long)(2 * n) * 4)"), "{harness}");
    assert!(harness.contains("__VERIFIER_assume(n < 10);"), "{harness}");
    assert!(!harness.contains("heapwright_kept_a"), "{harness}");
}

#[test]
fn contracts_about_other_parameters_are_mistakes() {
    let source = [Source::new("unit.c", "int f(int n) { return n; }")];
    let message = |contract| load(&source, &settings("f", contract)).expect_err("one").to_string();
    assert!(message("fn f { nonnull(p); }").contains("`f` has no parameter `p`"));
    assert!(message("fn f { list(n); }").contains("`f` has a `n` of another type"));
}

const QUEUE: &str = "struct node { int value; struct node *next, *prev; };\n\
    struct queue { struct node *head, *tail, *at; unsigned char size; };\n";

#[test]
fn members_that_belong_together_are_made_together() {
    let text = format!("{QUEUE} int f(struct queue *q) {{ return q->head == q->tail; }}");
    let contract =
        "type queue { last(head) == tail; len(head) == size; member(head) == at; size < 9; }";
    let loaded = loaded(&text, "f", contract);
    let harness = loaded.harness.expect("a harness").text;
    let lines = [
        "if (first_head == 0)\n            node_tail = node;",
        "if (__VERIFIER_nondet_bool())\n            node_at = node;",
        // A list is not longer than what counts it can tell.
        "__VERIFIER_assume(count_size <= 255);",
        "__VERIFIER_assume(it->size < 9);",
    ];
    for line in lines {
        assert!(harness.contains(line), "no `{line}` in\n{harness}");
    }
    // Who lost the last node of the list would not be found out if the caller kept it.
    assert!(!harness.contains("kept_q_tail") && harness.contains("kept_q_head"), "{harness}");
    let told = "`queue.tail` is the last node of `head`, null if there is none (contract)";
    assert!(loaded.assumptions.iter().any(|assumption| assumption == told));
}

#[test]
fn what_is_kept_is_looked_at_afterwards() {
    let text = format!("{QUEUE} void f(struct queue *q) {{ q->head = 0; }}");
    let clauses = "last(head) == tail; len(head) == size; size < 9;";
    let harness = |contract: &str| loaded(&text, "f", contract).harness.expect("a harness").text;
    let kept = harness(&format!("type queue {{ {clauses} kept; }}"));
    let lines = [
        "if (!(at->prev == last_head))",
        "if (!((const void *)it->tail == (const void *)last_head))",
        "if (!(it->size == count_head))",
        "if (!(it->size < 9))",
        "if (q != 0)\n        heapwright_upkeep_queue((void *)q);",
    ];
    for line in lines {
        assert!(kept.contains(line), "no `{line}` in\n{kept}");
    }
    assert!(!harness(&format!("type queue {{ {clauses} }}")).contains("upkeep"));
}

#[test]
fn an_argument_can_be_a_node_of_another() {
    let text = format!("{QUEUE} void f(struct queue *q, struct node *n) {{ q->tail = n; }}");
    let loaded = loaded(&text, "f", "fn f { member(q->head) == n; }");
    let harness = loaded.harness.expect("a harness").text;
    let line = "n = (void *)(q != 0 ? heapwright_some_node(q->head) : 0);";
    assert!(harness.contains(line), "{harness}");
    assert!(harness.contains("__VERIFIER_assume(n != 0);"), "{harness}");
}

#[test]
fn contracts_about_other_members_are_mistakes() {
    let text = format!("{QUEUE} int f(struct queue *q) {{ return q->head == 0; }}");
    let source = [Source::new("unit.c", text)];
    let message = |contract| load(&source, &settings("f", contract)).expect_err("one").to_string();
    assert!(message("type queue { last(head) == end; }").contains("`queue` has no member `end`"));
    assert!(message("type queue { last(size) == tail; }").contains("has a `size` that is no list"));
    assert!(message("type queue { len(head) == tail; }").contains("that is no integer"));
    let twice = "type queue { last(head) == tail; member(head) == tail; }";
    assert!(message(twice).contains("two clauses about `tail`"));
    assert!(message("type node { prev != 0; }").contains("a condition about its link `prev`"));
    assert!(message("fn f { kept; }").contains("a clause that is for types"));
    assert!(message("type queue { nonnull(head); }").contains("write conditions"));
    assert!(message("fn f { last(q) == p; }").contains("a clause that is for types"));
}

/// The guesses for a function, as contracts.
fn guesses(text: &str, function: &str) -> Vec<String> {
    let source = [Source::new("unit.c", text)];
    guesses_knowing(&source, function, "")
}

/// The same where this much is known of its callees.
fn guesses_knowing(source: &[Source], function: &str, known: &str) -> Vec<String> {
    let found = suggestions(source, &settings(function, known), function).expect("guesses");
    found.iter().map(heapwright_frontend::Suggestion::text).collect()
}

#[test]
fn promises_are_guessed_from_types_and_names() {
    let text = format!("{QUEUE} int f(struct queue *q, struct node *n) {{ return n == q->at; }}");
    let found = guesses(&text, "f");
    let wanted = [
        "type queue { last(head) == tail; }",
        "type queue { member(head) == at; }",
        "type queue { len(head) == size; }",
        "fn f { member(q->head) == n; }",
        "fn f { n->next == 0; }",
        "fn f { q->size > 0; }",
    ];
    for clause in wanted {
        assert!(found.iter().any(|one| one == clause), "no `{clause}` in {found:#?}");
    }
}

#[test]
fn what_a_function_tests_as_it_is_given_is_never_promised_to_it() {
    let clause = "fn f { q->head != 0; }".to_owned();
    let body = |body: &str| format!("{QUEUE} int f(struct queue *q) {{ {body} }}");
    let tests = body("if (!q->head) return q->head->value; return 0;");
    assert!(!guesses(&tests, "f").contains(&clause));
    let tests_another = body(
        "int v = q->head->value; q->head = q->head->next; if (!q->head) q->tail = 0; return v;",
    );
    assert!(guesses(&tests_another, "f").contains(&clause));
}

#[test]
fn all_functions_are_those_that_others_may_call() {
    let text = "#include <stdlib.h>\nstatic int used(void) { return 1; }\n\
                static int unused(void) { return used(); }\nint api(void) { return used(); }\n\
                int main(void) { return 0; }";
    let names = functions(&[Source::new("unit.c", text)], &Settings::new(DataModel::Lp64));
    assert_eq!(names.expect("names"), ["unused", "api"]);
}

#[test]
fn functions_without_a_body_stay_so_unless_they_are_named() {
    let text = "int first(void); int second(void); int main(void) { return first() + second(); }";
    let has_body = |external: External, name: &str| {
        let settings = Settings { external, ..settings("main", "") };
        let settings = Settings { entry: None, ..settings };
        let program = load(&[Source::new("unit.c", text)], &settings).expect("a program").program;
        let id = program.function_named(name).expect("a function");
        program.functions[id].body.is_some()
    };
    assert!(!has_body(External::Unknown, "first"));
    assert!(has_body(External::Arbitrary, "second"));
    let named = External::ArbitraryNamed(["first".to_owned()].into());
    assert!(has_body(named.clone(), "first") && !has_body(named, "second"));
}

/// How often a clause is asked in the program.
fn asked(sources: &[Source], function: &str, contract: &str) -> usize {
    let program = load(sources, &settings(function, contract)).expect("a program").program;
    heapwright_program::print(&program).matches("contract of g").count()
}

#[test]
fn calls_are_asked_what_the_contract_says() {
    let text = "static int g(int n) { return n > 9 ? g(n / 2) : n; }\n\
                int f(int n) { return g(n) + (n ? g(2) : 0); }";
    let unit = [Source::new("unit.c", text)];
    assert_eq!(asked(&unit, "f", ""), 0);
    assert_eq!(asked(&unit, "f", "fn g { n > 0; }"), 2);
    assert_eq!(asked(&unit, "f", "fn g { n > 0; n < 5; }"), 4);
    // Others promise, not the function itself.
    let alone = [Source::new("unit.c", "int g(int n) { return n > 9 ? g(n / 2) : n; }")];
    assert_eq!(asked(&alone, "g", "fn g { n > 0; }"), 0);
    let other = [Source::new("a.c", "int g(int n); int f(void) { return g(1); }")];
    let units = [&other[..], &[Source::new("b.c", "int g(int n) { return n; }")]].concat();
    assert_eq!(asked(&units, "f", "fn g { n > 0; }"), 1);
}

#[test]
fn what_is_asked_of_pointers_comes_before_what_follows_them() {
    let text = format!(
        "{QUEUE} int g(struct queue *q) {{ return q->size; }}\n\
                        int f(struct queue *q) {{ return g(q); }}"
    );
    let program = loaded(&text, "f", "fn g { q->head != 0; }").program;
    let text = heapwright_program::print(&program);
    let place = |clause: &str| text.find(&format!("contract of g: {clause}")).expect("a clause");
    assert!(place("q != 0") < place("q->head != 0"));
}

#[test]
fn contracts_about_callees_have_mistakes_too() {
    let source = [Source::new("unit.c", "int g(int n) { return n; } int f(void) { return g(1); }")];
    let message = load(&source, &settings("f", "fn g { nonnull(m); }")).expect_err("a mistake");
    assert!(message.to_string().contains("`g` has no parameter `m`"));
}

#[test]
fn who_hands_arguments_on_is_guessed_to_promise_what_is_asked_of_them() {
    let text = format!(
        "{QUEUE} static int g(struct node *n, int k) {{ return n->value / k; }}\n\
         int f(struct queue *q, int m) {{ int k = m; return g(q->head, m) + g(q->at, k); }}"
    );
    let source = [Source::new("unit.c", text.as_str())];
    let found = guesses_knowing(&source, "f", "fn g { n->value > k; nonnull(n); k != 0; }");
    for clause in ["q->head->value > m", "q->head != 0", "m != 0", "q->at != 0"] {
        assert!(found.contains(&format!("fn f {{ {clause}; }}")), "{clause}: {found:#?}");
    }
    // What is not told by a parameter is not said.
    assert!(!found.iter().any(|clause| clause.contains("k;")), "{found:#?}");
}

#[test]
fn callees_come_before_their_callers() {
    let text = "int f(void); int h(void) { return 0; } int g(void) { return h() + f(); } int f(void) { return h(); }";
    let calls =
        heapwright_frontend::calls(&[Source::new("unit.c", text)], &Settings::new(DataModel::Lp64));
    let calls = calls.expect("a program");
    let names: Vec<&str> = calls.iter().map(|one| one.function.as_str()).collect();
    assert_eq!(names, ["h", "f", "g"]);
    assert_eq!(calls[2].callees.len(), 2);
}

const TREE: &str = "struct leaf { int key; struct leaf *left, *right; };\n\
    struct tree { struct leaf *root; unsigned char size; };\n";

#[test]
fn nodes_of_trees_are_counted() {
    let text = format!("{TREE} int f(struct tree *t) {{ return t->root->key + t->size; }}");
    let contract = "type tree { len(root) == size; kept; }";
    let harness = loaded(&text, "f", contract).harness.expect("a harness");
    for line in [
        "it->root = (void *)heapwright_make_leaf();",
        "unsigned long count_root = heapwright_count_leaf(it->root);",
        "__VERIFIER_assume(count_root <= 255);",
        "it->size = count_root;",
        "count += heapwright_count_leaf(it->right);",
        "if (!(it->size == heapwright_count_leaf(it->root)))",
    ] {
        assert!(harness.text.contains(line), "no `{line}` in\n{}", harness.text);
    }
    let wanted =
        "`tree.size` is the number of nodes of the tree `root`, at most 255 (contract)".to_owned();
    assert!(harness.assumptions.contains(&wanted), "{:#?}", harness.assumptions);
    assert!(guesses(&text, "f").contains(&"type tree { len(root) == size; }".to_owned()));
    let twice = load(
        &[Source::new("unit.c", text.as_str())],
        &settings("f", "type tree { len(root) == size; len(root) == size; }"),
    );
    assert!(twice.expect_err("a mistake").to_string().contains("two clauses about `size`"));
}

#[test]
fn conditions_may_speak_of_what_is_behind_a_node() {
    let text = format!("{TREE} int f(struct leaf *t) {{ return t->key; }}");
    let contract = "type leaf { left == 0 || left->key < key; }";
    let harness = loaded(&text, "f", contract).harness.expect("a harness").text;
    let wanted = "    __VERIFIER_assume(it->left == 0 || it->left->key < it->key);\n    return it;";
    assert!(harness.contains(wanted), "{harness}");
    // What the rest tells is set.
    let contract = "type leaf { key == (left == 0 ? 0 : left->key + 1); }";
    let harness = loaded(&text, "f", contract).harness.expect("a harness").text;
    let wanted = "    it->key = (it->left == 0 ? 0 : it->left->key + 1);\n";
    assert!(harness.contains(wanted), "{harness}");
    let list = format!("{QUEUE} int f(struct queue *q) {{ return q->size; }}");
    let contract =
        "type node { next == 0 || value <= next->value; } type queue { last(head) == tail; }";
    let harness = loaded(&list, "f", contract).harness.expect("a harness").text;
    for line in [
        "__VERIFIER_assume(it->next == 0 || it->value <= it->next->value);",
        "__VERIFIER_assume(node->next == 0 || node->value <= node->next->value);",
    ] {
        assert!(harness.contains(line), "no `{line}` in\n{harness}");
    }
    let back =
        load(&[Source::new("unit.c", list.as_str())], &settings("f", "type node { prev == 0; }"));
    assert!(back.expect_err("a mistake").to_string().contains("about its link `prev`"));
}

#[test]
fn where_the_program_starts_is_no_entry() {
    let text = "int f(int x) { return x; } int main(void) { return f(0); }";
    let problem = |function| {
        let loaded = load(&[Source::new("unit.c", text)], &settings(function, ""));
        loaded.expect_err("a mistake").to_string()
    };
    assert!(problem("main").contains("`main` is where the program starts"));
    assert!(problem("g").ends_with("there is no function `g` with a body; there are f"));
}
