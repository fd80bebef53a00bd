//! Source lines with labels under them, as compilers show them.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Level, Origin, Renderer, Snippet};

use crate::palette::Palette;
use crate::position::{Label, Position};

/// The texts of the files that a report points into, as far as they can be read. A preprocessed
/// file names files that may be long gone: their lines are then left out.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: BTreeMap<String, String>,
}

impl Sources {
    /// Reads the files of these positions.
    #[must_use]
    pub fn read<'p>(positions: impl IntoIterator<Item = &'p Position>) -> Sources {
        let mut texts = BTreeMap::new();
        for position in positions {
            if !texts.contains_key(&position.file)
                && let Ok(bytes) = std::fs::read(&position.file)
            {
                let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
                texts.insert(position.file.clone(), text);
            }
        }
        Sources { texts }
    }

    /// The line without its indentation.
    #[must_use]
    pub fn line(&self, position: &Position) -> Option<&str> {
        let index = usize::try_from(position.line).ok()?.checked_sub(1)?;
        let line = self.texts.get(&position.file)?.lines().nth(index)?.trim();
        (!line.is_empty()).then_some(line)
    }

    /// Where the word at a position lies in the file's text.
    fn span(&self, position: &Position) -> Option<Range<usize>> {
        let text = self.texts.get(&position.file)?;
        let index = usize::try_from(position.line).ok()?.checked_sub(1)?;
        let start: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
        let line = text[start..].lines().next()?;
        if line.trim().is_empty() {
            return None;
        }
        let column = usize::try_from(position.column).ok()?.saturating_sub(1);
        let column = if line.is_char_boundary(column) && column < line.len() { column } else { 0 };
        let rest = &line[column..];
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let word = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        let length = word.max(rest.chars().next().map_or(1, char::len_utf8));
        Some(start + column..start + column + length)
    }
}

/// `violated: title` and the lines; the first label is what it is about.
pub(crate) fn render(
    word: &str,
    title: &str,
    labels: &[Label],
    sources: &Sources,
    palette: Palette,
) -> String {
    let level = Level::ERROR.with_name(word);
    let mut group = level.primary_title(title).elements(Vec::<Origin<'_>>::new());
    for (file, labels) in by_file(labels) {
        match annotations(&labels, sources) {
            Some(annotations) => {
                let text = sources.texts.get(file).map_or("", String::as_str);
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
fn annotations<'l>(labels: &[(bool, &'l Label)], sources: &Sources) -> Option<Vec<Annotation<'l>>> {
    let annotate = |(is_primary, label): &(bool, &'l Label)| {
        let kind = if *is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let span = sources.span(&label.position)?;
        Some(kind.span(span).label(label.text.as_str()))
    };
    labels.iter().map(annotate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(line: u32, column: u32) -> Position {
        Position { file: "a.c".to_owned(), line, column }
    }

    fn sources(text: &str) -> Sources {
        Sources { texts: BTreeMap::from([("a.c".to_owned(), text.to_owned())]) }
    }

    #[test]
    fn a_label_stands_under_the_word_at_its_column() {
        let sources = sources("int x;\n  free(x);\n");
        assert_eq!(sources.span(&position(2, 3)), Some(9..13));
        assert_eq!(sources.line(&position(2, 3)), Some("free(x);"));
    }

    #[test]
    fn a_line_that_is_not_there_has_no_text() {
        let sources = sources("int x;\n\n");
        assert_eq!(sources.span(&position(2, 1)), None);
        assert_eq!(sources.span(&position(9, 1)), None);
        assert_eq!(sources.span(&position(1, 99)), Some(0..3));
        assert_eq!(sources.line(&position(9, 1)), None);
    }
}
