//! Singly linked lists: with a head pointer, and circular with a pointer to the last node.

use super::payload::{declare_node, node_names};
use super::scene::{PlantedFault, Scene, Verb, fault, plain, verb};
use crate::program::FaultKind;
use crate::random::Random;
use crate::text::fill;

/// A list that ends in null.
pub(crate) fn list(random: &mut Random, prefix: &str) -> Scene {
    let node = declare_node(random, prefix, "struct $p_node *next;");
    Scene {
        names: node_names(prefix),
        declarations: node + &fill(LIST_CORE, &[("p", prefix)]),
        setup: "struct $p_node *head = NULL;",
        verbs: LIST_VERBS,
        teardown: "
            mix($p_total(head));
            while (head) $p_release($p_pop(&head));",
        faults: LIST_FAULTS,
    }
}

const LIST_CORE: &str = "
static void $p_push(struct $p_node **head, int value) {
struct $p_node *node = $p_create(value);
node->next = *head;
*head = node;
}
static struct $p_node *$p_pop(struct $p_node **head) {
struct $p_node *first = *head;
if (first) *head = first->next;
return first;
}
static unsigned int $p_total(const struct $p_node *node) {
unsigned int total = 0;
for (; node; node = node->next) total = total * 31u + $p_digest(node);
return total;
}
";

const LIST_VERBS: &[Verb] = &[
    plain("$p_push(&head, $v);"),
    plain("for (int i = 0; i < $k; i++) $p_push(&head, i * 7 + $k);"),
    plain("mix($p_total(head));"),
    plain("if (head) $p_store(head, $v);"),
    plain("if (head && head->next) $p_release($p_pop(&head->next));"),
    plain("if (head) $p_release($p_pop(&head));"),
    verb(
        "static void $p_append(struct $p_node **head, int value) {
         struct $p_node **link = head;
         while (*link) link = &(*link)->next;
         *link = $p_create(value);
         }",
        "$p_append(&head, $v);",
    ),
    verb(
        "static void $p_insert_sorted(struct $p_node **head, int value) {
         struct $p_node *node = $p_create(value);
         while (*head && (long long)(*head)->key < value) head = &(*head)->next;
         node->next = *head;
         *head = node;
         }",
        "$p_insert_sorted(&head, $v);",
    ),
    verb(
        "static int $p_remove(struct $p_node **head, int value) {
         struct $p_node *before = NULL, *node = *head;
         while (node && (long long)node->key != value) {
         before = node;
         node = node->next;
         }
         if (!node) return 0;
         if (before) before->next = node->next; else *head = node->next;
         $p_release(node);
         return 1;
         }",
        "mix((unsigned int)$p_remove(&head, $v % 20));",
    ),
    verb(
        "static void $p_reverse(struct $p_node **head) {
         struct $p_node *done = NULL;
         while (*head) {
         struct $p_node *node = *head;
         *head = node->next;
         node->next = done;
         done = node;
         }
         *head = done;
         }",
        "$p_reverse(&head);",
    ),
    verb(
        "static struct $p_node *$p_turn(struct $p_node *node) {
         struct $p_node *rest;
         if (!node || !node->next) return node;
         rest = $p_turn(node->next);
         node->next->next = node;
         node->next = NULL;
         return rest;
         }",
        "head = $p_turn(head);",
    ),
    verb(
        "static struct $p_node *$p_merge(struct $p_node *a, struct $p_node *b) {
         struct $p_node start = {0}, *last = &start;
         while (a && b) {
         struct $p_node **smaller = a->key <= b->key ? &a : &b;
         last->next = *smaller;
         last = last->next;
         *smaller = last->next;
         }
         last->next = a ? a : b;
         return start.next;
         }
         static struct $p_node *$p_sort(struct $p_node *head) {
         struct $p_node *slow = head, *fast, *half;
         if (!head || !head->next) return head;
         fast = head->next;
         while (fast && fast->next) {
         slow = slow->next;
         fast = fast->next->next;
         }
         half = slow->next;
         slow->next = NULL;
         return $p_merge($p_sort(head), $p_sort(half));
         }",
        "head = $p_sort(head);\nmix($p_total(head));",
    ),
    verb(
        "static struct $p_node *$p_copy(const struct $p_node *node) {
         struct $p_node *copy = NULL, **end = &copy;
         for (int i = 0; node && i < 10; i++, node = node->next) {
         *end = $p_create((int)node->key);
         end = &(*end)->next;
         }
         return copy;
         }",
        "{
         struct $p_node *copy = $p_copy(head);
         mix($p_total(copy));
         while (copy) $p_release($p_pop(&copy));
         }",
    ),
    verb(
        "static int $p_deduplicate(struct $p_node *node) {
         int removed = 0;
         while (node && node->next) {
         if (node->key != node->next->key) { node = node->next; continue; }
         $p_release($p_pop(&node->next));
         removed++;
         }
         return removed;
         }",
        "printf(\"%d\\n\", $p_deduplicate(head));",
    ),
    verb(
        "static unsigned int $p_length(const struct $p_node *node) {
         return node ? 1u + $p_length(node->next) : 0u;
         }",
        "printf(\"$p %u\\n\", $p_length(head));",
    ),
    verb(
        "static struct $p_node *$p_find(struct $p_node *node, int value) {
         while (node && (int)node->key != value) node = node->next;
         return node;
         }",
        "{
         struct $p_node *found = $p_find(head, $v % 30);
         if (found) mix($p_digest(found));
         }",
    ),
    verb(
        "static void $p_split(struct $p_node *node, struct $p_node **even, struct $p_node **odd) {
         while (node) {
         struct $p_node *next = node->next;
         struct $p_node **target = (int)node->key % 2 ? odd : even;
         node->next = *target;
         *target = node;
         node = next;
         }
         }",
        "{
         struct $p_node *halves[2] = { [1] = NULL, [0] = NULL };
         $p_split(head, &halves[0], halves + 1);
         head = halves[1];
         while (halves[0]) { struct $p_node *node = $p_pop(&halves[0]); node->next = head; head = node; }
         }",
    ),
];

const LIST_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_node *old;
         $p_push(&head, $v);
         old = $p_pop(&head);
         $p_release(old);
         mix((unsigned int)old->key); $fault
         }",
    ),
    fault(
        FaultKind::DanglingDereference,
        "while (head) $p_release($p_pop(&head));
         $p_push(&head, $v);
         $p_push(&head, $w);
         $p_release(head->next);
         head->next->key = 1; $fault",
    ),
    fault(
        FaultKind::DanglingDereference,
        "while (head) $p_release($p_pop(&head));
         $p_push(&head, $v);
         for (struct $p_node *node = head; node;
         node = node->next) /* the link of a node that was just freed */ $fault
         $p_release(node);",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         struct $p_node *old;
         $p_push(&head, $v);
         old = $p_pop(&head);
         $p_release(old);
         free(old); $fault
         }",
    ),
    fault(
        FaultKind::NullDereference,
        "{
         struct $p_node *last = head;
         while (last) last = last->next;
         mix((unsigned int)last->key); $fault
         }",
    ),
    fault(
        FaultKind::NullDereference,
        "while (head) $p_release($p_pop(&head));
         head->next = NULL; $fault",
    ),
    fault(
        FaultKind::Leak,
        "$p_push(&head, $v);
         head = head->next; $fault",
    ),
    fault(
        FaultKind::Leak,
        "for (int i = 0; i < $k; i++) $p_push(&head, i);
         head = NULL; $fault",
    ),
    fault(
        FaultKind::Leak,
        "$p_push(&head, $v);
         $p_push(&head, $w);
         head->next = head->next->next; $fault",
    ),
    fault(
        FaultKind::InvalidFree,
        "$p_push(&head, $v);
         free((char *)head + sizeof *head / 2); $fault",
    ),
];

/// A circular list, held by its last node.
pub(crate) fn circular(random: &mut Random, prefix: &str) -> Scene {
    let node = declare_node(random, prefix, "struct $p_node *next;");
    Scene {
        names: node_names(prefix),
        declarations: node + &fill(RING_CORE, &[("p", prefix)]),
        setup: "struct $p_node *last = NULL;",
        verbs: RING_VERBS,
        teardown: "mix($p_total(last));\nwhile (last) $p_remove_first(&last);",
        faults: RING_FAULTS,
    }
}

const RING_CORE: &str = "
static void $p_insert(struct $p_node **last, int value) {
struct $p_node *node = $p_create(value);
if (!*last) {
node->next = node;
*last = node;
} else {
node->next = (*last)->next;
(*last)->next = node;
}
}
static void $p_remove_first(struct $p_node **last) {
struct $p_node *first;
if (!*last) return;
first = (*last)->next;
if (first == *last) *last = NULL; else (*last)->next = first->next;
$p_release(first);
}
static unsigned int $p_total(const struct $p_node *last) {
unsigned int total = 0;
const struct $p_node *node = last;
if (node) do {
node = node->next;
total = total * 17u + $p_digest(node);
} while (node != last);
return total;
}
";

const RING_VERBS: &[Verb] = &[
    plain("$p_insert(&last, $v);"),
    plain("for (int i = $k; i-- > 0;) $p_insert(&last, i);"),
    plain("$p_remove_first(&last);"),
    plain("mix($p_total(last));"),
    plain("for (int i = 0; last && i < $k; i++) last = last->next;"),
    plain("if (last) printf(\"%u %x\\n\", $p_digest(last), $p_digest(last->next));"),
    plain("$p_insert(&last, $v);\nlast = last->next;"),
    verb(
        "static void $p_eliminate(struct $p_node **last, int step) {
         while (*last && (*last)->next != *last) {
         for (int i = 1; i < step; i++) *last = (*last)->next;
         mix($p_digest((*last)->next));
         $p_remove_first(last);
         }
         }",
        "$p_eliminate(&last, $k);",
    ),
];

const RING_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "while (last) $p_remove_first(&last);
         $p_insert(&last, $v);
         $p_insert(&last, $w);
         $p_release(last->next);
         mix((unsigned int)last->next->key); $fault",
    ),
    fault(
        FaultKind::DoubleFree,
        "{
         struct $p_node *first;
         $p_insert(&last, $v);
         $p_insert(&last, $w);
         first = last->next;
         $p_remove_first(&last);
         free(first); $fault
         }",
    ),
    fault(
        FaultKind::Leak,
        "$p_insert(&last, $v);
         $p_insert(&last, $w);
         last->next = last->next->next; $fault",
    ),
    fault(
        FaultKind::NullDereference,
        "while (last) $p_remove_first(&last);
         last = last->next; $fault",
    ),
];
