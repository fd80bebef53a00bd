//! Aggregates by value: growing arrays of structures, tagged unions, bit-fields, structures as
//! arguments and results, nested designated initialisers, compound literals.

use super::payload::node_names;
use super::scene::{INTEGER_TYPES, KEY_TYPES, PlantedFault, Scene, Verb, fault, plain, verb};
use crate::program::FaultKind;
use crate::random::Random;
use crate::text::fill;

/// An array of structures that grows by `realloc`.
pub(crate) fn growing_array(random: &mut Random, prefix: &str) -> Scene {
    let declarations = fill(
        ARRAY_CORE,
        &[
            ("p", prefix),
            ("t", random.pick(&KEY_TYPES)),
            ("u", random.pick(&INTEGER_TYPES)),
            ("n", &random.between(1, 5).to_string()),
        ],
    );
    Scene {
        names: node_names(prefix),
        declarations,
        setup: "struct $p_array array = { .cells = NULL };",
        verbs: ARRAY_VERBS,
        teardown: "mix($p_total(&array));\nfree(array.cells);",
        faults: ARRAY_FAULTS,
    }
}

const ARRAY_CORE: &str = "
struct $p_cell { $t value; struct { $u small[$n]; double weight; } detail; };
struct $p_array { struct $p_cell *cells; size_t used, capacity; };
static struct $p_cell $p_make(int value) {
struct $p_cell cell = { .detail = { .small = { [$n - 1] = 1 }, .weight = value / 4 }, .value = ($t)value };
cell.detail.small[0] = ($u)(value % 90);
return cell;
}
static void $p_append(struct $p_array *array, struct $p_cell cell) {
if (array->used == array->capacity) {
size_t capacity = array->capacity ? array->capacity * 2 : 1;
struct $p_cell *cells = realloc(array->cells, capacity * sizeof *cells);
if (!cells) abort();
array->cells = cells;
array->capacity = capacity;
}
array->cells[array->used++] = cell;
}
static unsigned int $p_total(const struct $p_array *array) {
unsigned int total = 7;
for (size_t i = 0; i < array->used; ++i) {
const struct $p_cell *cell = &array->cells[i];
total = total * 3u + (unsigned int)cell->value + (unsigned int)cell->detail.small[0];
total += (unsigned int)cell->detail.weight;
}
return total;
}
";

const ARRAY_VERBS: &[Verb] = &[
    plain("$p_append(&array, $p_make($v));"),
    plain("for (int i = 0; i < $k; i++) $p_append(&array, $p_make(i * $k));"),
    plain("mix($p_total(&array));"),
    plain("if (array.used) array.used--;"),
    plain("if (array.used) array.cells[(unsigned int)($v) % array.used].value = $k;"),
    plain(
        "if (array.used > 1) memmove(array.cells, array.cells + 1, --array.used * sizeof *array.cells);",
    ),
    plain("if (array.used) array.cells[0] = array.cells[array.used - 1];"),
    plain(
        "if (array.used) mix((unsigned int)$p_make($v).detail.weight + (unsigned int)array.cells->value);",
    ),
    verb(
        "static int $p_compare(const void *left, const void *right) {
         const struct $p_cell *a = left, *b = right;
         return (a->value > b->value) - (a->value < b->value);
         }
         static void $p_sort(struct $p_array *array, int (*compare)(const void *, const void *)) {
         for (size_t i = 1; i < array->used; i++)
         for (size_t j = i; j > 0 && compare(&array->cells[j - 1], array->cells + j) > 0; j--) {
         struct $p_cell swap = array->cells[j];
         array->cells[j] = array->cells[j - 1];
         array->cells[j - 1] = swap;
         }
         }",
        "$p_sort(&array, $p_compare);\nmix($p_total(&array));",
    ),
    verb(
        "static struct $p_array $p_clone(struct $p_array array) {
         struct $p_cell *cells = malloc((array.used + 1) * sizeof *cells);
         if (!cells) abort();
         if (array.used) memcpy(cells, array.cells, array.used * sizeof *cells);
         return (struct $p_array){ cells, array.used, array.used + 1 };
         }",
        "{
         struct $p_array twin = $p_clone(array);
         $p_append(&twin, $p_make($v));
         mix($p_total(&twin));
         free(twin.cells);
         }",
    ),
];

const ARRAY_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::OutOfBounds,
        "$p_append(&array, $p_make($v));
         array.cells[array.capacity].value = 1; $fault",
    ),
    fault(
        FaultKind::OutOfBounds,
        "$p_append(&array, $p_make($v));
         while (array.used < array.capacity) $p_append(&array, $p_make($w));
         memset(array.cells, 0, array.capacity * sizeof *array.cells + $k); $fault",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_cell *first;
         $p_append(&array, $p_make($v));
         first = array.cells;
         while (array.used < array.capacity) $p_append(&array, $p_make($w));
         $p_append(&array, $p_make($w));
         first->value = 1; $fault
         }",
    ),
    fault(
        FaultKind::Leak,
        "$p_append(&array, $p_make($v));
         array = (struct $p_array){ .used = 0 }; $fault",
    ),
    fault(
        FaultKind::InvalidFree,
        "$p_append(&array, $p_make($v));
         $p_append(&array, $p_make($w));
         free(array.cells + 1); $fault",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         struct $p_array twin;
         $p_append(&array, $p_make($v));
         twin = array;
         free(twin.cells);
         free(array.cells); $fault
         }",
    ),
    fault(
        FaultKind::NullDereference,
        "free(array.cells);
         memset(&array, 0, sizeof array);
         mix((unsigned int)array.cells->value); $fault",
    ),
];

/// Tagged unions on the heap, an expression tree of them, bit-fields, and copies by value.
pub(crate) fn variants(random: &mut Random, prefix: &str) -> Scene {
    let widths: Vec<String> = (0..4).map(|_| random.between(1, 16).to_string()).collect();
    let declarations = fill(
        VARIANT_CORE,
        &[
            ("p", prefix),
            ("a", &widths[0]),
            ("b", &widths[1]),
            ("c", &widths[2]),
            ("d", &widths[3]),
            ("t", random.pick(&INTEGER_TYPES)),
        ],
    );
    Scene {
        names: node_names(prefix),
        declarations,
        setup: "
            struct $p_value *value = $p_number(3);
            struct $p_flags flags = { .low = 1, .sign = -1 };",
        verbs: VARIANT_VERBS,
        teardown: "
            mix($p_evaluate(value) + $p_pack(flags));
            $p_free_value(value);",
        faults: VARIANT_FAULTS,
    }
}

const VARIANT_CORE: &str = "
enum $p_tag { $p_NUMBER, $p_SUM, $p_NEGATION = 10, $p_TEXT };
struct $p_value {
enum $p_tag tag;
union {
int number;
struct { struct $p_value *left, *right; } sum;
struct $p_value *operand;
char text[12];
} as;
};
struct $p_flags { unsigned int low : $a; int sign : $b; unsigned int : 0; unsigned int high : $c; signed int rest : $d; $t whole; };
static struct $p_value *$p_allocate(struct $p_value initial) {
struct $p_value *value = malloc(sizeof *value);
if (!value) abort();
*value = initial;
return value;
}
static struct $p_value *$p_number(int number) {
return $p_allocate((struct $p_value){ $p_NUMBER, { .number = number } });
}
static unsigned int $p_evaluate(const struct $p_value *value) {
switch (value->tag) {
case $p_NUMBER: return (unsigned int)value->as.number;
case $p_SUM: return $p_evaluate(value->as.sum.left) + $p_evaluate(value->as.sum.right);
case $p_NEGATION: return 0u - $p_evaluate(value->as.operand);
case $p_TEXT: return (unsigned int)strlen(value->as.text);
}
return 0;
}
static void $p_free_value(struct $p_value *value) {
if (value->tag == $p_SUM) {
$p_free_value(value->as.sum.left);
$p_free_value(value->as.sum.right);
} else if (value->tag == $p_NEGATION) $p_free_value(value->as.operand);
free(value);
}
static unsigned int $p_pack(struct $p_flags flags) {
return flags.low + (unsigned int)flags.sign * 3u + (flags.high << 2) + (unsigned int)flags.rest + (unsigned int)flags.whole;
}
";

const VARIANT_VERBS: &[Verb] = &[
    plain("mix($p_evaluate(value));"),
    plain("value = $p_allocate((struct $p_value){ .tag = $p_SUM, .as.sum = { value, $p_number($v) } });"),
    plain("value = $p_allocate((struct $p_value){ .as = { .operand = value }, .tag = $p_NEGATION });"),
    plain(
        "{
         struct $p_value text = { .tag = $p_TEXT, .as = { .text = \"word$k\" } };
         value = $p_allocate((struct $p_value){ .tag = $p_SUM, .as.sum = { .right = value, .left = $p_allocate(text) } });
         }",
    ),
    plain("flags.low += $k;\nflags.sign ^= $v;\nmix($p_pack(flags));"),
    plain("flags.high = flags.low | (unsigned int)flags.rest;\nflags.rest--;"),
    plain("flags = (struct $p_flags){ .high = $k, .whole = $k * 3, .low = 1 };"),
    plain("printf(\"%d %u %d\\n\", flags.sign, (unsigned int)flags.high, flags.rest);"),
    plain("flags.whole++;\nflags.sign = -flags.sign;\nmix((unsigned int)(flags.sign < 0) + (flags.high > 2));"),
    verb(
        "static struct $p_flags $p_swap(struct $p_flags flags, struct $p_flags *old) {
         *old = flags;
         flags.low = old->high;
         flags.high = old->low;
         return flags;
         }",
        "{
         struct $p_flags old;
         flags = $p_swap(flags, &old);
         mix($p_pack(old) * 3u);
         mix($p_swap(old, &flags).low);
         }",
    ),
    verb(
        "static struct $p_value *$p_simplify(struct $p_value *value) {
         unsigned int result = $p_evaluate(value) % 1000u;
         $p_free_value(value);
         return $p_number((int)result);
         }",
        "value = $p_simplify(value);",
    ),
    verb(
        "static const struct { const char *name; int weights[3]; struct { char c; } tail; } $p_rows[] = {
         [1] = { .weights = { [2] = 5, [0] = 2 }, .name = \"one\" },
         [0] = { \"zero\", { 1, 2, 3 }, { 'z' } },
         [3] = { .tail.c = 'q', .name = \"three\" },
         };",
        "for (size_t i = 0; i < sizeof $p_rows / sizeof *$p_rows; i++)
         printf(\"%s %d %d\\n\", $p_rows[i].name ? $p_rows[i].name : \"-\", $p_rows[i].weights[2], $p_rows[i].tail.c);",
    ),
];

const VARIANT_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "$p_free_value(value);
         mix((unsigned int)value->tag); $fault",
    ),
    fault(
        FaultKind::Leak,
        "value = $p_number($v); $fault",
    ),
    fault(
        FaultKind::Leak,
        "value = $p_allocate((struct $p_value){ .tag = $p_NEGATION, .as.operand = value });
         value->tag = $p_NUMBER;
         value->as.operand = NULL; $fault",
    ),
    fault(
        FaultKind::InvalidFree,
        "free(&value->as); $fault",
    ),
    fault(
        FaultKind::NullDereference,
        "{
         struct $p_value *nothing = $p_allocate((struct $p_value){ .tag = $p_NEGATION, .as.operand = NULL });
         mix((unsigned int)nothing->as.operand->tag); $fault
         }",
    ),
];
