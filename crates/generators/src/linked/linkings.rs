//! Ways to link the nodes of a list, for random programs.

/// How nodes are linked. In all of these, `@` stands for a node.
pub(super) struct Linking {
    /// Members of the node.
    pub(super) links: &'static str,
    /// Declarations, and what makes the list empty.
    pub(super) start: &'static str,
    /// Ways to put the node `f` into the list.
    pub(super) insert: &'static [&'static str],
    /// A walk over all nodes by `at`.
    pub(super) walk: &'static str,
    /// Takes the first node into `at`, as long as there is one.
    pub(super) take: &'static str,
    /// What is done to links at the node `at` during a walk; a fault in some lists.
    pub(super) work: &'static [&'static str],
    /// What is done to the list as a whole.
    pub(super) whole: &'static [&'static str],
}

pub(super) const SINGLY: Linking = Linking {
    links: "struct node *next;",
    start: "struct node *head = 0, *t = 0;",
    insert: &[
        "f->next = head; head = f;",
        "f->next = 0; if (!head) head = f; else { for (at = head; at->next; at = at->next) ; \
         at->next = f; }",
        "if (head) { f->next = head->next; head->next = f; } else { f->next = 0; head = f; }",
        "f->next = 0; if (last) last->next = f; else head = f; last = f;",
    ],
    walk: "for (at = head; at; at = at->next)",
    take: "while (head && (at = head, head = head->next, 1))",
    work: &[
        "if (at->next && RARELY) { t = at->next; at->next = t->next; RELEASE(t) free(t); t = 0; }",
        "if (RARELY) { f = malloc(sizeof *f); PAYLOAD(f) NUMBER(f) f->next = at->next; at->next = f; }",
        "if (at->next && RARELY) { t = at->next; at->next = t->next; t->next = head; head = t; t = 0; }",
        "if (at->next && RARELY) at->next = at->next->next;",
        "if (RARELY) at->next = 0;",
        "if (RARELY) { cursor = at; }",
        "if (RARELY) last = at;",
    ],
    whole: &[
        "t = 0; while (head) { at = head->next; head->next = t; t = head; head = at; } head = t; t = 0;",
        "if (head) { at = head; head = head->next; RELEASE(at) free(at); }",
        "if (head && RARELY) head = head->next;",
        "while (head && RARELY) { at = head; head = head->next; RELEASE(at) free(at); }",
        "while (head) { at = head; head = at->next; if (INPUT > 0) { at->next = t; t = at; } else \
         { RELEASE(at) free(at); } } head = t; t = 0;",
    ],
};

/// Nodes are put in by their keys, and it is looked whether they are sorted; often they are.
pub(super) const SORTED: Linking = Linking {
    start: "struct node *head = 0, *t = 0, **link = 0;",
    insert: &[
        "f->key = INPUT; link = &head; while (*link && (*link)->key < f->key) link = &(*link)->next; \
         f->next = *link; *link = f; link = 0;",
        "f->key = INPUT; t = 0; at = head; while (at && at->key < f->key) { t = at; at = at->next; } \
         f->next = at; if (t) t->next = f; else head = f; t = 0; at = 0;",
        "f->key = INPUT; link = &head; while (*link && (*link)->key > f->key) link = &(*link)->next; \
         f->next = *link; *link = f; link = 0;",
        "f->key = INPUT; link = &head; while (*link && INPUT > 0 && (*link)->key < f->key) link = \
         &(*link)->next; f->next = *link; *link = f; link = 0;",
        "f->key = number; if (number < 9) number++; f->next = 0; if (last) last->next = f; else head = \
         f; last = f;",
    ],
    work: &[
        "if (at->next) CHECK(at->key <= at->next->key);",
        "if (at->next) CHECK(at->key <= at->next->key);",
        "if (at->next) CHECK(at->key >= at->next->key);",
        "if (at->next) CHECK(at->key < at->next->key);",
        "if (at != head) CHECK(head->key <= at->key);",
        "if (at->next && RARELY) { t = at->next; at->next = t->next; RELEASE(t) free(t); t = 0; }",
        "if (RARELY) at->key = number;",
        "if (at->next) { number = at->key; at->key = at->next->key; at->next->key = number; }",
        "if (cursor && RARELY) CHECK(cursor->key <= at->key);",
        "if (RARELY) { cursor = at; }",
    ],
    ..SINGLY
};

/// The last node points to itself.
pub(super) const WITH_LOOP: Linking = Linking {
    links: "struct node *next;",
    start: "struct node *head = 0, *t = 0;",
    insert: &[
        "f->next = head ? head : f; head = f;",
        "if (head) { f->next = head->next == head ? f : head->next; head->next = f; } \
         else { f->next = f; head = f; }",
    ],
    walk: "for (at = head; at; at = at->next == at ? 0 : at->next)",
    take: "while (head && (at = head, head = head->next == head ? 0 : head->next, 1))",
    work: &[
        "if (RARELY) CHECK(at->next != at);",
        "if (RARELY) CHECK(at->next == at || at->next->next != at);",
        "if (RARELY) { cursor = at; }",
        "if (RARELY && at->next != at) at->next = at->next->next;",
    ],
    whole: &["if (head) { CHECK(head->next == head || head->next->next != head->next); }"],
};

/// A ring without a head of its own.
pub(super) const RING: Linking = Linking {
    links: "struct node *next;",
    start: "struct node *head = 0, *t = 0;",
    insert: &[
        "if (head) { f->next = head->next; head->next = f; } else { f->next = f; head = f; }",
        "if (head) { f->next = head->next; head->next = f; head = f; } else { f->next = f; head = f; }",
    ],
    walk: "for (at = head; at; at = at->next == head ? 0 : at->next)",
    take: "while (head && (at = head->next, at == head ? (head = 0, 1) : (head->next = at->next, 1)))",
    work: &[
        "if (RARELY) { cursor = at; }",
        "if (at->next != head && RARELY) { t = at->next; at->next = t->next; RELEASE(t) free(t); t = 0; }",
        "if (at->next != head && RARELY) at->next = at->next->next;",
        "if (RARELY) CHECK(at->next != at);",
    ],
    whole: &["if (head) head = head->next;", "if (head && RARELY) { head = head->next->next; }"],
};

pub(super) const DOUBLY: Linking = Linking {
    links: "struct node *next; struct node *previous;",
    start: "struct node *head = 0, *t = 0;",
    insert: &[
        "f->previous = 0; f->next = head; if (head) head->previous = f; else last = f; head = f;",
        "f->next = 0; f->previous = last; if (last) last->next = f; else head = f; last = f;",
        "if (head) { f->next = head->next; f->previous = head; head->next = f; \
         if (f->next) f->next->previous = f; else last = f; } \
         else { f->next = f->previous = 0; head = last = f; }",
    ],
    walk: "for (at = head; at; at = at->next)",
    take: "while (head && (at = head, head = head->next, 1))",
    work: &[
        "if (RARELY && at->next) { t = at->next; at->next = t->next; if (t->next) \
         t->next->previous = at; else last = at; RELEASE(t) free(t); t = 0; }",
        "if (RARELY && at->next) { t = at->next; at->next = t->next; RELEASE(t) free(t); t = 0; }",
        "if (RARELY) CHECK(!at->next || at->next->previous == at);",
        "if (RARELY) at->previous = at;",
        "if (RARELY) at->previous = 0;",
        "if (RARELY) { cursor = at; }",
    ],
    whole: &[
        "for (at = last; at; at = at->previous) { NOTHING }",
        "while (last && RARELY) { at = last; last = last->previous; if (last) last->next = 0; \
         else head = 0; RELEASE(at) free(at); }",
        "for (at = last; at && at->previous; at = at->previous) { CHECK(at->previous->next == at); }",
    ],
};

/// Links in the middle of the node, around a head of another type.
pub(super) const KERNEL: Linking = Linking {
    links: "struct link link;",
    start: "struct link all, *t = 0; all.next = all.previous = &all;",
    insert: &[
        "f->link.next = all.next; f->link.previous = &all; all.next->previous = &f->link; \
         all.next = &f->link;",
        "f->link.previous = all.previous; f->link.next = &all; all.previous->next = &f->link; \
         all.previous = &f->link;",
    ],
    walk: "for (at = NODE(all.next); &at->link != &all; at = NODE(at->link.next))",
    take: "while (all.next != &all && (at = NODE(all.next), all.next = at->link.next, \
           all.next->previous = &all, 1))",
    work: &[
        "if (RARELY && at->link.next != &all) { t = at->link.next; at->link.next = t->next; \
         t->next->previous = &at->link; RELEASE(NODE(t)) free(NODE(t)); t = 0; }",
        "if (RARELY && at->link.next != &all) { at->link.next = at->link.next->next; \
         at->link.next->previous = &at->link; }",
        "if (RARELY) CHECK(at->link.next->previous == &at->link);",
        "if (RARELY) { cursor = at; }",
    ],
    whole: &[
        "if (all.next != &all) { at = NODE(all.next); all.next = at->link.next; \
         all.next->previous = &all; RELEASE(at) free(at); }",
        "if (all.next != &all && RARELY) { all.next = all.next->next; all.next->previous = &all; }",
    ],
};

/// Some nodes have a second link, to the next one that has a second link.
pub(super) const SKIPPING: Linking = Linking {
    links: "struct node *next; struct node *fast;",
    start: "struct node *head = 0, *quick = 0, *t = 0;",
    insert: &[
        "f->next = head; head = f; f->fast = 0; if (INPUT > 0) { f->fast = quick; quick = f; }",
        "f->next = head; f->fast = head; head = f; quick = f;",
        "f->fast = 0; if (quick) { f->next = quick->next; quick->next = f; if (INPUT > 0) \
         { f->fast = quick->fast; quick->fast = f; } } else { f->next = 0; head = quick = f; }",
    ],
    walk: "for (at = head; at; at = at->next)",
    take: "while (head && (at = head, head = head->next, 1))",
    work: &[
        "if (RARELY && at->fast) CHECK(at->fast != at && at->fast->next != at);",
        "if (RARELY && at->fast) at->fast = at->fast->fast;",
        "if (RARELY) at->fast = at->next;",
        "if (RARELY) quick = at;",
        "if (at->fast && at->fast != at->next && RARELY) { t = at->next; at->next = t->next; \
         RELEASE(t) free(t); t = 0; }",
        "if (RARELY && at->fast) at->next = at->fast;",
    ],
    whole: &[
        "for (at = quick; at; at = at->fast) { CHECK(at->fast != at); }",
        "for (at = quick; at; at = at->fast) { if (RARELY) cursor = at; }",
        "while (quick && RARELY) quick = quick->fast;",
        "if (head) { at = head; head = head->next; if (quick == at) quick = head; \
         RELEASE(at) free(at); }",
        "if (head && RARELY) { at = head; head = head->next; RELEASE(at) free(at); }",
    ],
};

/// A node goes on by the one link or by the other.
pub(super) const EITHER: Linking = Linking {
    links: "struct node *left; struct node *right;",
    start: "struct node *head = 0, *t = 0;",
    insert: &[
        "if (INPUT > 0) { f->left = head; f->right = 0; } else { f->right = head; f->left = 0; } \
         head = f;",
        "f->left = f->right = 0; if (!head) head = f; else { for (at = head; at->left || at->right; \
         at = at->left ? at->left : at->right) ; if (INPUT > 0) at->left = f; else at->right = f; }",
        "f->left = head; f->right = head; head = f;",
    ],
    walk: "for (at = head; at; at = at->left ? at->left : at->right)",
    take: "while (head && (at = head, head = at->left ? at->left : at->right, 1))",
    work: &[
        "if (RARELY) { t = at->left; at->left = at->right; at->right = t; t = 0; }",
        "if (RARELY) CHECK(!at->left || !at->right || at->left == at->right);",
        "if (RARELY) at->left = 0;",
        "if (RARELY) { cursor = at; }",
        "if (RARELY && at->left) CHECK(at->left->left != at);",
        "if (RARELY && !at->right) { f = malloc(sizeof *f); PAYLOAD(f) NUMBER(f) \
         f->left = at->left; f->right = 0; at->left = f; }",
    ],
    whole: &[
        "t = 0; while (head) { at = head->left ? head->left : head->right; head->left = t; \
         head->right = 0; t = head; head = at; } head = t; t = 0;",
        "if (head) { at = head; head = at->left ? at->left : at->right; RELEASE(at) free(at); }",
        "if (head && RARELY) head = head->right;",
    ],
};

/// A block of the node knows the next node as well.
pub(super) const AHEAD: Linking = Linking {
    links: "struct node *next; struct ahead { int many; struct node *of; } *ahead;",
    start: "struct node *head = 0, *t = 0;",
    insert: &[
        "f->ahead = malloc(sizeof *f->ahead); f->next = head; f->ahead->of = head; head = f;",
        "f->ahead = malloc(sizeof *f->ahead); f->next = head; f->ahead->of = INPUT > 0 ? head : 0; \
         head = f;",
    ],
    walk: "for (at = head; at; at = at->next)",
    take: "while (head && (at = head, head = head->next, free(at->ahead), 1))",
    work: &[
        "if (RARELY) CHECK(at->ahead->of == at->next);",
        "if (RARELY) CHECK(!at->ahead->of || at->ahead->of == at->next);",
        "if (RARELY && at->next) { t = at->next; at->next = t->next; free(t->ahead); RELEASE(t) \
         free(t); t = 0; }",
        "if (RARELY && at->next) { t = at->next; at->ahead->of = at->next = t->next; \
         free(t->ahead); RELEASE(t) free(t); t = 0; }",
        "if (RARELY && at->ahead->of) at->ahead->of->ahead->many = 1;",
        "if (RARELY) cursor = at->ahead->of;",
    ],
    whole: &[
        "for (at = head; at; at = at->ahead->of) { NOTHING }",
        "t = 0; while (head) { at = head->next; head->next = t; head->ahead->of = t; t = head; \
         head = at; } head = t; t = 0;",
        "t = 0; while (head) { at = head->next; head->next = t; t = head; head = at; } head = t; \
         t = 0;",
    ],
};

/// A node of the second colour comes before one of the first colour.
pub(super) const COLOURED: Linking = Linking {
    links: "struct node *next; int colour;",
    start: "struct node *head = 0, *t = 0;",
    insert: &[
        "f->colour = !head || head->colour == 2 || INPUT > 0 ? 1 : 2; f->next = head; head = f;",
        "f->colour = head && head->colour == 1 && INPUT > 0 ? 2 : 1; f->next = head; head = f; \
         if (RARELY) f->colour = 2;",
    ],
    walk: "for (at = head; at; at = at->next)",
    take: "while (head && (at = head, head = head->next, 1))",
    work: &[
        "if (at->colour == 2) CHECK(at->next && at->next->colour == 1);",
        "if (at->colour == 2) { at = at->next; CHECK(at->colour == 1); }",
        "if (at->colour == 2 && at->next->colour == 2) CHECK(0);",
        "if (RARELY && at->colour == 1) at->colour = 2;",
        "if (RARELY && at->colour == 2) at->colour = 1;",
        "if (RARELY) { cursor = at; }",
    ],
    whole: &[
        "if (head && head->colour == 2) { at = head; head = head->next; RELEASE(at) free(at); }",
        "while (head && head->colour == 2 && RARELY) { at = head; head = head->next; RELEASE(at) \
         free(at); }",
        "for (at = head; at; at = at->colour == 2 ? at->next->next : at->next) { NOTHING }",
        "t = 0; while (head) { at = head->next; head->next = t; t = head; head = at; } head = t; \
         t = 0;",
    ],
};
