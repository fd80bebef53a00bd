//! What the user wrote: the words at a place, found in the text of its file.
//!
//! A place is where an expression begins. Where it ends is read from the text: a chain of members,
//! calls and indices, a condition up to its parenthesis, a statement up to its semicolon.

use std::collections::BTreeMap;

use crate::step::Span;

/// The texts of files, as far as they can be read. A preprocessed file names files that may be long
/// gone: there is then nothing to show of them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    texts: BTreeMap<String, Option<SourceText>>,
}

/// A file with its lines.
#[derive(Clone, Debug)]
pub struct SourceText {
    pub text: String,
    starts: Vec<usize>,
}

/// How much of the text at a place is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excerpt<'a> {
    /// `current->next`, `f(x)`, `*p`; up to the member of this name if there is one.
    Chain(Option<&'a str>),
    /// Up to the end of the condition, or to the next `&&` and `||`.
    Condition,
    /// Up to the semicolon.
    Statement,
}

impl Sources {
    /// Texts that are given, for those who have no files.
    #[must_use]
    pub fn of(texts: impl IntoIterator<Item = (String, String)>) -> Sources {
        let texts = texts.into_iter().map(|(name, text)| (name, Some(SourceText::new(text))));
        Sources { texts: texts.collect() }
    }

    /// The file of this name, read when it is asked for first.
    pub fn file(&mut self, name: &str) -> Option<&SourceText> {
        if !self.texts.contains_key(name) {
            let read = std::fs::read(name).ok().map(|bytes| {
                SourceText::new(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
            });
            self.texts.insert(name.to_owned(), read);
        }
        self.texts.get(name).and_then(Option::as_ref)
    }

    /// The span of what is meant at a place; of nothing where the text is not there.
    pub fn span(&mut self, file: &str, line: u32, column: u32, excerpt: Excerpt<'_>) -> Span {
        let length = self.file(file).map_or(0, |text| text.length(line, column, excerpt));
        Span { file: file.to_owned(), line, column, end: column + length as u32 }
    }

    /// The words of a span.
    pub fn words(&mut self, span: &Span) -> Option<String> {
        let line = self.file(&span.file)?.line(span.line)?;
        let words = line.get(span.column.checked_sub(1)? as usize..span.end as usize - 1)?;
        (!words.is_empty()).then(|| words.to_owned())
    }
}

impl SourceText {
    fn new(text: String) -> SourceText {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(index, _)| index + 1));
        SourceText { text, starts }
    }

    /// The line with this number, from 1, without its end.
    #[must_use]
    pub fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let rest = &self.text[*self.starts.get(index)?..];
        Some(rest.lines().next().unwrap_or(""))
    }

    /// Bytes of the file before that line.
    #[must_use]
    pub fn start_of(&self, number: u32) -> Option<usize> {
        self.starts.get((number as usize).checked_sub(1)?).copied()
    }

    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// Bytes of what is meant, within the line.
    fn length(&self, line: u32, column: u32, excerpt: Excerpt<'_>) -> usize {
        let Some(text) = self.line(line) else { return 0 };
        let Some(rest) = (column as usize).checked_sub(1).and_then(|start| text.get(start..))
        else {
            return 0;
        };
        let length = match excerpt {
            Excerpt::Chain(member) => chain(rest, member),
            Excerpt::Condition => until(rest, &[";", ",", "?", ":", "{", "&&", "||"]),
            Excerpt::Statement => until(rest, &[";", "{"]),
        };
        rest[..length].trim_end().len()
    }
}

/// Bytes up to the first of these at the outermost level, or to a bracket that closes more than was
/// opened, or to a comment. `::` and words are not cut.
fn until(text: &str, ends: &[&str]) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("//") || rest.starts_with("/*") {
            return at;
        }
        let first = rest.chars().next().expect("not at the end");
        match first {
            '"' | '\'' => {
                at += quoted(rest, first);
                continue;
            }
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return at,
            ')' | ']' => depth -= 1,
            _ if depth == 0 && ends.iter().any(|end| rest.starts_with(end)) => return at,
            _ => {}
        }
        at += first.len_utf8();
    }
    at
}

/// Bytes of a literal, its quotes included.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (index, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            character if character == quote => return index + character.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Bytes of `*p`, `a->b[i].c`, `f(x)`, up to the member that is named.
fn chain(text: &str, member: Option<&str>) -> usize {
    let is_prefix = |character: char| matches!(character, '*' | '&' | '-' | '!' | '~' | '+');
    let mut at = text.len() - text.trim_start_matches(is_prefix).len();
    let mut last_member = None;
    at += match text[at..].chars().next() {
        Some('(') => bracket(&text[at..]),
        Some(quote @ ('"' | '\'')) => quoted(&text[at..], quote),
        Some(_) | None => word(&text[at..]),
    };
    // A cast: what follows is its operand.
    let is_cast =
        text[..at].ends_with(')') && text[at..].starts_with(|c: char| is_word(c) || c == '(');
    if is_cast {
        at += chain(&text[at..], member);
    }
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start_matches(' ').len();
        let rest = &rest[blank..];
        let step = if rest.starts_with('(') || rest.starts_with('[') {
            bracket(rest)
        } else if let Some(operator) = ["->", "."].into_iter().find(|it| rest.starts_with(it)) {
            let spaces = rest[operator.len()..].len() - rest[operator.len()..].trim_start().len();
            let start = operator.len() + spaces;
            let length = word(&rest[start..]);
            if length == 0 {
                break;
            }
            if member == Some(&rest[start..start + length]) {
                last_member = Some(at + blank + start + length);
            }
            start + length
        } else {
            break;
        };
        at += blank + step;
    }
    let whole = last_member.unwrap_or(at);
    whole.max(text.chars().next().map_or(0, char::len_utf8)).min(text.len())
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn word(text: &str) -> usize {
    text.find(|character| !is_word(character)).unwrap_or(text.len())
}

/// Bytes of a bracket and all in it.
fn bracket(text: &str) -> usize {
    (1 + until(&text[1..], &[]) + 1).min(text.len())
}

/// Text that does nothing to a terminal or a page: control characters and those that turn the
/// direction of writing are shown as what they are.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => shown.push_str("    "),
            '\u{0}'..='\u{1f}' => {
                shown.extend(char::from_u32(0x2400 + character as u32));
            }
            '\u{7f}' => shown.push('␡'),
            '\u{80}'..='\u{9f}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => {
                shown.push_str(&format!("⟨U+{:04X}⟩", character as u32));
            }
            character => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, kind: Excerpt<'_>) -> String {
        let file = SourceText::new(text.to_owned());
        text[..file.length(1, 1, kind)].to_owned()
    }

    #[test]
    fn a_chain_ends_behind_its_last_member() {
        let chain = |text| excerpt(text, Excerpt::Chain(None));
        assert_eq!(chain("current->next; /* too late */"), "current->next");
        assert_eq!(chain("a[i + 1].key = 3;"), "a[i + 1].key");
        assert_eq!(chain("*p = 3;"), "*p");
        assert_eq!(chain("(*p).x + 1"), "(*p).x");
        assert_eq!(chain("free(current);"), "free(current)");
        assert_eq!(chain("(struct n *)q->next;"), "(struct n *)q->next");
        assert_eq!(chain("f(\")\", ')')->x;"), "f(\")\", ')')->x");
    }

    #[test]
    fn a_chain_ends_at_the_member_that_is_meant() {
        assert_eq!(excerpt("a->next->next->key", Excerpt::Chain(Some("next"))), "a->next->next");
        assert_eq!(excerpt("NEXT(a)->k; }", Excerpt::Chain(Some("next"))), "NEXT(a)->k");
    }

    #[test]
    fn a_condition_is_as_it_is_written() {
        let condition = |text| excerpt(text, Excerpt::Condition);
        assert_eq!(condition("length > 0) {"), "length > 0");
        assert_eq!(condition("a->k > 2 && b == 0) {"), "a->k > 2");
        assert_eq!(condition("(a || b) == c && d"), "(a || b) == c");
        assert_eq!(condition("i < 10; i++)"), "i < 10");
    }

    #[test]
    fn text_does_nothing_to_a_terminal() {
        assert_eq!(printable("a\u{1b}[31m\u{202e}b\tc"), "a␛[31m⟨U+202E⟩b    c");
    }

    #[test]
    fn what_is_not_there_has_no_words() {
        let mut sources = Sources::of([("a.c".to_owned(), "int x;\n".to_owned())]);
        let span = sources.span("a.c", 9, 4, Excerpt::Statement);
        assert_eq!((span.column, span.end), (4, 4));
        assert_eq!(sources.words(&span), None);
        let span = sources.span("a.c", 1, 5, Excerpt::Statement);
        assert_eq!(sources.words(&span).as_deref(), Some("x"));
    }
}
