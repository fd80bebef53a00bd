//! What nodes of a list own or share, for random programs.

/// What nodes own or share.
pub(super) struct Payload {
    pub(super) types: &'static str,
    pub(super) members: &'static str,
    pub(super) start: &'static str,
    /// Gives the node `@` its payload.
    pub(super) make: &'static [&'static str],
    /// Frees what the node `@` owns.
    pub(super) release: &'static str,
    /// What is done to the payload of the node `at` during a walk.
    pub(super) work: &'static [&'static str],
    pub(super) end: &'static str,
}

pub(super) const NONE: Payload = Payload {
    types: "",
    members: "",
    start: "int *keep = 0;",
    make: &[""],
    release: "",
    work: &["NOTHING"],
    end: "",
};

/// What can be done to any payload of a block each.
const BLOCK_WORK: &[&str] = &[
    "if (RARELY) { keep = at->mine; }",
    "if (RARELY && keep) *keep = 4;",
    "if (RARELY) at->mine = 0;",
    "if (RARELY) { free(at->mine); at->mine = malloc(sizeof(int)); *at->mine = 5; }",
    "if (RARELY) { free(at->mine); at->mine = 0; }",
    "if (RARELY) { free(at->mine); }",
    "if (cursor) { int *swap = at->mine; at->mine = cursor->mine; cursor->mine = swap; }",
    "if (cursor && RARELY && cursor != at) { free(cursor->mine); cursor->mine = at->mine; at->mine = 0; }",
    "if (cursor && RARELY) { cursor->mine = at->mine; }",
    "if (RARELY) { int *swap = at->mine; at->mine = spare; spare = swap; }",
    "if (at->mine) *at->mine = 6;",
    "if (keep && RARELY) CHECK(keep != at->mine);",
    "if (RARELY) { free(spare); spare = at->mine; at->mine = 0; }",
];

pub(super) const BLOCK: Payload = Payload {
    types: "",
    members: "int *mine;",
    start: "int *keep = 0, *spare = 0;",
    make: &["@->mine = malloc(sizeof(int)); *@->mine = 3;"],
    release: "free(@->mine);",
    work: BLOCK_WORK,
    end: "free(spare);",
};

pub(super) const SOMETIMES: Payload = Payload {
    make: &[
        "@->mine = 0; if (INPUT > 0) { @->mine = malloc(sizeof(int)); *@->mine = 3; }",
        "if (INPUT > 0) @->mine = malloc(sizeof(int)); else @->mine = 0;",
    ],
    release: "if (@->mine) { *@->mine = 1; free(@->mine); }",
    ..BLOCK
};

pub(super) const TWO_BLOCKS: Payload = Payload {
    members: "int *mine; int *other;",
    make: &[
        "@->mine = malloc(sizeof(int)); @->other = malloc(sizeof(int)); *@->other = 2;",
        "@->mine = malloc(sizeof(int)); @->other = INPUT > 0 ? @->mine : malloc(sizeof(int));",
        "@->mine = malloc(sizeof(int)); @->other = @->mine;",
    ],
    release: "free(@->mine); if (@->other != @->mine) free(@->other);",
    work: &[
        "if (RARELY) { int *swap = at->mine; at->mine = at->other; at->other = swap; }",
        "if (RARELY) { at->mine = at->other; }",
        "CHECK(at->mine != at->other);",
        "if (RARELY) { keep = at->other; }",
        "if (RARELY && keep) *keep = 4;",
        "if (cursor) { int *swap = at->mine; at->mine = cursor->other; cursor->other = swap; }",
        "if (RARELY && at->mine != at->other) { free(at->mine); at->mine = at->other; }",
    ],
    ..BLOCK
};

/// A freed block stays in the node; the number says that it is freed.
pub(super) const DANGLING: Payload = Payload {
    members: "int *mine; int is_freed;",
    make: &[
        "@->mine = malloc(sizeof(int)); @->is_freed = 0;",
        "@->mine = malloc(sizeof(int)); @->is_freed = INPUT > 0; if (@->is_freed) free(@->mine);",
    ],
    release: "if (!@->is_freed) free(@->mine);",
    work: &[
        "if (!at->is_freed && RARELY) { free(at->mine); at->is_freed = 1; }",
        "if (!at->is_freed && RARELY) { free(at->mine); }",
        "if (RARELY) { at->is_freed = 1; }",
        "if (at->is_freed && RARELY) { at->mine = malloc(sizeof(int)); at->is_freed = 0; }",
        "if (!at->is_freed) *at->mine = 1;",
        "if (RARELY) { keep = at->mine; }",
        "if (cursor && RARELY) { cursor->mine = at->mine; cursor->is_freed = 1; }",
    ],
    ..BLOCK
};

pub(super) const CHILD: Payload = Payload {
    types: "struct child { struct node *home; int age; };",
    members: "struct child *mine;",
    start: "struct child *keep = 0;",
    make: &[
        "@->mine = malloc(sizeof *@->mine); @->mine->home = @; @->mine->age = 1;",
        "@->mine = 0; if (INPUT > 0) { @->mine = malloc(sizeof *@->mine); @->mine->home = @; }",
    ],
    release: "free(@->mine);",
    work: &[
        "if (at->mine) CHECK(at->mine->home == at);",
        "if (RARELY && at->mine) at->mine->home = cursor;",
        "if (RARELY && at->mine) at->mine->home = 0;",
        "if (RARELY) keep = at->mine;",
        "if (keep && RARELY) CHECK(keep->home != at);",
        "if (keep && keep->home && RARELY) CHECK(keep->home->mine == keep);",
        "if (RARELY) at->mine = 0;",
        "if (cursor) { struct child *swap = at->mine; at->mine = cursor->mine; cursor->mine = swap; }",
    ],
    end: "",
};

pub(super) const SHARED: Payload = Payload {
    members: "int *mine;",
    start: "int *keep = 0, *spare = 0, *one = malloc(sizeof(int)); *one = 5;",
    make: &["@->mine = one;", "@->mine = INPUT > 0 ? one : 0;"],
    release: "",
    work: &[
        "if (at->mine) CHECK(*at->mine == 5);",
        "if (RARELY) { free(at->mine); at->mine = 0; }",
        "if (RARELY && at->mine) *at->mine = 6;",
        "if (RARELY) at->mine = malloc(sizeof(int));",
        "if (RARELY) { keep = at->mine; one = 0; }",
        "if (RARELY) { at->mine = &number; }",
        "CHECK(at->mine == one);",
    ],
    end: "free(one);",
    ..BLOCK
};

/// Neighbours share: the first of them frees.
pub(super) const NEIGHBOURS: Payload = Payload {
    members: "int *mine; int is_owner;",
    make: &[
        "if (!spare || INPUT > 0) { spare = malloc(sizeof(int)); @->is_owner = 1; } \
         else @->is_owner = 0; @->mine = spare;",
        "@->is_owner = 1; @->mine = malloc(sizeof(int)); spare = 0;",
    ],
    release: "if (@->is_owner) free(@->mine);",
    work: &[
        "if (RARELY) at->is_owner = 0;",
        "if (RARELY) at->is_owner = 1;",
        "*at->mine = 1;",
        "if (RARELY) { keep = at->mine; }",
        "if (cursor && RARELY) { at->mine = cursor->mine; }",
    ],
    end: "",
    ..BLOCK
};

pub(super) const INNER: Payload = Payload {
    types: "struct inner { struct inner *down; int depth; };",
    members: "struct inner *mine;",
    start: "struct inner *keep = 0, *g = 0;",
    make: &[
        "@->mine = 0; while (INPUT > 0) { g = malloc(sizeof *g); g->down = @->mine; g->depth = 1; \
         @->mine = g; } g = 0;",
    ],
    release: "while (@->mine) { g = @->mine->down; free(@->mine); @->mine = g; } g = 0;",
    work: &[
        "for (g = at->mine; g; g = g->down) g->depth = 2; g = 0;",
        "for (g = at->mine; g; g = g->down) if (RARELY) { keep = g; } g = 0;",
        "if (keep && RARELY) keep->depth = 1;",
        "for (g = at->mine; g; g = g->down) CHECK(g->depth == 1); g = 0;",
        "if (at->mine) { g = at->mine; at->mine = g->down; free(g); g = 0; }",
        "if (at->mine && RARELY) { at->mine = at->mine->down; }",
        "if (RARELY) { g = malloc(sizeof *g); g->down = at->mine; g->depth = 0; at->mine = g; g = 0; }",
        "if (cursor && cursor != at && at->mine) { g = at->mine; at->mine = g->down; \
         g->down = cursor->mine; cursor->mine = g; g = 0; }",
        "if (cursor && RARELY) { cursor->mine = at->mine; at->mine = 0; }",
        "if (cursor) { g = at->mine; at->mine = cursor->mine; cursor->mine = g; g = 0; }",
    ],
    end: "",
};

pub(super) const INNER_DOUBLY: Payload = Payload {
    types: "struct inner { struct inner *down; struct inner *up; int depth; };",
    make: &[
        "@->mine = 0; while (INPUT > 0) { g = malloc(sizeof *g); g->down = @->mine; g->up = 0; \
         g->depth = 1; if (@->mine) @->mine->up = g; @->mine = g; } g = 0;",
        "@->mine = malloc(sizeof *g); @->mine->up = @->mine->down = 0; @->mine->depth = 1; \
         while (INPUT > 0) { g = malloc(sizeof *g); g->depth = 1; g->down = @->mine->down; g->up = @->mine; \
         if (g->down) g->down->up = g; @->mine->down = g; } g = 0;",
    ],
    ..INNER
};

/// Two levels: each node of an inner list owns a block, and knows the node that owns the list.
pub(super) const INNER_OWNERS: Payload = Payload {
    types: "struct inner { struct inner *down; int *leaf; int depth; struct node *home; };",
    make: &[
        "@->mine = 0; while (INPUT > 0) { g = malloc(sizeof *g); g->down = @->mine; g->depth = 1; \
         g->leaf = malloc(sizeof(int)); g->home = @; @->mine = g; } g = 0;",
        "@->mine = 0; while (INPUT > 0) { g = malloc(sizeof *g); g->down = @->mine; g->depth = 1; \
         g->leaf = 0; g->home = @; if (INPUT > 0) g->leaf = malloc(sizeof(int)); @->mine = g; } g = 0;",
    ],
    release: "while (@->mine) { g = @->mine->down; free(@->mine->leaf); free(@->mine); \
              @->mine = g; } g = 0;",
    work: &[
        "for (g = at->mine; g; g = g->down) CHECK(g->home == at); g = 0;",
        "for (g = at->mine; g; g = g->down) if (RARELY) { g->leaf = 0; } g = 0;",
        "for (g = at->mine; g; g = g->down) if (RARELY) { free(g->leaf); g->leaf = 0; } g = 0;",
        "for (g = at->mine; g; g = g->down) if (RARELY) { keep = g; } g = 0;",
        "if (keep && RARELY) CHECK(keep->home != at);",
        "if (cursor) { g = at->mine; at->mine = cursor->mine; cursor->mine = g; g = 0; }",
        "if (cursor && at->mine && RARELY) at->mine->home = cursor;",
        "if (at->mine && at->mine->down) { int *swap = at->mine->leaf; \
         at->mine->leaf = at->mine->down->leaf; at->mine->down->leaf = swap; }",
        "if (at->mine && at->mine->down && RARELY) at->mine->leaf = at->mine->down->leaf;",
    ],
    ..INNER
};

/// Some nodes are larger than others, and say so.
pub(super) const SIZED: Payload = Payload {
    members: "int is_large;",
    make: &[
        "@->is_large = 0; if (INPUT > 0) { free(@); @ = malloc(sizeof *@ + 8); @->is_large = 1; \
         *(int *)(@ + 1) = 3; }",
        "if (INPUT > 0) { free(@); @ = calloc(1, sizeof *@ + 8); @->is_large = 2; } \
         else @->is_large = 0;",
    ],
    release: "",
    work: &[
        "if (at->is_large) *(int *)(at + 1) = 4;",
        "if (at->is_large) CHECK(*(int *)(at + 1) < 5);",
        "if (at->is_large == 2) CHECK(*(int *)(at + 1) == 0);",
        "if (RARELY) at->is_large = 0;",
        "if (RARELY) at->is_large = 1;",
        "if (RARELY) *(int *)(at + 1) = 5;",
        "if (cursor && RARELY) { cursor->is_large = at->is_large; }",
    ],
    ..NONE
};

/// The larger ones own a block.
pub(super) const SIZED_OWNERS: Payload = Payload {
    make: &[
        "@->is_large = 0; if (INPUT > 0) { free(@); @ = malloc(sizeof *@ + 8); @->is_large = 1; \
         *(int **)(@ + 1) = malloc(sizeof(int)); }",
        "@->is_large = INPUT > 0; if (@->is_large) { free(@); @ = calloc(1, sizeof *@ + 8); \
         @->is_large = 1; if (INPUT > 0) *(int **)(@ + 1) = malloc(sizeof(int)); }",
    ],
    release: "if (@->is_large) free(*(int **)(@ + 1));",
    work: &[
        "if (at->is_large && *(int **)(at + 1)) **(int **)(at + 1) = 4;",
        "if (at->is_large && RARELY) { free(*(int **)(at + 1)); *(int **)(at + 1) = 0; }",
        "if (at->is_large && RARELY) free(*(int **)(at + 1));",
        "if (at->is_large && RARELY) keep = *(int **)(at + 1);",
        "if (keep && RARELY) *keep = 1;",
        "if (RARELY) at->is_large = 0;",
        "if (RARELY) at->is_large = 1;",
    ],
    ..SIZED
};
