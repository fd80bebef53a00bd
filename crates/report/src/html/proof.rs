//! A proof: at every place of it the cases that there are, in words and drawn, beside the source.

use std::collections::BTreeSet;

use heapwright_pictures::{escaped, svg_in_page};
use heapwright_trace::Sources;

use super::markup::{prose, put};
use super::source::{Said, listing};
use crate::proof::{ProofCase, ProofPlace};

/// The answer of a proof: its places on the left, the source on the right.
pub(super) fn holds(
    places: &[ProofPlace],
    summary: &str,
    files: &[String],
    sources: &mut Sources,
) -> String {
    let mut page = format!(
        "<div class=\"panes\" id=\"answer\"><section class=\"pane wide\" aria-label=\"proof\">\n\
         <h2>What holds every time</h2>\n<p class=\"mute\">{}.</p>\n",
        escaped(summary)
    );
    for (number, place) in places.iter().enumerate() {
        one(&mut page, number, place, sources);
    }
    page.push_str(
        "</section>\n<section class=\"pane stays\" aria-label=\"source\">\n<h2>Source</h2>\n",
    );
    let marked: BTreeSet<u32> = places.iter().filter_map(|place| place.line).collect();
    for (number, file) in files.iter().enumerate() {
        if number > 0 {
            put(&mut page, format_args!("<h3 class=\"code\">{}</h3>\n", escaped(file)));
        }
        page.push_str(&listing(number, file, &Said { labels: &[], places }, &marked, sources));
    }
    page.push_str("</section></div>\n");
    page
}

fn one(page: &mut String, number: usize, place: &ProofPlace, sources: &mut Sources) {
    let line = match (&place.file, place.line) {
        (Some(file), Some(line)) => sources.file(file).and_then(|text| text.line(line)),
        _ => None,
    };
    let line = line.unwrap_or_default().trim().to_owned();
    put(
        page,
        format_args!(
            "<section class=\"place\" id=\"place-{number}\"><h3><code>{}</code></h3>\n<p class=\"mute\">{}</p>\n",
            escaped(&line),
            escaped(&place.place)
        ),
    );
    let count = place.cases.len();
    for (index, case) in place.cases.iter().enumerate() {
        let number = if count > 1 { format!("{} of {count}", index + 1) } else { String::new() };
        one_case(page, &number, case);
    }
    page.push_str("</section>\n");
}

fn one_case(page: &mut String, number: &str, case: &ProofCase) {
    let words = match case.sentences.as_slice() {
        [] => "nothing in particular".to_owned(),
        sentences => prose(&sentences.join("; ")),
    };
    put(
        page,
        format_args!("<p class=\"case\"><span class=\"count\">{number}</span>{words}.</p>\n"),
    );
    if !case.scene.cards.is_empty() {
        let picture = svg_in_page(&case.scene);
        put(page, format_args!("<div class=\"picture\" tabindex=\"0\">\n{picture}</div>\n"));
    }
}
