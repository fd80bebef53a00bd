//! Formats of the field, for tools that are not ours: SARIF for code scanning, witnesses of SV-COMP,
//! tests of Test-Comp, JUnit for build servers. What was checked with which tool: docs/formats.md.

mod junit;
mod sarif;
mod stamp;
mod test_suite;
mod witness;
mod xml;

pub use self::junit::check_junit;
pub use self::sarif::check_sarif;
pub use self::stamp::Stamp;
pub use self::test_suite::{TestSuiteFile, test_suite};
pub use self::witness::{
    Constraint, Content, Entry, EntryType, Invariant, InvariantItem, Location, Metadata, Producer,
    SegmentItem, TaskData, Waypoint, WaypointItem, WaypointType, read_graphml, read_yaml,
    witness_graphml, witness_yaml,
};
