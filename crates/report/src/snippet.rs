//! Source lines with labels under them, as compilers show them.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Level, Origin, Renderer, Snippet};

use crate::palette::Palette;
use crate::position::{Label, Position};
use heapwright_trace::{Excerpt, Sources};

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
    let mut texts: Vec<(&str, String)> = Vec::new();
    for (file, _) in by_file(labels) {
        let text = sources.file(file).map_or(String::new(), |text| text.text.clone());
        texts.push((file, text));
    }
    let mut group = level.primary_title(title).elements(Vec::<Origin<'_>>::new());
    for (file, labels) in by_file(labels) {
        match annotations(&labels, sources) {
            Some(annotations) => {
                let text = texts.iter().find(|(name, _)| *name == file);
                let text = text.map_or("", |(_, text)| text.as_str());
                group = group.element(Snippet::source(text).path(file).annotations(annotations));
            }
            // Without the text there is still the place.
            None => {
                for (_, label) in labels {
                    let origin = Origin::path(file).line(label.position.line as usize);
                    group = group.element(origin);
                    group = group.element(Level::NOTE.message(label.text.as_str()));
                }
            }
        }
    }
    let renderer = if palette.is_coloured { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(palette.width);
    renderer.render(&[group])
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

/// `None` if one of the places cannot be shown.
fn annotations<'l>(
    labels: &[(bool, &'l Label)],
    sources: &mut Sources,
) -> Option<Vec<Annotation<'l>>> {
    let mut annotate = |(is_primary, label): &(bool, &'l Label)| {
        let kind = if *is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let span = range(sources, label)?;
        Some(kind.span(span).label(label.text.as_str()))
    };
    labels.iter().map(&mut annotate).collect()
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
    fn a_line_that_is_not_there_has_no_label() {
        let mut sources = Sources::of([("a.c".to_owned(), "int x;\n\n".to_owned())]);
        assert_eq!(range(&mut sources, &label(2, 1)), None);
        assert_eq!(range(&mut sources, &label(9, 1)), None);
        assert_eq!(range(&mut sources, &label(1, 99)), Some(0..3));
    }
}
