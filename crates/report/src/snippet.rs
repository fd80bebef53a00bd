//! Source lines with labels under them, as compilers show them.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Level, Origin, Renderer, Snippet};

use crate::long_lines::cut_lines;
use crate::palette::Palette;
use crate::position::{Label, Position};
use heapwright_trace::{Excerpt, Sources, printable};

/// Where what a label is about lies in its file's text.
fn range(sources: &mut Sources, label: &Label) -> Option<Range<usize>> {
    let Position { file, line, column } = &label.position;
    let text = sources.file(file)?;
    let length = text.line(*line).filter(|text| !text.trim().is_empty())?.len();
    let start = text.start_of(*line)?;
    // A column that the line does not have is that of another file: the whole line is then meant.
    let is_there = (*column as usize) <= length && *column > 0;
    let column = if is_there { *column } else { 1 };
    let span = sources.span(file, *line, column, Excerpt::Chain(None));
    let end = if is_there && label.end_column > column { label.end_column } else { span.end };
    let (from, to) = (column as usize - 1, (end as usize - 1).min(length));
    let is_cut_well = sources.file(file)?.line(*line)?.get(from..to.max(from)).is_some();
    is_cut_well.then(|| start + from..start + to.max(from))
}

/// `violated: title` and the lines; the first label is what it is about.
pub(crate) fn render(
    word: &str,
    title: &str,
    labels: &[Label],
    sources: &mut Sources,
    palette: Palette,
) -> String {
    let level = Level::ERROR.with_name(word);
    let files: Vec<Part<'_>> = by_file(labels)
        .into_iter()
        .map(|(file, labels)| Part::new(file, labels, sources, palette.width))
        .collect();
    let mut group = level.primary_title(title).elements(Vec::<Origin<'_>>::new());
    for part in &files {
        match &part.text {
            Some((text, ranges)) => {
                let annotations = annotations(&part.labels, ranges);
                let snippet = Snippet::source(text.as_str()).path(part.name.as_str());
                group = group.element(snippet.annotations(annotations));
            }
            // Without the text there is still the place.
            None => {
                for (_, label) in &part.labels {
                    let line = label.position.line as usize;
                    let origin = Origin::path(part.name.as_str()).line(line);
                    group = group.element(origin);
                    group = group.element(Level::NOTE.message(label.text.as_str()));
                }
            }
        }
    }
    let renderer = if palette.is_coloured { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(palette.width);
    let rendered = renderer.render(&[group]);
    files
        .iter()
        .filter_map(|part| part.place.as_ref())
        .fold(rendered, |text, (cut, whole)| text.replacen(cut.as_str(), whole, 1))
}

/// The labels of each file, the files in the order of their first label.
fn by_file(labels: &[Label]) -> Vec<(&str, Vec<(bool, &Label)>)> {
    let mut files: Vec<(&str, Vec<(bool, &Label)>)> = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let item = (index == 0, label);
        match files.iter_mut().find(|(file, _)| *file == label.position.file) {
            Some((_, items)) => items.push(item),
            None => files.push((&label.position.file, vec![item])),
        }
    }
    files
}

/// What is shown of a file.
struct Part<'l> {
    /// As it may be printed.
    name: String,
    labels: Vec<(bool, &'l Label)>,
    /// The text, and where in it the labels point to; none if one of the places cannot be shown.
    text: Option<(String, Vec<Range<usize>>)>,
    /// The place of what it is about, as a cut line has it and as it is.
    place: Option<(String, String)>,
}

impl<'l> Part<'l> {
    fn new(
        file: &str,
        labels: Vec<(bool, &'l Label)>,
        sources: &mut Sources,
        width: usize,
    ) -> Part<'l> {
        let ranges: Option<Vec<Range<usize>>> =
            labels.iter().map(|(_, label)| range(sources, label)).collect();
        let text = sources.file(file).map_or("", |text| text.text.as_str());
        let shown = ranges.clone().map(|ranges| cut_lines(text, &ranges, width));
        let name = printable(file);
        let place = |text: &str, ranges: &[Range<usize>]| {
            let start = ranges.first()?.start;
            let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
            let column = text[line..start].chars().count() + 1;
            Some(format!("{name}:{}:{column}", text[..line].matches('\n').count() + 1))
        };
        let cut = shown.as_ref().and_then(|(text, ranges)| place(text, ranges));
        let whole = ranges.and_then(|ranges| place(text, &ranges));
        let place = cut.zip(whole).filter(|(cut, whole)| cut != whole);
        Part { name, labels, text: shown, place }
    }
}

fn annotations<'l>(labels: &[(bool, &'l Label)], ranges: &[Range<usize>]) -> Vec<Annotation<'l>> {
    let annotate = |((is_primary, label), range): (&(bool, &'l Label), &Range<usize>)| {
        let kind = if *is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        kind.span(range.clone()).label(label.text.as_str())
    };
    labels.iter().zip(ranges).map(annotate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(line: u32, column: u32) -> Label {
        let position = Position { file: "a.c".to_owned(), line, column };
        Label { position, text: String::new(), end_column: 0 }
    }

    #[test]
    fn a_label_stands_under_the_expression_at_its_column() {
        let text = "int x;\n  free(x);\n";
        let mut sources = Sources::of([("a.c".to_owned(), text.to_owned())]);
        assert_eq!(range(&mut sources, &label(2, 3)).map(|it| &text[it]), Some("free(x)"));
        let wider = Label { end_column: 11, ..label(2, 3) };
        assert_eq!(range(&mut sources, &wider).map(|it| &text[it]), Some("free(x);"));
    }

    #[test]
    fn a_line_that_is_cut_keeps_its_column() {
        let text = format!("int {}; free(x);\n", "a".repeat(200));
        let mut sources = Sources::of([("a.c".to_owned(), text)]);
        let shown = render("violated", "t", &[label(1, 207)], &mut sources, Palette::PLAIN);
        assert!(shown.contains("--> a.c:1:207") && shown.contains("…aaa"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
    }

    #[test]
    fn a_line_that_is_not_there_has_no_label() {
        let mut sources = Sources::of([("a.c".to_owned(), "int x;\n\n".to_owned())]);
        assert_eq!(range(&mut sources, &label(2, 1)), None);
        assert_eq!(range(&mut sources, &label(9, 1)), None);
        assert_eq!(range(&mut sources, &label(1, 99)), Some(0..3));
    }
}
