//! Structures of structures: hash tables of lists, and lists that own lists.

use super::payload::{declare_node, node_names};
use super::scene::{INTEGER_TYPES, PlantedFault, Scene, Verb, fault, plain, verb};
use crate::program::FaultKind;
use crate::random::Random;
use crate::text::fill;

/// A chained hash table that grows.
pub(crate) fn hash_table(random: &mut Random, prefix: &str) -> Scene {
    let node = declare_node(random, prefix, "struct $p_node *next;");
    let multiplier = format!("{}u", random.below(500) * 2 + 1);
    let core = fill(TABLE_CORE, &[("p", prefix), ("m", &multiplier)]);
    let size = random.between(1, 5).to_string();
    Scene {
        names: [node_names(prefix), vec![("size", size)]].concat(),
        declarations: node + &core,
        setup: "struct $p_table table = $p_empty($size);",
        verbs: TABLE_VERBS,
        teardown: "
            mix($p_total(&table));
            for (size_t i = 0; i < table.size; i++)
            while (table.buckets[i]) $p_release($p_detach(&table.buckets[i]));
            free(table.buckets);",
        faults: TABLE_FAULTS,
    }
}

const TABLE_CORE: &str = "
struct $p_table { size_t size, used; struct $p_node **buckets; };
static struct $p_table $p_empty(size_t size) {
struct $p_table table = { .buckets = calloc(size, sizeof(struct $p_node *)), .size = size };
if (!table.buckets) abort();
return table;
}
static struct $p_node **$p_bucket(const struct $p_table *table, int value) {
return table->buckets + (unsigned int)value * $m % table->size;
}
static struct $p_node *$p_detach(struct $p_node **link) {
struct $p_node *node = *link;
*link = node->next;
node->next = NULL;
return node;
}
static void $p_attach(struct $p_table *table, struct $p_node *node) {
struct $p_node **bucket = $p_bucket(table, (int)node->key);
node->next = *bucket;
*bucket = node;
table->used++;
}
static struct $p_node **$p_find(const struct $p_table *table, int value) {
struct $p_node **link = $p_bucket(table, value);
while (*link && (int)(*link)->key != value) link = &(*link)->next;
return link;
}
static void $p_put(struct $p_table *table, int value) {
struct $p_node **found = $p_find(table, value);
if (*found) $p_store(*found, value);
else $p_attach(table, $p_create(value));
}
static unsigned int $p_total(const struct $p_table *table) {
unsigned int total = (unsigned int)table->used;
for (size_t i = 0; i < table->size; i++)
for (const struct $p_node *node = table->buckets[i]; node; node = node->next)
total = total * 33u + $p_digest(node);
return total;
}
";

const TABLE_VERBS: &[Verb] = &[
    plain("$p_put(&table, $v);"),
    plain("for (int i = 0; i < $k * 2; i++) $p_put(&table, (i * 53 + $v) % 200);"),
    plain("mix($p_total(&table));"),
    plain("printf(\"%lu used\\n\", (unsigned long)table.used);"),
    plain("mix(*$p_find(&table, $v) ? 1u : 0u);"),
    verb(
        "static int $p_remove(struct $p_table *table, int value) {
         struct $p_node **found = $p_find(table, value);
         if (!*found) return -1;
         $p_release($p_detach(found));
         return (int)--table->used;
         }",
        "printf(\"%d\\n\", $p_remove(&table, $v % 200));",
    ),
    verb(
        "static void $p_grow(struct $p_table *table) {
         struct $p_table larger = $p_empty(table->size * 2 + 1);
         if (table->size > 60) { free(larger.buckets); return; }
         for (size_t i = 0; i < table->size; i++)
         while (table->buckets[i]) $p_attach(&larger, $p_detach(&table->buckets[i]));
         free(table->buckets);
         *table = larger;
         }",
        "$p_grow(&table);",
    ),
    verb(
        "static size_t $p_longest(const struct $p_table *table) {
         size_t longest = 0, length;
         for (size_t i = table->size; i-- > 0; longest = length > longest ? length : longest) {
         length = 0;
         for (struct $p_node *node = table->buckets[i]; node; node = node->next) length++;
         }
         return longest;
         }",
        "mix((unsigned int)$p_longest(&table));",
    ),
];

const TABLE_FAULTS: &[PlantedFault] = &[
    fault(FaultKind::OutOfBounds, "mix(table.buckets[table.size] ? 1u : 0u); $fault"),
    fault(FaultKind::OutOfBounds, "table.buckets[-1] = NULL; $fault"),
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_node *node;
         $p_put(&table, $v);
         node = $p_create($w);
         $p_attach(&table, node);
         $p_release($p_detach($p_bucket(&table, (int)node->key)));
         mix((unsigned int)node->key); $fault
         }",
    ),
    fault(FaultKind::NullDereference, "mix((unsigned int)(*$p_find(&table, -5))->key); $fault"),
    fault(
        FaultKind::Leak,
        "$p_attach(&table, $p_create($v));
         $p_attach(&table, $p_create($w));
         table = $p_empty(table.size); $fault",
    ),
    fault(FaultKind::InvalidFree, "free(&table.used); $fault"),
];

/// A list of rows, each with a list of items; rows are added and dropped as wholes.
pub(crate) fn list_of_lists(random: &mut Random, prefix: &str) -> Scene {
    let declarations = fill(ROWS_CORE, &[("p", prefix), ("t", random.pick(&INTEGER_TYPES))]);
    Scene {
        names: node_names(prefix),
        declarations,
        setup: "struct $p_row *rows = NULL;",
        verbs: ROWS_VERBS,
        teardown: "mix($p_total(rows));\nwhile (rows) rows = $p_drop_row(rows);",
        faults: ROWS_FAULTS,
    }
}

const ROWS_CORE: &str = "
typedef struct $p_item $p_item;
struct $p_item { $t value; $p_item *next; };
struct $p_row { struct $p_row *below; $p_item *items; short number; };
static $p_item *$p_item_new(int value, $p_item *next) {
$p_item *item = malloc(sizeof($p_item));
if (!item) abort();
*item = ($p_item){ .next = next, .value = ($t)(value % 100) };
return item;
}
static struct $p_row *$p_row_new(struct $p_row *below, int length) {
static short counter;
struct $p_row *row = malloc(sizeof *row);
if (!row) abort();
row->below = below;
row->items = NULL;
row->number = ++counter;
while (length-- > 0) row->items = $p_item_new(length * row->number, row->items);
return row;
}
static void $p_drop_items($p_item *item) {
if (!item) return;
$p_drop_items(item->next);
free(item);
}
static struct $p_row *$p_drop_row(struct $p_row *row) {
struct $p_row *below = row->below;
$p_drop_items(row->items);
free(row);
return below;
}
static unsigned int $p_total(const struct $p_row *row) {
unsigned int total = 0;
for (; row; row = row->below) {
total += (unsigned int)row->number;
for ($p_item *item = row->items; item; item = item->next) total = total * 3u + (unsigned int)item->value;
}
return total;
}
";

const ROWS_VERBS: &[Verb] = &[
    plain("rows = $p_row_new(rows, $k);"),
    plain("rows = $p_row_new(rows, $v % 5);"),
    plain("mix($p_total(rows));"),
    plain("if (rows) rows = $p_drop_row(rows);"),
    plain("if (rows) rows->items = $p_item_new($v, rows->items);"),
    plain("for (struct $p_row *row = rows; row; row = row->below) row->items = $p_item_new(row->number, row->items);"),
    verb(
        "static void $p_move(struct $p_row *from, struct $p_row *to) {
         $p_item **end = &to->items;
         while (*end) end = &(*end)->next;
         *end = from->items;
         from->items = NULL;
         }",
        "if (rows && rows->below) $p_move(rows, rows->below);",
    ),
    verb(
        "static void $p_flatten(struct $p_row *rows, $p_item **flat) {
         if (!rows) return;
         $p_flatten(rows->below, flat);
         for ($p_item *item = rows->items; item; item = item->next) *flat = $p_item_new((int)item->value, *flat);
         }",
        "{
         $p_item *flat = NULL;
         $p_flatten(rows, &flat);
         if (flat) printf(\"%d\\n\", (int)flat->value);
         $p_drop_items(flat);
         }",
    ),
    verb(
        "static struct $p_row *$p_drop_empty(struct $p_row *row) {
         if (!row) return NULL;
         row->below = $p_drop_empty(row->below);
         return row->items ? row : $p_drop_row(row);
         }",
        "rows = $p_drop_empty(rows);",
    ),
];

const ROWS_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::Leak,
        "rows = $p_row_new(rows, $k);
         rows->items = NULL; $fault",
    ),
    fault(
        FaultKind::Leak,
        "{
         struct $p_row *row = $p_row_new(NULL, $k);
         free(row); $fault
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         $p_item *kept;
         rows = $p_row_new(rows, $k);
         kept = rows->items;
         rows = $p_drop_row(rows);
         mix((unsigned int)kept->value); $fault
         }",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         $p_item *shared;
         rows = $p_row_new(rows, $k);
         shared = rows->items;
         rows = $p_drop_row(rows);
         free(shared); $fault
         }",
    ),
    fault(
        FaultKind::NullDereference,
        "rows = $p_row_new(rows, 0);
         rows->items->next = NULL; $fault",
    ),
];
