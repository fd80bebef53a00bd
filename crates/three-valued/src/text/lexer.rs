//! The words of a formula.

use crate::text::TextError;

/// Symbols that are longer than one character come first.
const SYMBOLS: [&str; 16] =
    ["1/2", "->", "!=", "&", "|", "!", "=", "(", ")", ",", ":", "*", "+", "0", "1", "?"];

pub(crate) struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, position: 0 }
    }

    /// The rest, without the space before it.
    fn rest(&self) -> &'t str {
        self.text[self.position..].trim_start()
    }

    pub(crate) fn position(&self) -> usize {
        self.text.len() - self.rest().len()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Takes the symbol if it comes next.
    pub(crate) fn take(&mut self, symbol: &str) -> bool {
        let rest = self.rest();
        let longest = SYMBOLS.iter().find(|it| rest.starts_with(**it));
        let is_next = longest.is_some_and(|it| *it == symbol);
        if is_next {
            self.position = self.position() + symbol.len();
        }
        is_next
    }

    pub(crate) fn expect(&mut self, symbol: &str) -> Result<(), TextError> {
        if self.take(symbol) { Ok(()) } else { Err(self.error(format!("`{symbol}` is missing"))) }
    }

    /// The name that comes next, without taking it.
    pub(crate) fn peek_name(&self) -> Option<&'t str> {
        let rest = self.rest();
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '[' | ']');
        let length = rest.find(|c: char| !is_inner(c)).unwrap_or(rest.len());
        let starts = rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        starts.then(|| &rest[..length])
    }

    pub(crate) fn name(&mut self) -> Result<&'t str, TextError> {
        let name = self.peek_name().ok_or_else(|| self.error("a name is missing".to_owned()))?;
        self.position = self.position() + name.len();
        Ok(name)
    }

    pub(crate) fn error(&self, message: String) -> TextError {
        TextError { position: self.position(), message }
    }

    /// About the name that was taken last.
    pub(crate) fn error_about(&self, name: &str, message: String) -> TextError {
        TextError { position: self.position - name.len(), message }
    }
}
