//! What kinds of nodes tell of the links of their tree.

use crate::parse::{Line, Parsed};
use crate::syntax::{AtLinkText, KindText};

/// `each`, or `each with below leaf bytes`
pub(super) fn links_of_kind(line: Line<'_>) -> Parsed<Option<Vec<AtLinkText>>> {
    if line.text == "each" {
        return Ok(Some(Vec::new()));
    }
    let Some(words) = line.after("each with ") else { return Ok(None) };
    let links = words.split_whitespace().map(|word| match word {
        "below" => Ok(AtLinkText::Below),
        "leaf" => Ok(AtLinkText::Leaf),
        "bytes" => Ok(AtLinkText::Bytes),
        _ => Err(line.error("a link is `below`, a `leaf` or `bytes`")),
    });
    links.collect::<Parsed<Vec<AtLinkText>>>().map(Some)
}

/// Whether all kinds tell of all links, or none does.
pub(super) fn are_links_told(
    line: Line<'_>,
    kinds: &[KindText],
    (links, tells_more): (usize, bool),
) -> Parsed<()> {
    let is_told = kinds.iter().any(|kind| !kind.links.is_empty());
    let is_whole = kinds.iter().all(|kind| kind.links.len() == links);
    match is_told && (!is_whole || tells_more) {
        true => Err(line.error("all kinds of a tree tell of each link, or none does; then it is not sorted or related, and null is its leaf")),
        false => Ok(()),
    }
}
