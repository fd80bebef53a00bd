//! Functions and control flow: function pointers, varargs, static locals, recursion, switch, goto,
//! global state, and a heap of callbacks.

use super::payload::node_names;
use super::scene::{INTEGER_TYPES, PlantedFault, Scene, Verb, fault, plain, verb};
use crate::program::FaultKind;
use crate::random::Random;
use crate::text::fill;

/// A queue of heap-allocated callbacks, run in order.
pub(crate) fn callbacks(random: &mut Random, prefix: &str) -> Scene {
    let factor = random.between(2, 50).to_string();
    let kind = random.pick(&INTEGER_TYPES);
    Scene {
        names: node_names(prefix),
        declarations: fill(CALLBACK_CORE, &[("p", prefix), ("f", &factor), ("t", kind)]),
        setup: "struct $p_task *queue = NULL;",
        verbs: CALLBACK_VERBS,
        teardown: "$p_run_all(&queue);\nmix($p_state);",
        faults: CALLBACK_FAULTS,
    }
}

const CALLBACK_CORE: &str = "
typedef unsigned int (*$p_action)(unsigned int, const void *);
struct $p_task { $p_action action; void *context; struct $p_task *next; };
static unsigned int $p_state = $f;
static unsigned int $p_add(unsigned int state, const void *context) { return state + *(const unsigned int *)context; }
static unsigned int $p_scale(unsigned int state, const void *context) { return state * (unsigned int)$f + (context != NULL); }
static unsigned int $p_measure(unsigned int state, const void *context) { return state ^ (unsigned int)strlen(context); }
static const struct { $p_action action; $t weight; } $p_actions[] = { { $p_add, 1 }, { $p_scale, 2 }, { $p_measure, 3 } };
static void $p_schedule(struct $p_task **queue, unsigned int which, unsigned int value) {
struct $p_task *task = malloc(sizeof *task);
if (!task) abort();
task->action = $p_actions[which % 3u].action;
task->context = calloc(2, sizeof(unsigned int));
if (!task->context) abort();
if (task->action == $p_measure) memcpy(task->context, \"abcdef\", value % 7u);
else *(unsigned int *)task->context = value;
task->next = NULL;
while (*queue) queue = &(*queue)->next;
*queue = task;
}
static void $p_run_first(struct $p_task **queue) {
struct $p_task *task = *queue;
if (!task) return;
*queue = task->next;
$p_state = task->action($p_state, task->context);
free(task->context);
free(task);
}
static void $p_run_all(struct $p_task **queue) {
while (*queue) $p_run_first(queue);
}
";

const CALLBACK_VERBS: &[Verb] = &[
    plain("$p_schedule(&queue, $k, (unsigned int)($v));"),
    plain("for (unsigned int i = 0; i < (unsigned int)$k; i++) $p_schedule(&queue, i, i * i);"),
    plain("$p_run_first(&queue);"),
    plain("$p_run_all(&queue);\nmix($p_state);"),
    plain("$p_state = (*$p_actions[1].action)($p_state, &queue);"),
    plain("mix((unsigned int)$p_actions[$k % 3].weight);"),
    verb(
        "static int $p_sum(int count, ...) {
         va_list arguments;
         int total = 0;
         va_start(arguments, count);
         for (int i = 0; i < count; i++) total += va_arg(arguments, int) * (i + 1);
         va_end(arguments);
         return total;
         }",
        "printf(\"%d\\n\", $p_sum($k, 1, $v, 3, -4, $k, 6));",
    ),
    verb(
        "static unsigned long long $p_gather(const char *kinds, ...) {
         unsigned long long total = 0;
         va_list arguments, copy;
         va_start(arguments, kinds);
         va_copy(copy, arguments);
         for (; *kinds; kinds++) {
         switch (*kinds) {
         case 'i': total = total * 3 + (unsigned long long)va_arg(arguments, int); break;
         case 'l': total += (unsigned long long)va_arg(arguments, long); break;
         case 'q': total ^= va_arg(arguments, unsigned long long); break;
         case 'd': total += (unsigned long long)(va_arg(arguments, double) * 2.0); break;
         case 's': total += strlen(va_arg(arguments, const char *)); break;
         default: total++;
         }
         }
         total += (unsigned long long)va_arg(copy, int);
         va_end(copy);
         va_end(arguments);
         return total;
         }",
        "printf(\"%llu\\n\", $p_gather(\"ilqds\", $v, -7L, 1ULL << 40, 2.5, \"four\"));",
    ),
];

const CALLBACK_FAULTS: &[PlantedFault] = &[
    fault(
        FaultKind::DanglingDereference,
        "{
         struct $p_task *task;
         $p_run_all(&queue);
         $p_schedule(&queue, 0, 1u);
         task = queue;
         $p_run_first(&queue);
         $p_state = task->action($p_state, &queue); $fault
         }",
    ),
    fault(
        FaultKind::Leak,
        "$p_schedule(&queue, 1u, 2u);
         queue->context = NULL; $fault
         queue->action = $p_scale;",
    ),
    fault(
        FaultKind::NullDereference,
        "$p_run_all(&queue);
         queue->action = $p_scale; $fault",
    ),
    fault(
        FaultKind::DoubleFree,
        "$p_schedule(&queue, 1u, 2u);
         free(queue->context);
         free(queue->context); $fault",
    ),
];

/// Control flow: state machines, jumps, static locals, recursion.
pub(crate) fn control(random: &mut Random, prefix: &str) -> Scene {
    let kind = random.pick(&INTEGER_TYPES);
    let number = random.between(2, 60).to_string();
    Scene {
        names: [node_names(prefix), vec![("t", kind.to_owned()), ("f", number)]].concat(),
        declarations: fill(
            "static $t $p_memory[5] = { [2] = 7, 9 };",
            &[("p", prefix), ("t", kind)],
        ),
        setup: "unsigned int state = (unsigned int)level + $f;",
        verbs: CONTROL_VERBS,
        teardown: "mix(state + (unsigned int)$p_memory[3]);",
        faults: &[],
    }
}

const CONTROL_VERBS: &[Verb] = &[
    plain("$p_memory[state % 5u]++;\nstate += (unsigned int)$p_memory[4];"),
    verb(
        "static unsigned int $p_count(void) {
         static unsigned int calls = $f;
         static struct { short parts[2]; } record = { { 3, 4 } };
         record.parts[calls % 2u]++;
         return calls++ + (unsigned int)record.parts[0];
         }",
        "state ^= $p_count();",
    ),
    verb(
        "static unsigned int $p_machine(const char *input) {
         unsigned int seen = 0;
         start:
         switch (*input++) {
         case 'a': seen += 1; goto start;
         case 'b': seen *= 3; /* fall through */
         case 'c': case 'd': seen ^= 0x55u; break;
         case '1': case '2': case '3': case '4': case '5': case '6': case '7': seen += (unsigned int)(input[-1] - '0'); goto start;
         case '\\0': return seen;
         default: goto stop;
         }
         if (seen < 5000u) goto start;
         stop:
         return seen + 1000u;
         }",
        "state += $p_machine(\"aab7c$k\");",
    ),
    verb(
        "static unsigned int $p_ackermann(unsigned int m, unsigned int n) {
         if (m == 0) return n + 1;
         return n == 0 ? $p_ackermann(m - 1, 1) : $p_ackermann(m - 1, $p_ackermann(m, n - 1));
         }",
        "state += $p_ackermann(2, $k % 3);",
    ),
    verb(
        "static int $p_odd(unsigned int n);
         static int $p_even(unsigned int n) { return n == 0 ? 1 : $p_odd(n - 1); }
         static int $p_odd(unsigned int n) { return n == 0 ? 0 : $p_even(n - 1); }",
        "state += (unsigned int)$p_even(state % 30u);",
    ),
    verb(
        "static void $p_hanoi(int disks, int from, int to, int (*moves)[3]) {
         if (disks == 0) return;
         $p_hanoi(disks - 1, from, 3 - from - to, moves);
         (*moves)[to]++;
         $p_hanoi(disks - 1, 3 - from - to, to, moves);
         }",
        "{
         int moves[3] = {0};
         $p_hanoi($k % 5, 0, 2, &moves);
         printf(\"%d %d %d\\n\", moves[0], moves[1], moves[2]);
         }",
    ),
    verb(
        "static int $p_bisect(const int *values, int count, int wanted) {
         int low = 0, high = count - 1;
         while (low <= high) {
         int middle = low + (high - low) / 2;
         if (values[middle] == wanted) return middle;
         if (values[middle] < wanted) low = middle + 1; else high = middle - 1;
         }
         return -low - 1;
         }",
        "{
         int values[] = { 1, 4, 9, 16, 25, 36, 49, [9] = 100 };
         values[7] = 64;
         values[8] = 81;
         mix((unsigned int)$p_bisect(values, sizeof values / sizeof values[0], $v % 101));
         }",
    ),
    verb(
        "static unsigned int $p_grid(unsigned int seed) {
         unsigned int grid[3][4] = { { 1 }, [2] = { [1] = 5, 6 } }, total = 0;
         unsigned int (*row)[4];
         for (int i = 0; i < 3; i++)
         for (int j = 0; j < 4; j++) {
         if (i == j) continue;
         grid[i][j] += seed * (unsigned int)(i + 1) ^ (unsigned int)j;
         if (grid[i][j] % 7u == 3u) goto out;
         }
         out:
         for (row = grid; row < grid + 3; row++) total = total * 5u + (*row)[1] + row[0][3];
         return total;
         }",
        "mix($p_grid(state));",
    ),
    verb(
        "static double $p_average(const float *values, int count) {
         double sum = 0;
         for (int i = 0; i < count; i++) sum += values[i];
         return count ? sum / 4 : -1.0;
         }",
        "{
         float values[4] = { 0.5f, $k, 2.25f };
         values[3] = (float)($v % 64) * 0.125f;
         mix((unsigned int)($p_average(values, 4) * 32.0) + (values[1] > values[3]));
         }",
    ),
    verb(
        "static unsigned int $p_duff(unsigned int count) {
         unsigned int total = 0, rounds = (count + 3u) / 4u;
         if (count == 0) return 0;
         switch (count % 4u) {
         case 0: do { total += 1u;
         case 3: total = total * 2u;
         case 2: total ^= count;
         case 1: total += 3u;
         } while (--rounds > 0);
         }
         return total;
         }",
        "state = $p_duff(state % 23u) + 1u;",
    ),
];
