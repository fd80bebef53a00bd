//! Alarms: why an exploration ended before everything was seen to be right.

use heapwright_program::Place;
use heapwright_property::Part;

use crate::precision::Field;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alarm {
    pub(crate) kind: AlarmKind,
    pub(crate) place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AlarmKind {
    /// A part of the specification may be violated.
    Violation(Part),
    /// A pointer is stored of which nothing is known.
    UnknownStored,
    /// A block has a link field that the precision does not know.
    NewField(Field),
    /// There are blocks of a size that the precision does not know.
    NewSize(u64),
    /// Something that this analysis does not carry.
    Unsupported(String),
}

impl AlarmKind {
    pub(crate) fn unsupported(what: impl Into<String>) -> AlarmKind {
        AlarmKind::Unsupported(what.into())
    }

    /// What a reader is told.
    pub(crate) fn words(&self) -> String {
        match self {
            AlarmKind::Violation(Part::UnreachCall) => {
                "shape classes do not rule out that an error is reached here".to_owned()
            }
            AlarmKind::Violation(Part::ValidDeref) => {
                "shape classes do not rule out that this access is invalid".to_owned()
            }
            AlarmKind::Violation(Part::ValidFree) => {
                "shape classes do not rule out that this free is invalid".to_owned()
            }
            AlarmKind::Violation(Part::ValidMemtrack) => {
                "shape classes do not rule out that a block is lost before this place".to_owned()
            }
            AlarmKind::Violation(part) => format!("shape classes do not show {part} here"),
            AlarmKind::UnknownStored => {
                "a pointer is stored of which shape classes know nothing".to_owned()
            }
            AlarmKind::NewField(field) => {
                format!("a link at byte {} of blocks of {} bytes", field.offset, field.size)
            }
            AlarmKind::NewSize(size) => format!("blocks of {size} bytes"),
            AlarmKind::Unsupported(what) => format!("not carried by shape classes: {what}"),
        }
    }
}
