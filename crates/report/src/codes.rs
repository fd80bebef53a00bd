//! Codes of faults: short names that stay, the weakness in the CWE list that each is, and what
//! `--explain` says.

use heapwright_memory::{Access, FaultKind, Life};
use serde::Serialize;

/// A kind of mistake, as people and tools look it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `HW001`
    pub id: &'static str,
    /// `UseOfFreedMemory`
    pub name: &'static str,
    /// Its number in the Common Weakness Enumeration, and its title there.
    pub cwe: u32,
    pub cwe_title: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What it means, how it usually comes about, what to do.
    pub explanation: &'static str,
    /// How bad it can get, from 0 to 10.
    pub severity: &'static str,
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

/// All codes, in their order.
pub const CODES: [Code; 15] = [
    Code {
        id: "HW001",
        name: "UseOfFreedMemory",
        cwe: 416,
        cwe_title: "Use After Free",
        summary: "freed memory is read or written",
        explanation: "A pointer was used after `free` had been called for what it points to. The\n\
            memory may belong to somebody else by then: reads give anything, writes destroy.\n\n\
            Usually a loop frees a node and then takes its link, or a second pointer to the\n\
            same block is left behind. Read what is still needed into a variable before the\n\
            call of `free`, and set pointers that stay to NULL.\n\n    \
            struct node *next = node->next;\n    free(node);\n    node = next;\n",
        severity: "8.8",
    },
    Code {
        id: "HW002",
        name: "FreedTwice",
        cwe: 415,
        cwe_title: "Double Free",
        summary: "memory is freed twice",
        explanation: "`free` was called twice for one block. The second call breaks the heap.\n\n\
            Usually two pointers are both thought to own the block, or a pointer is not reset\n\
            after `free`. Decide who owns it; `free(NULL)` is allowed, so that a pointer that\n\
            is set to NULL can be freed again.\n",
        severity: "8.1",
    },
    Code {
        id: "HW003",
        name: "NullDereference",
        cwe: 476,
        cwe_title: "NULL Pointer Dereference",
        summary: "a null pointer is used",
        explanation: "Something was read or written through a null pointer, or a function called.\n\n\
            Usually a list ended earlier than expected, a search found nothing, or (with\n\
            `--malloc-may-fail`) an allocation failed. Test the pointer first.\n",
        severity: "5.5",
    },
    Code {
        id: "HW004",
        name: "ReadOutside",
        cwe: 125,
        cwe_title: "Out-of-bounds Read",
        summary: "a read lies outside the bounds of its block",
        explanation: "An access goes past the end of a block, or before its start.\n\n\
            Usually an index is one too large (`<=` for `<`), a string lacks room for its\n\
            final zero, or a size was computed for another type.\n",
        severity: "7.1",
    },
    Code {
        id: "HW005",
        name: "WriteOutside",
        cwe: 787,
        cwe_title: "Out-of-bounds Write",
        summary: "a write lies outside the bounds of its block",
        explanation: "A write goes past the end of a block, or before its start, and destroys what\n\
            lies there.\n\nUsually an index is one too large (`<=` for `<`), a string lacks room\n\
            for its final zero, or a size was computed for another type.\n",
        severity: "8.8",
    },
    Code {
        id: "HW006",
        name: "FreeOfNonHeap",
        cwe: 590,
        cwe_title: "Free of Memory not on the Heap",
        summary: "something is freed that `malloc` did not give",
        explanation: "`free` was called for a variable, a string literal or an address that no\n\
            allocation gave. Only what `malloc`, `calloc`, `realloc` and their kin return may be\n\
            freed.\n",
        severity: "7.5",
    },
    Code {
        id: "HW007",
        name: "FreeInsideBlock",
        cwe: 761,
        cwe_title: "Free of Pointer not at Start of Buffer",
        summary: "a pointer into the middle of a block is freed",
        explanation: "`free` wants the pointer that the allocation returned. Here it got one that was\n\
            moved, or one to a member of a larger struct.\n",
        severity: "7.5",
    },
    Code {
        id: "HW008",
        name: "LostBlock",
        cwe: 401,
        cwe_title: "Missing Release of Memory after Effective Lifetime",
        summary: "a block is lost: it can no longer be reached, and it was not freed",
        explanation: "The last pointer to a block was overwritten or went out of scope. Nobody can free\n\
            it any more.\n\nUsually the only pointer to a list walks along it, or an early `return`\n\
            forgets what was allocated before.\n",
        severity: "4.0",
    },
    Code {
        id: "HW009",
        name: "NotFreedAtExit",
        cwe: 401,
        cwe_title: "Missing Release of Memory after Effective Lifetime",
        summary: "memory is still allocated when the program ends",
        explanation: "Something still points to the block, but the program ends without freeing it.\n\
            Asked for with `--property valid-memcleanup` only.\n",
        severity: "2.0",
    },
    Code {
        id: "HW010",
        name: "AssertionFails",
        cwe: 617,
        cwe_title: "Reachable Assertion",
        summary: "an assertion fails, or an error function is called",
        explanation: "The program itself says that this must not happen, and there is an execution in\n\
            which it does.\n",
        severity: "5.0",
    },
    Code {
        id: "HW011",
        name: "UseOutOfScope",
        cwe: 825,
        cwe_title: "Expired Pointer Dereference",
        summary: "a variable is used through a pointer after its scope has ended",
        explanation: "A pointer to a local variable outlived the variable: the function has returned, or\n\
            the block has ended. Allocate what must live longer, or let the caller give it.\n",
        severity: "7.5",
    },
    Code {
        id: "HW012",
        name: "WildPointer",
        cwe: 824,
        cwe_title: "Access of Uninitialized Pointer",
        summary: "a pointer that leads nowhere is used",
        explanation: "The pointer holds a number that is no address of an object: it was never given a\n\
            value, or was computed from something that is no pointer.\n",
        severity: "7.5",
    },
    Code {
        id: "HW013",
        name: "InvalidOperation",
        cwe: 758,
        cwe_title: "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior",
        summary: "the program does what C does not define",
        explanation: "A string literal or an object of const type is written, memory is copied between\n\
            ranges that overlap, a function is called through a pointer to something else, a library\n\
            function is misused, or an object has a size that no object can have.\n",
        severity: "5.0",
    },
    Code {
        id: "HW014",
        name: "Arithmetic",
        cwe: 369,
        cwe_title: "Divide By Zero",
        summary: "a division has no result, or the stack is exhausted",
        explanation: "A divisor is 0, a quotient does not fit its type, or calls are nested without end.\n",
        severity: "5.0",
    },
    Code {
        id: "HW015",
        name: "SignedOverflow",
        cwe: 190,
        cwe_title: "Integer Overflow or Wraparound",
        summary: "a signed number does not fit its type",
        explanation: "The result of `+`, `-`, `*`, `/`, `%`, `<<`, `++` or `--` is larger or smaller than all\n\
            numbers of its signed type. C does not define what happens then: compilers take it for\n\
            impossible, and drop tests that could only fail after it.\n\n\
            Usually a counter or a sum of inputs has no bound. Test the operands first, compute in a\n\
            wider type, or in an unsigned one where wrapping is meant:\n\n    \
            if (a > INT_MAX - b) return -1;      /* for b that is not negative */\n\n\
            Asked for with `--property no-overflow` only; elsewhere signed arithmetic wraps, unless\n\
            `--no-signed-overflow` rules such executions out.\n",
        severity: "5.0",
    },
];

/// The code of that name, in either case.
#[must_use]
pub fn find_code(id: &str) -> Option<&'static Code> {
    CODES.iter().find(|code| code.id.eq_ignore_ascii_case(id))
}

fn code(id: &str) -> Code {
    *find_code(id).expect("it is listed")
}

/// The code of a fault of this kind.
pub(crate) fn code_of(
    kind: FaultKind,
    access: Option<Access>,
    life: Option<Life>,
    is_inside_heap: bool,
) -> Code {
    match kind {
        FaultKind::NullDereference => code("HW003"),
        FaultKind::DanglingDereference => match life {
            Some(Life::OutOfScope) => code("HW011"),
            Some(Life::Freed | Life::Alive) | None => code("HW001"),
        },
        FaultKind::OutOfBounds => match access {
            Some(Access::Write { .. }) => code("HW005"),
            Some(Access::Read { .. } | Access::Free | Access::Call) | None => code("HW004"),
        },
        FaultKind::WildDereference => code("HW012"),
        FaultKind::InvalidFree if is_inside_heap => code("HW007"),
        FaultKind::InvalidFree => code("HW006"),
        FaultKind::DoubleFree => code("HW002"),
        FaultKind::ReadOnlyWrite
        | FaultKind::Overlap
        | FaultKind::InvalidCallee
        | FaultKind::InvalidUsage
        | FaultKind::InvalidSize => code("HW013"),
        FaultKind::DivisionByZero | FaultKind::DivisionOverflow | FaultKind::StackExhausted => {
            code("HW014")
        }
        FaultKind::SignedOverflow => code("HW015"),
        FaultKind::AssertionFailed | FaultKind::ErrorReached => code("HW010"),
        FaultKind::Leak => code("HW008"),
    }
}

/// The code of a block that was not freed.
pub(crate) fn code_of_leak(is_lost: bool) -> Code {
    code(if is_lost { "HW008" } else { "HW009" })
}

/// What `--explain` prints.
#[must_use]
pub fn explain_text(code: &Code) -> String {
    format!(
        "{}: {}  (CWE-{}: {})\n\n{}",
        code.id, code.summary, code.cwe, code.cwe_title, code.explanation
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_fault_has_a_code() {
        let used: std::collections::BTreeSet<&str> =
            FaultKind::ALL.into_iter().map(|kind| code_of(kind, None, None, false).id).collect();
        assert!(used.len() > 8);
        assert_eq!(find_code("hw003").map(|code| code.cwe), Some(476));
        assert_eq!(find_code("HW999"), None);
    }

    #[test]
    fn codes_are_numbered_without_gaps() {
        for (index, code) in CODES.iter().enumerate() {
            assert_eq!(code.id, format!("HW{:03}", index + 1));
        }
    }
}
