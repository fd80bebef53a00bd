//! A name of a finding that survives changes of other lines, so that one run can be compared with another.

use heapwright_trace::Sources;

use crate::check::ViolationReport;
use crate::digest::{hex, sha256};

/// The user's function in which it happens.
pub(crate) fn function_of(violation: &ViolationReport) -> Option<String> {
    let of_stack = violation.fault.stack.iter().find(|frame| frame.place.is_some());
    let of_trace = violation.trace.as_ref().and_then(|trace| trace.steps.last());
    let of_stack = of_stack.map(|frame| frame.function.clone());
    of_stack.or_else(|| of_trace.map(|step| step.function.clone()))
}

/// A name of the finding that survives changes of other lines: what is wrong in which function, and the
/// words of the lines that have a part in it, without their numbers.
pub(crate) fn fingerprint(violation: &ViolationReport, sources: &mut Sources) -> String {
    let fault = &violation.fault;
    let mut words = vec![fault.code.id.to_owned(), function_of(violation).unwrap_or_default()];
    for label in &fault.labels {
        words.push(label.position.file.clone());
        let file = sources.file(&label.position.file);
        let line = file.and_then(|text| text.line(label.position.line));
        words.push(tokens(line.unwrap_or_default()));
    }
    hex(&sha256(words.join("\n").as_bytes())[..8])
}

/// A line without blanks and remarks.
fn tokens(line: &str) -> String {
    let end = ["//", "/*"].into_iter().filter_map(|mark| line.find(mark)).min();
    line[..end.unwrap_or(line.len())].split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_and_blanks_do_not_matter_to_a_fingerprint() {
        assert_eq!(tokens("  head = p -> next; /* x */"), tokens("head=p->next; // y"));
    }
}
