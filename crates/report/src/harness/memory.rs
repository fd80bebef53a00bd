//! Memory that the execution did not determine: allocations that fail, bytes of fresh blocks,
//! variables without a value.
//!
//! The interpreter names blocks by serial numbers, in which local objects count too; a native run
//! can only count its calls of malloc. Which block is which allocation is found by running the
//! execution again and noting at each allocation the serial that it is asked about.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

use heapwright_engine::{REPLAY_STEPS, Task, listed_inputs, run_settings};
use heapwright_interpreter::{
    ChoiceKind, DrawnInput, Environment, InputKind, Inputs, ListedInputs,
};
use heapwright_program::{ObjectKind, Place, ScalarType, VariableId};

use super::outside::{is_defined_by_program, is_known_to_libraries};
use super::{Piece, Subject};

/// A byte of fresh memory: of which allocation, where in it, its value.
type FreshByte = (usize, u64, u8);

pub(super) fn piece(subject: &Subject<'_>) -> Piece {
    let inputs = subject.violation.inputs();
    let ordinals = ordinals(subject.task, inputs);
    let mut fresh: Vec<FreshByte> = Vec::new();
    let mut failing: Vec<usize> = Vec::new();
    let mut unset = 0;
    let mut has_stack = false;
    for input in inputs {
        match input.kind {
            InputKind::UninitialisedByte { serial, offset } => match ordinals.get(&serial) {
                Some(&ordinal) if input.bits != 0 => {
                    fresh.push((ordinal, offset, input.bits as u8));
                }
                Some(_) => {}
                None if is_static(subject.task, serial) => {}
                None => {
                    has_stack = true;
                    unset += usize::from(input.bits != 0);
                }
            },
            InputKind::UninitialisedVariable(_) => {
                has_stack = true;
                unset += usize::from(input.bits != 0);
            }
            InputKind::AllocationFails { serial } if input.bits != 0 => {
                failing.extend(ordinals.get(&serial));
            }
            InputKind::AllocationFails { .. }
            | InputKind::Nondeterministic(_)
            | InputKind::Choice(_)
            | InputKind::Character => {}
        }
    }
    fresh.sort_unstable();
    failing.sort_unstable();
    let mut piece = Piece::default();
    if has_stack {
        piece.flags.push("-ftrivial-auto-var-init=zero".to_owned());
    }
    if unset > 0 {
        let what = if unset == 1 { "value" } else { "values" };
        piece.caveats.push(format!(
            "{unset} {what} of local variables that are never set; in the execution they are not \
             zero (`heapwright check` lists them under \"inputs\")"
        ));
    }
    if !fresh.is_empty() || !failing.is_empty() {
        piece.text = wrappers(&fresh, &failing);
        piece.flags.push("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc".to_owned());
        let program = &subject.task.program;
        let is_used = |name: &&&str| {
            program.function_named(name).is_some() && !is_defined_by_program(program, name)
        };
        let others: Vec<&str> = OTHER_ALLOCATORS.iter().filter(is_used).copied().collect();
        if !others.is_empty() {
            piece.caveats.push(format!(
                "blocks from {} are not counted, so that it may be another block that is null or \
                 filled",
                others.join(", ")
            ));
        }
    }
    piece
}

/// Functions beyond malloc, calloc and realloc that allocate in our models.
const OTHER_ALLOCATORS: &[&str] = &[
    "reallocarray",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "strdup",
    "strndup",
    "__strdup",
    "__strndup",
];

/// Whether this is the block of an object that lives throughout: the harness defines it.
fn is_static(task: &Task, serial: u64) -> bool {
    task.program.objects.enumerated().any(|(id, object)| {
        object.kind == ObjectKind::External
            && !is_known_to_libraries(&object.name)
            && heapwright_interpreter::static_serial(id) == serial
    })
}

/// The position of each heap block among all allocations, by its serial.
fn ordinals(task: &Task, inputs: &[DrawnInput]) -> BTreeMap<u64, usize> {
    let mut settings = run_settings(task);
    settings.limits.steps = REPLAY_STEPS;
    settings.malloc_may_fail = true;
    settings.record_inputs = false;
    let serials = Rc::new(RefCell::new(Vec::new()));
    let watched = Watched { listed: listed_inputs(inputs), serials: Rc::clone(&serials) };
    let _report =
        heapwright_interpreter::run(&task.program, &settings, Environment::silent(watched));
    let serials = serials.borrow();
    serials.iter().enumerate().map(|(ordinal, &serial)| (serial, ordinal)).collect()
}

/// The inputs of the execution, with a note of every allocation.
struct Watched {
    listed: ListedInputs,
    serials: Rc<RefCell<Vec<u64>>>,
}

impl Inputs for Watched {
    fn nondeterministic(&mut self, name: &str, ty: ScalarType, place: Place) -> u128 {
        self.listed.nondeterministic(name, ty, place)
    }

    fn uninitialised_variable(
        &mut self,
        variable: Option<VariableId>,
        ty: ScalarType,
        place: Place,
    ) -> u128 {
        self.listed.uninitialised_variable(variable, ty, place)
    }

    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        self.listed.uninitialised_byte(serial, offset)
    }

    fn allocation_fails(&mut self, serial: u64) -> bool {
        self.serials.borrow_mut().push(serial);
        self.listed.allocation_fails(serial)
    }

    fn choose(&mut self, kind: ChoiceKind, options: u32) -> u32 {
        self.listed.choose(kind, options)
    }

    fn chooses(&self) -> bool {
        self.listed.chooses()
    }

    fn character(&mut self) -> Option<u8> {
        self.listed.character()
    }
}

/// The C of the wrapped allocators.
fn wrappers(fresh: &[FreshByte], failing: &[usize]) -> String {
    let mut text = String::from(
        "
// Allocations are counted from 0. These give a null pointer, in this order.
static const unsigned long failing[] = {",
    );
    for ordinal in failing {
        write!(text, "{ordinal}, ").expect("a string takes everything");
    }
    text.push_str(
        "-1UL};\n\n// What fresh memory holds where it is not zero: allocation, offset, byte.\n",
    );
    text.push_str("static const struct { unsigned long allocation; size_t offset; unsigned char byte; } fresh[] = {\n");
    for (ordinal, offset, byte) in fresh {
        writeln!(text, "    {{{ordinal}, {offset}, {byte:#04x}}},")
            .expect("a string takes everything");
    }
    text.push_str("    {-1UL, 0, 0},\n};\n");
    text.push_str(WRAPPERS);
    text
}

const WRAPPERS: &str = "
extern void *__real_malloc(size_t size);
extern void *__real_calloc(size_t count, size_t size);
extern void *__real_realloc(void *block, size_t size);
extern size_t malloc_usable_size(void *block);

static unsigned long allocation;

// Counts an allocation; whether it fails.
static int next_allocation_fails(void)
{
    static const unsigned long *next = failing;
    int fails = allocation++ == *next;
    next += fails;
    return fails;
}

// Fills the bytes of the latest allocation from `start` on.
static void *filled(void *block, size_t start, size_t size)
{
    for (size_t index = 0; block != 0 && fresh[index].allocation != -1UL; index++)
        if (fresh[index].allocation == allocation - 1 && fresh[index].offset >= start
            && fresh[index].offset < size)
            ((unsigned char *)block)[fresh[index].offset] = fresh[index].byte;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return next_allocation_fails() ? 0 : filled(__real_malloc(size), 0, size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return next_allocation_fails() ? 0 : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    size_t old = block == 0 ? 0 : malloc_usable_size(block);
    if (block != 0 && size == 0)
        return __real_realloc(block, size);
    return next_allocation_fails() ? 0 : filled(__real_realloc(block, size), old, size);
}
";
