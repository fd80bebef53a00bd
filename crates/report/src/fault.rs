//! A fault in words: what is wrong, where, and what happened to the memory that it is about.

use heapwright_interpreter::{Fault, Loss};
use heapwright_memory::{Access, BlockKind, BlockSummary, FaultKind, Life, Origin};
use heapwright_program::Program;
use serde::Serialize;

use crate::codes::{Code, code_of, code_of_leak};
use crate::position::{Label, Position};

/// A fault of the checked program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// The name of the fault's kind: `double-free`.
    pub kind: &'static str,
    pub code: Code,
    /// What is wrong, in a few words.
    pub message: String,
    /// Where the user's own code is to blame.
    pub place: Option<Position>,
    /// What to say about which place; the first one is about the fault itself.
    pub labels: Vec<Label>,
    pub blocks: Vec<BlockReport>,
    /// The calls under way, innermost first.
    pub stack: Vec<FrameReport>,
}

/// The kind of what is not freed when the program ends; the interpreter has no fault for it.
const UNFREED: &str = "unfreed";

/// A block of memory that a fault is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockReport {
    /// `heap block`, ``local variable `buffer` ``.
    pub name: String,
    pub serial: u64,
    pub size: u64,
    /// Bytes from its start to the address in question.
    pub offset: i64,
    /// `alive`, `freed` or `out of scope`.
    pub life: &'static str,
    pub allocated: Option<Position>,
    pub released: Option<Position>,
}

/// A call under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FrameReport {
    pub function: String,
    pub place: Option<Position>,
}

/// What a fault that ended a run says.
#[must_use]
pub fn fault_report(program: &Program, fault: &Fault) -> FaultReport {
    let block = fault.blocks.first();
    let place = Position::of(program, fault.blame);
    let stack = fault.stack.iter().map(|frame| FrameReport {
        function: program.functions[frame.function].name.clone(),
        place: Position::of(program, frame.place),
    });
    let mut labels: Vec<Label> =
        Label::at(place.clone(), primary_text(program, fault)).into_iter().collect();
    for label in block.into_iter().flat_map(|block| history(program, block)) {
        match labels.first_mut() {
            // One word in the source cannot carry two labels in a readable way; a loop or a
            // function that is called twice has freed it there.
            Some(first) if first.position == label.position => {
                if fault.kind == FaultKind::DoubleFree {
                    first.text.push_str(", as it has done before");
                }
            }
            Some(_) | None => labels.push(label),
        }
    }
    FaultReport {
        kind: fault.kind.name(),
        code: code_of(
            fault.kind,
            fault.access,
            block.map(|block| block.life),
            block.is_some_and(|block| block.kind == BlockKind::Heap),
        ),
        message: message(fault),
        place,
        labels,
        blocks: fault.blocks.iter().map(|block| block_report(program, block)).collect(),
        stack: stack.collect(),
    }
}

/// What a block that was not freed says: one that is lost, or (without `is_lost`) one that is
/// still there when the program ends.
#[must_use]
pub fn leak_report(
    program: &Program,
    block: &BlockSummary,
    loss: Option<&Loss>,
    is_lost: bool,
) -> FaultReport {
    let allocated = Position::of(program, block.allocated);
    let lost = loss.and_then(|loss| Position::of(program, loss.blame));
    let size = bytes(block.size);
    let mut labels = Vec::new();
    let story = match (is_lost, &lost) {
        (true, Some(_)) => format!("the block ({size}) is allocated here"),
        (true, None) => {
            format!("this block of {size} is never freed, and can no longer be reached")
        }
        (false, _) => format!("this block of {size} is not freed when the program ends"),
    };
    labels.extend(Label::at(lost.clone(), "the last pointer to the block is lost here"));
    labels.extend(Label::at(allocated.clone(), story));
    let message = match is_lost {
        true => "a block of memory is lost without being freed",
        false => "memory is not freed when the program ends",
    };
    FaultReport {
        kind: if is_lost { FaultKind::Leak.name() } else { UNFREED },
        code: code_of_leak(is_lost),
        message: message.to_owned(),
        place: lost.or(allocated),
        labels,
        blocks: vec![block_report(program, block)],
        stack: Vec::new(),
    }
}

fn block_report(program: &Program, block: &BlockSummary) -> BlockReport {
    BlockReport {
        name: block_kind(program, block),
        serial: block.serial,
        size: block.size,
        offset: block.offset,
        life: match block.life {
            Life::Alive => "alive",
            Life::Freed => "freed",
            Life::OutOfScope => "out of scope",
        },
        allocated: Position::of(program, block.allocated),
        released: block.released.and_then(|place| Position::of(program, place)),
    }
}

fn message(fault: &Fault) -> String {
    let life = fault.blocks.first().map(|block| block.life);
    let detail = fault.detail.as_deref();
    match fault.kind {
        FaultKind::NullDereference => "use of a null pointer".to_owned(),
        FaultKind::DanglingDereference => match life {
            Some(Life::OutOfScope) => "use of a variable that is out of scope".to_owned(),
            Some(Life::Freed | Life::Alive) | None => "use of freed memory".to_owned(),
        },
        FaultKind::OutOfBounds => "access outside the bounds of a block".to_owned(),
        FaultKind::WildDereference => "use of a pointer to nowhere".to_owned(),
        FaultKind::ReadOnlyWrite if is_string(fault) => "write to a string literal".to_owned(),
        FaultKind::ReadOnlyWrite => "write to an object of const type".to_owned(),
        FaultKind::Overlap => "copy between ranges that overlap".to_owned(),
        FaultKind::InvalidFree => "free of what is not the start of a heap block".to_owned(),
        FaultKind::DoubleFree => "memory is freed twice".to_owned(),
        FaultKind::DivisionByZero => "division by zero".to_owned(),
        FaultKind::DivisionOverflow => "division of the smallest number by -1".to_owned(),
        FaultKind::SignedOverflow => "signed arithmetic overflows".to_owned(),
        FaultKind::InvalidCallee => "call through a pointer to no function".to_owned(),
        FaultKind::InvalidSize => "an object of an impossible size".to_owned(),
        FaultKind::InvalidUsage => "a library function is misused".to_owned(),
        FaultKind::StackExhausted => "the stack is exhausted".to_owned(),
        FaultKind::AssertionFailed => "an assertion fails".to_owned(),
        FaultKind::ErrorReached => match detail {
            Some(name) => format!("the error function `{name}` is called"),
            None => "an error function is called".to_owned(),
        },
        FaultKind::Leak => "a block of memory is lost without being freed".to_owned(),
    }
}

fn is_string(fault: &Fault) -> bool {
    fault.blocks.first().is_none_or(|block| block.kind == BlockKind::String)
}

/// What to write under the faulting line.
fn primary_text(program: &Program, fault: &Fault) -> String {
    let does = match fault.access {
        Some(Access::Read { size }) => format!("reads {}", bytes(size)),
        Some(Access::Write { size }) => format!("writes {}", bytes(size)),
        Some(Access::Free) => "frees".to_owned(),
        Some(Access::Call) => "calls".to_owned(),
        None => String::new(),
    };
    let block = fault.blocks.first();
    let name = block.map_or("the block".to_owned(), |block| block_name(program, block));
    match fault.kind {
        FaultKind::NullDereference => match fault.address {
            Some(0) | None => format!("{does} through a null pointer"),
            Some(offset) => format!("{does} at offset {offset} from a null pointer"),
        },
        FaultKind::DanglingDereference | FaultKind::OutOfBounds => match block {
            Some(block) => format!("{does} {}", location(block, &name)),
            None => does,
        },
        FaultKind::WildDereference => match fault.address {
            Some(address) => format!("{does} at {address:#x}, where there is nothing"),
            None => format!("{does} where there is nothing"),
        },
        FaultKind::ReadOnlyWrite if is_string(fault) => format!("{does} of a string literal"),
        FaultKind::ReadOnlyWrite => format!("{does} of {name}, which is const"),
        FaultKind::Overlap => "some bytes are both copied and written".to_owned(),
        FaultKind::InvalidFree => match block {
            Some(block) if block.kind == BlockKind::Heap => {
                format!("frees a pointer to byte {} of {name}, not to its start", block.offset)
            }
            Some(_) => format!("frees {name}"),
            None => "frees a pointer to nowhere".to_owned(),
        },
        FaultKind::DoubleFree => format!("frees {name} again"),
        FaultKind::InvalidCallee => "there is no function at this address".to_owned(),
        FaultKind::StackExhausted => "one call or local object too many".to_owned(),
        FaultKind::InvalidSize | FaultKind::InvalidUsage | FaultKind::SignedOverflow => {
            fault.detail.clone().unwrap_or_default()
        }
        FaultKind::AssertionFailed => match &fault.detail {
            Some(text) => format!("`{text}` is false"),
            None => "is false".to_owned(),
        },
        FaultKind::ErrorReached => "this call is reached".to_owned(),
        FaultKind::DivisionByZero => "the divisor is 0".to_owned(),
        FaultKind::DivisionOverflow => "the quotient has no representation".to_owned(),
        FaultKind::Leak => format!("by now {name} can no longer be reached"),
    }
}

/// `at offset 40 of the block, which has 40 bytes`
fn location(block: &BlockSummary, name: &str) -> String {
    let state = match block.life {
        Life::Alive => format!("has {}", bytes(block.size)),
        Life::Freed => "is freed".to_owned(),
        Life::OutOfScope => "is out of scope".to_owned(),
    };
    match block.offset {
        offset if offset < 0 => {
            format!(
                "from {} before the start of {name}, which {state}",
                bytes(offset.unsigned_abs())
            )
        }
        offset => format!("at offset {offset} of {name}, which {state}"),
    }
}

/// Where a block came from and where it ended.
fn history(program: &Program, block: &BlockSummary) -> Vec<Label> {
    let name = block_name(program, block);
    let begins = match block.kind {
        BlockKind::Heap => format!("{name} ({}) is allocated here", bytes(block.size)),
        BlockKind::Static | BlockKind::Stack => format!("{name} is declared here"),
        BlockKind::String | BlockKind::Function => return Vec::new(),
    };
    let ends = match block.life {
        Life::Freed => format!("{name} is freed here"),
        Life::Alive | Life::OutOfScope => format!("{name} goes out of scope here"),
    };
    let released = block.released.and_then(|place| Position::of(program, place));
    let allocated = Label::at(Position::of(program, block.allocated), begins);
    allocated.into_iter().chain(Label::at(released, ends)).collect()
}

/// How a sentence calls the block.
fn block_name(program: &Program, block: &BlockSummary) -> String {
    match (block.origin, block.kind) {
        // A fault is about one block, so that no reader wonders which.
        (Origin::Anonymous, BlockKind::Heap) => "the block".to_owned(),
        _ => format!("the {}", block_kind(program, block)),
    }
}

fn block_kind(program: &Program, block: &BlockSummary) -> String {
    match (block.origin, block.kind) {
        (Origin::Object(_), BlockKind::String) => "string literal".to_owned(),
        (Origin::Object(id), kind) => {
            let name = program.objects.get(id).map_or("?", |object| object.name.as_str());
            let storage = if kind == BlockKind::Static { "static" } else { "local" };
            format!("{storage} variable `{name}`")
        }
        (Origin::Function(id), _) => {
            let name = program.functions.get(id).map_or("?", |function| function.name.as_str());
            format!("function `{name}`")
        }
        (Origin::Anonymous, BlockKind::Heap) => "heap block".to_owned(),
        (Origin::Anonymous, BlockKind::Stack) => "block from alloca".to_owned(),
        (Origin::Anonymous, BlockKind::Static | BlockKind::String | BlockKind::Function) => {
            "argument of the program".to_owned()
        }
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}
