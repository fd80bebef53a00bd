//! A place in the text being read, and what to say when something else was expected there.
//!
//! Lines matter: blanks and `// comments` are skipped everywhere, ends of lines only on request.

use std::fmt;

use crate::text::quote::{is_name_part, is_name_start};

/// Where and why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    pub expected: String,
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { line, column, expected, found } = self;
        write!(f, "{line}:{column}: expected {expected}, found {found}")
    }
}

impl std::error::Error for ParseError {}

pub(super) type Parsed<T> = Result<T, ParseError>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, position: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.position += letter.len_utf8();
        Some(letter)
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(|letter| matches!(letter, ' ' | '\t' | '\r'));
        if self.rest().starts_with("//") {
            self.take_while(|letter| letter != '\n');
        }
    }

    /// Skips blank lines and the blanks before the next word.
    pub(super) fn skip_lines(&mut self) {
        self.skip_blanks();
        while self.peek() == Some('\n') {
            self.bump();
            self.skip_blanks();
        }
    }

    /// Goes to the start of the next line.
    pub(super) fn skip_line(&mut self) {
        self.take_while(|letter| letter != '\n');
        self.bump();
    }

    pub(super) fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|letter| !holds(letter)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn is_at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), None | Some('\n'))
    }

    pub(super) fn expect_line_end(&mut self) -> Parsed<()> {
        if !self.is_at_line_end() {
            return Err(self.error("the end of the line"));
        }
        self.skip_lines();
        Ok(())
    }

    /// Passes `symbol` if it comes next.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(symbol);
        if found {
            self.position += symbol.len();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.error(&format!("`{symbol}`"))) }
    }

    /// The bare word that comes next, dots and all; empty if none does.
    pub(super) fn peek_word(&mut self) -> &'a str {
        self.skip_blanks();
        let mut ahead = *self;
        if ahead.peek().is_some_and(is_name_start) {
            ahead.take_while(|letter| is_name_part(letter, true))
        } else {
            ""
        }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.position += word.len();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.error(&format!("`{word}`"))) }
    }

    /// A bare or quoted name; `what` says whose.
    pub(super) fn name(&mut self, what: &str) -> Parsed<String> {
        self.any_name(what, true)
    }

    /// A name that ends at a dot.
    pub(super) fn tag(&mut self, what: &str) -> Parsed<String> {
        self.any_name(what, false)
    }

    fn any_name(&mut self, what: &str, dots: bool) -> Parsed<String> {
        self.skip_blanks();
        match self.peek() {
            Some('`') => self.delimited('`'),
            Some(letter) if is_name_start(letter) => {
                Ok(self.take_while(|letter| is_name_part(letter, dots)).to_owned())
            }
            _ => Err(self.error(what)),
        }
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        self.skip_blanks();
        if self.peek() == Some('"') {
            self.delimited('"')
        } else {
            Err(self.error("a quoted string"))
        }
    }

    fn delimited(&mut self, delimiter: char) -> Parsed<String> {
        let start = *self;
        self.bump();
        let mut text = String::new();
        loop {
            match self.peek() {
                Some('\\') => text.push(self.escape()?),
                Some(letter) if letter == delimiter => {
                    self.bump();
                    return Ok(text);
                }
                Some(letter) if letter != '\n' => {
                    text.push(letter);
                    self.bump();
                }
                _ => return Err(start.error(&format!("a closing {delimiter} on this line"))),
            }
        }
    }

    /// What follows a backslash; `\x` and `\0` give characters below 256, which stand for bytes.
    fn escape(&mut self) -> Parsed<char> {
        let start = *self;
        self.bump();
        match self.bump() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('r') => Ok('\r'),
            Some('0') => Ok('\0'),
            Some(letter @ ('\\' | '"' | '`')) => Ok(letter),
            Some('x') => {
                let digits = self.rest().get(..2).unwrap_or("");
                let byte = u8::from_str_radix(digits, 16)
                    .map_err(|_| start.error("two hexadecimal digits after `\\x`"))?;
                self.position += 2;
                Ok(char::from(byte))
            }
            Some('u') => {
                self.expect("{")?;
                let digits = self.take_while(|letter| letter.is_ascii_hexdigit());
                let letter = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                self.expect("}")?;
                letter.ok_or_else(|| start.error("a character number after `\\u`"))
            }
            _ => Err(start.error("an escape sequence")),
        }
    }

    /// A decimal number that fits `N`.
    pub(super) fn number<N: std::str::FromStr>(&mut self, what: &str) -> Parsed<N> {
        self.skip_blanks();
        let start = *self;
        let digits = self.take_while(|letter| letter.is_ascii_digit());
        digits.parse().map_err(|_| start.error(what))
    }

    /// An error at the next word.
    pub(super) fn error(&self, expected: &str) -> ParseError {
        let mut at = *self;
        at.skip_blanks();
        let before = &at.text[..at.position];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            expected: expected.to_owned(),
            found: at.describe_next(),
        }
    }

    fn describe_next(&self) -> String {
        let mut ahead = *self;
        match ahead.peek() {
            None => "the end of the text".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(letter) if is_name_part(letter, false) => {
                format!("`{}`", ahead.take_while(|letter| is_name_part(letter, true)))
            }
            Some(letter) => format!("`{letter}`"),
        }
    }
}
