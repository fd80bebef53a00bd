//! Doubly linked lists: with head and tail, and kernel-style rings of links inside other structures.

use super::payload::{declare_node, node_names};
use super::scene::{KEY_TYPES, PlantedFault, Scene, Verb, fault, plain, verb};
use crate::program::FaultKind;
use crate::random::Random;
use crate::text::fill;

/// A list with pointers to both ends.
pub(crate) fn two_ended(random: &mut Random, prefix: &str) -> Scene {
    let node = declare_node(random, prefix, "struct $p_node *previous, *next;");
    Scene {
        names: node_names(prefix),
        declarations: node + &fill(TWO_ENDED_CORE, &[("p", prefix)]),
        setup: "struct $p_deque deque = {NULL, NULL, 0};",
        verbs: TWO_ENDED_VERBS,
        teardown: "mix($p_total(&deque));\nwhile (deque.first) $p_drop(&deque, deque.last);",
        faults: TWO_ENDED_FAULTS,
    }
}

const TWO_ENDED_CORE: &str = "
struct $p_deque { struct $p_node *first, *last; unsigned short length; };
static void $p_link(struct $p_deque *deque, struct $p_node *node, struct $p_node *before) {
struct $p_node *after = before ? before->next : deque->first;
node->previous = before;
node->next = after;
*(before ? &before->next : &deque->first) = node;
*(after ? &after->previous : &deque->last) = node;
deque->length++;
}
static struct $p_node *$p_unlink(struct $p_deque *deque, struct $p_node *node) {
if (node->previous) node->previous->next = node->next; else deque->first = node->next;
if (node->next) node->next->previous = node->previous; else deque->last = node->previous;
--deque->length;
return node;
}
static void $p_drop(struct $p_deque *deque, struct $p_node *node) {
if (node) $p_release($p_unlink(deque, node));
}
static unsigned int $p_total(const struct $p_deque *deque) {
unsigned int total = deque->length;
for (const struct $p_node *n = deque->first; n; n = n->next) total = total * 3u + $p_digest(n);
for (const struct $p_node *n = deque->last; n; n = n->previous) total = total * 5u + $p_digest(n);
return total;
}
";

const TWO_ENDED_VERBS: &[Verb] = &[
    plain("$p_link(&deque, $p_create($v), NULL);"),
    plain("$p_link(&deque, $p_create($v), deque.last);"),
    plain("$p_link(&deque, $p_create($v), deque.first);"),
    plain("for (int i = 0; i < $k; ++i) $p_link(&deque, $p_create(i * i), deque.last);"),
    plain("$p_drop(&deque, deque.first);"),
    plain("$p_drop(&deque, deque.last);"),
    plain("if (deque.first) $p_drop(&deque, deque.first->next);"),
    plain("mix($p_total(&deque));"),
    plain("printf(\"%hu\\n\", deque.length);"),
    plain(
        "if (deque.first) {
         struct $p_node *moved = $p_unlink(&deque, deque.first);
         $p_link(&deque, moved, deque.last);
         }",
    ),
    verb(
        "static void $p_reverse(struct $p_deque *deque) {
         struct $p_node *node = deque->first;
         deque->first = deque->last;
         deque->last = node;
         while (node) {
         struct $p_node *next = node->next;
         node->next = node->previous;
         node->previous = next;
         node = next;
         }
         }",
        "$p_reverse(&deque);",
    ),
    verb(
        "static struct $p_node *$p_at(const struct $p_deque *deque, unsigned int index) {
         struct $p_node *node = deque->first;
         while (node && index--) node = node->next;
         return node;
         }",
        "$p_drop(&deque, $p_at(&deque, (unsigned int)($v) % 8u));",
    ),
    verb(
        "static void $p_insertion_sort(struct $p_deque *deque) {
         struct $p_node *node = deque->first;
         while (node) {
         struct $p_node *next = node->next, *before;
         $p_unlink(deque, node);
         for (before = next ? next->previous : deque->last; before && before->key > node->key;)
         before = before->previous;
         $p_link(deque, node, before);
         node = next;
         }
         }",
        "$p_insertion_sort(&deque);\nmix($p_total(&deque));",
    ),
    verb(
        "static struct $p_deque $p_take(struct $p_deque deque, struct $p_deque *rest) {
         struct $p_deque none = {0};
         *rest = none;
         return deque;
         }",
        "{
         struct $p_deque other = $p_take(deque, &deque);
         $p_link(&other, $p_create($v), other.last);
         mix($p_total(&other) ^ $p_total(&deque));
         deque = other;
         }",
    ),
];

const TWO_ENDED_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_node *node = $p_create($v);
         $p_link(&deque, node, deque.last);
         $p_drop(&deque, node);
         mix((unsigned int)(node->previous != NULL)); $fault
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_node *node = $p_create($v);
         $p_link(&deque, node, NULL);
         $p_link(&deque, $p_create($w), node);
         $p_release(deque.first);
         node->next->previous->key = 3; $fault
         }",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         struct $p_node *node = $p_create($v);
         $p_link(&deque, node, deque.first);
         $p_drop(&deque, node);
         free(node); $fault
         }",
    ),
    fault(
        FaultKind::Leak,
        "$p_link(&deque, $p_create($v), NULL);
         $p_unlink(&deque, deque.first); $fault",
    ),
    fault(
        FaultKind::NullDereference,
        "$p_link(&deque, $p_create($v), deque.last);
         deque.last->next->previous = deque.first; $fault",
    ),
    fault(
        FaultKind::InvalidFree,
        "$p_link(&deque, $p_create($v), deque.last);
         free((char *)deque.last + $k); $fault",
    ),
];

/// Links inside structures, reached back by `container_of`; one item stands in two rings.
pub(crate) fn intrusive(random: &mut Random, prefix: &str) -> Scene {
    let mut fields = vec![
        format!("{} key;", random.pick(&KEY_TYPES)),
        "struct $p_link by_age;".to_owned(),
        "struct $p_link by_key;".to_owned(),
        format!("char tag[{}];", random.between(1, 9)),
    ];
    random.shuffle(&mut fields);
    let declarations = fill(INTRUSIVE_CORE, &[("p", "$p"), ("fields", &fields.join("\n"))]);
    Scene {
        names: node_names(prefix),
        declarations: fill(&declarations, &[("p", prefix)]),
        setup: "
            struct $p_link age, keys;
            $p_initialise(&age);
            $p_initialise(&keys);",
        verbs: INTRUSIVE_VERBS,
        teardown: "
            mix($p_total(&age, &keys));
            while (age.next != &age) $p_destroy($p_container(age.next, struct $p_item, by_age));",
        faults: INTRUSIVE_FAULTS,
    }
}

const INTRUSIVE_CORE: &str = "
struct $p_link { struct $p_link *next, *prev; };
struct $p_item {
$fields
};
#define $p_container(link, type, member) ((type *)((char *)(link) - offsetof(type, member)))
#define $p_for_each(position, ring) for (position = (ring)->next; position != (ring); position = position->next)
static void $p_initialise(struct $p_link *ring) { ring->next = ring->prev = ring; }
static void $p_add(struct $p_link *link, struct $p_link *before) {
struct $p_link *after = before->next;
after->prev = link;
link->next = after;
link->prev = before;
before->next = link;
}
static void $p_delete(struct $p_link *link) {
link->next->prev = link->prev;
link->prev->next = link->next;
link->next = link->prev = NULL;
}
static void $p_new(struct $p_link *age, struct $p_link *keys, int value) {
struct $p_item *item = malloc(sizeof(struct $p_item));
struct $p_link *position;
if (!item) abort();
item->key = value;
memset(item->tag, value % 100, sizeof item->tag);
$p_add(&item->by_age, age->prev);
$p_for_each(position, keys)
if ((long long)$p_container(position, struct $p_item, by_key)->key >= value) break;
$p_add(&item->by_key, position->prev);
}
static void $p_destroy(struct $p_item *item) {
$p_delete(&item->by_age);
$p_delete(&item->by_key);
free(item);
}
static unsigned int $p_total(struct $p_link *age, struct $p_link *keys) {
unsigned int total = 0;
struct $p_link *position;
$p_for_each(position, age) {
struct $p_item *item = $p_container(position, struct $p_item, by_age);
total = total * 7u + (unsigned int)item->key + (unsigned int)item->tag[0];
}
$p_for_each(position, keys) total = total * 3u + (unsigned int)$p_container(position, struct $p_item, by_key)->key;
return total;
}
";

const INTRUSIVE_VERBS: &[Verb] = &[
    plain("$p_new(&age, &keys, $v);"),
    plain("for (int i = 0; i < $k; i++) $p_new(&age, &keys, ($v + i * 37) % 1000);"),
    plain("mix($p_total(&age, &keys));"),
    plain("if (age.next != &age) $p_destroy($p_container(age.next, struct $p_item, by_age));"),
    plain("if (keys.prev != &keys) $p_destroy($p_container(keys.prev, struct $p_item, by_key));"),
    plain(
        "if (keys.next != &keys) {
         struct $p_item *smallest = $p_container(keys.next, struct $p_item, by_key);
         printf(\"%ld %d\\n\", (long)smallest->key, smallest->tag[0]);
         }",
    ),
    plain(
        "if (age.next != age.prev) {
         struct $p_link *oldest = age.next;
         $p_delete(oldest);
         $p_add(oldest, age.prev);
         }",
    ),
    verb(
        "static int $p_prune(struct $p_link *keys, int limit) {
         struct $p_link *position = keys->next, *following;
         int pruned = 0;
         for (following = position->next; position != keys; position = following, following = position->next) {
         struct $p_item *item = $p_container(position, struct $p_item, by_key);
         if ((long long)item->key % 5 != limit % 5) continue;
         $p_destroy(item);
         pruned++;
         }
         return pruned;
         }",
        "printf(\"pruned %d\\n\", $p_prune(&keys, $v));",
    ),
    verb(
        "static void $p_splice(struct $p_link *source, struct $p_link *target) {
         if (source->next == source) return;
         source->next->prev = target;
         source->prev->next = target->next;
         target->next->prev = source->prev;
         target->next = source->next;
         $p_initialise(source);
         }",
        "{
         struct $p_link other;
         $p_initialise(&other);
         $p_splice(&age, &other);
         mix($p_total(&other, &age));
         $p_splice(&other, &age);
         }",
    ),
];

const INTRUSIVE_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_item *item;
         $p_new(&age, &keys, $v);
         item = $p_container(age.prev, struct $p_item, by_age);
         $p_destroy(item);
         mix((unsigned int)item->tag[0]); $fault
         }",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         struct $p_item *item;
         $p_new(&age, &keys, $v);
         item = $p_container(age.prev, struct $p_item, by_age);
         $p_destroy(item);
         free(item); $fault
         }",
    ),
    fault(FaultKind::InvalidFree, "free($p_container(&age, struct $p_item, by_age)); $fault"),
    fault(
        FaultKind::Leak,
        "{
         struct $p_item *item;
         $p_new(&age, &keys, $v);
         item = $p_container(age.prev, struct $p_item, by_age);
         $p_delete(&item->by_age);
         $p_delete(&item->by_key);
         item = NULL; $fault
         }",
    ),
    fault(
        FaultKind::NullDereference,
        "{
         struct $p_item *item;
         $p_new(&age, &keys, $v);
         item = $p_container(age.prev, struct $p_item, by_age);
         $p_delete(&item->by_age);
         mix((unsigned int)(item->by_age.next->prev == &age)); $fault
         }",
    ),
];
