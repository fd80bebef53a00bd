//! C text as tokens with their places; comments and preprocessor lines are gaps between them.

use std::ops::Range;

/// What a token is, as far as mutations care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    /// A string or character literal.
    Literal,
    Punctuation,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) place: Range<usize>,
}

impl Token {
    pub(crate) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.place.clone()]
    }
}

/// Longest first, so that `->` is not `-` and `>`.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    // Ends because each round moves on by a byte at least.
    while at < bytes.len() {
        let rest = &bytes[at..];
        let gap = gap_length(rest, is_line_start);
        if gap > 0 {
            is_line_start = text.as_bytes()[at..at + gap].contains(&b'\n')
                || (is_line_start && rest[0].is_ascii_whitespace());
            at += gap;
            continue;
        }
        let (kind, length) = token_at(rest);
        tokens.push(Token { kind, place: at..at + length });
        is_line_start = false;
        at += length;
    }
    tokens
}

/// The length of white space, a comment or a preprocessor line; 0 before a token.
fn gap_length(rest: &[u8], is_line_start: bool) -> usize {
    if rest[0].is_ascii_whitespace() {
        1
    } else if rest.starts_with(b"//") {
        rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
    } else if rest.starts_with(b"/*") {
        rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 4)
    } else if is_line_start && rest[0] == b'#' {
        preprocessor_length(rest)
    } else {
        0
    }
}

/// Up to the first end of a line without a backslash before it.
fn preprocessor_length(rest: &[u8]) -> usize {
    let ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(at, _)| at).find(|&at| at > 0 && rest[at - 1] != b'\\').unwrap_or(rest.len())
}

fn token_at(rest: &[u8]) -> (Kind, usize) {
    let run = |fits: fn(u8) -> bool| rest.iter().take_while(|byte| fits(**byte)).count();
    match rest[0] {
        b'0'..=b'9' => {
            (Kind::Number, run(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_'))
        }
        b'"' | b'\'' => (Kind::Literal, literal_length(rest)),
        byte if byte.is_ascii_alphabetic() || byte == b'_' => {
            (Kind::Word, run(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        }
        byte if byte.is_ascii() => {
            let operator = OPERATORS.iter().find(|known| rest.starts_with(known.as_bytes()));
            (Kind::Punctuation, operator.map_or(1, |known| known.len()))
        }
        // A whole character of several bytes.
        _ => (Kind::Punctuation, run(|byte| !byte.is_ascii())),
    }
}

fn literal_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != rest[0] && rest[at] != b'\n' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_preprocessor_lines_are_no_tokens() {
        let text = "#define X \\\n 1\nint a /* b */ = \"c;\\\"\"; // d\n # if 0\nx->y<<=2;";
        let found: Vec<&str> = tokens(text).iter().map(|token| token.text(text)).collect();
        let expected = ["int", "a", "=", "\"c;\\\"\"", ";", "x", "->", "y", "<<=", "2", ";"];
        assert_eq!(found, expected);
    }
}
