//! The answers to the parts of a question, one by one: for people a table, for programs plain data.

use heapwright_property::Part;
use serde::{Serialize, Serializer};

use crate::check::ReasonReport;
use crate::palette::Palette;
use crate::verdict_line::reason_text;
use crate::wrap::hanging;

/// What became of one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartReport {
    #[serde(serialize_with = "name_of")]
    pub part: Part,
    pub verdict: PartVerdict,
    /// The engine that decided.
    pub engine: Option<String>,
    /// The answer is about executions up to a first violation of one of these, which are not shown.
    #[serde(serialize_with = "names_of")]
    pub up_to: Vec<Part>,
    /// What stands in the way, if an engine names it.
    pub obstacle: Option<ReasonReport>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartVerdict {
    Holds,
    Violated,
    Unknown,
}

/// The table; nothing where all parts have the same answer, since the first line gives it.
pub(crate) fn parts_table(parts: &[PartReport], palette: Palette) -> String {
    let is_uniform = parts.windows(2).all(|pair| pair[0].verdict == pair[1].verdict);
    if is_uniform {
        return String::new();
    }
    let mut text = format!("\n{}:\n", palette.bold("part by part"));
    let width = parts.iter().map(|part| part.part.name().len()).max().unwrap_or(0);
    for part in parts {
        let (verdict, painted) = match part.verdict {
            PartVerdict::Holds => ("holds", palette.good("holds")),
            PartVerdict::Violated => ("violated", palette.bad("violated")),
            PartVerdict::Unknown => ("unknown", palette.doubtful("unknown")),
        };
        let padding = " ".repeat("violated".len() - verdict.len());
        // Colours take no room.
        let before = format!("  {:width$}  {verdict}{padding}  ", part.part.name());
        let told = hanging(&before, &remark(part), palette.width);
        text.push_str(&told.replacen(verdict, &painted, 1));
    }
    text
}

fn remark(part: &PartReport) -> String {
    match (part.verdict, &part.obstacle) {
        (PartVerdict::Holds, _) => {
            let engine = part.engine.as_deref().unwrap_or_default();
            let by = format!("proved by `{engine}`");
            let names: Vec<&str> = part.up_to.iter().map(|part| part.name()).collect();
            match names.as_slice() {
                [] => by,
                names => format!("{by}, in executions up to a violation of {}", names.join(" or ")),
            }
        }
        (PartVerdict::Violated, _) => {
            format!("found by `{}`", part.engine.as_deref().unwrap_or_default())
        }
        (PartVerdict::Unknown, Some(obstacle)) => reason_text(obstacle),
        (PartVerdict::Unknown, None) => String::new(),
    }
}

fn name_of<S: Serializer>(part: &Part, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(part.name())
}

fn names_of<S: Serializer>(parts: &[Part], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(parts.iter().map(|part| part.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(part: Part, verdict: PartVerdict) -> PartReport {
        let engine = Some("symbolic-heap".to_owned());
        PartReport { part, verdict, engine, up_to: Vec::new(), obstacle: None }
    }

    #[test]
    fn parts_with_one_answer_need_no_table() {
        let parts =
            [Part::ValidDeref, Part::ValidFree].map(|part| report(part, PartVerdict::Holds));
        assert_eq!(parts_table(&parts, Palette::PLAIN), "");
    }

    #[test]
    fn a_line_says_up_to_where_a_part_holds() {
        let mut free = report(Part::ValidFree, PartVerdict::Holds);
        free.up_to = vec![Part::ValidDeref];
        let parts = [report(Part::ValidDeref, PartVerdict::Violated), free];
        let expected = "\npart by part:\n  \
            valid-deref  violated  found by `symbolic-heap`\n  \
            valid-free   holds     proved by `symbolic-heap`, in executions up to a violation of \
            valid-deref\n";
        assert_eq!(parts_table(&parts, Palette::PLAIN), expected);
    }
}
