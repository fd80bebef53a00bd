//! TOML with places: values of the kinds that are expected, and errors that point at the words.

use std::ops::Range;

use heapwright_frontend::InputError;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

/// A file, for its errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document<'t> {
    pub(super) name: &'t str,
    pub(super) text: &'t str,
}

/// One table of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'t> {
    document: Document<'t>,
    table: &'t DeTable<'t>,
}

impl<'t> Document<'t> {
    /// The whole file, to be looked into by [`Document::root`].
    pub(super) fn parse(self) -> Result<Spanned<DeTable<'t>>, InputError> {
        DeTable::parse(self.text).map_err(|error| {
            let end = self.text.len();
            self.error(error.span().unwrap_or(end..end), error.message())
        })
    }

    pub(super) fn root(self, parsed: &'t Spanned<DeTable<'t>>) -> Table<'t> {
        Table { document: self, table: parsed.get_ref() }
    }

    /// An error with the line that it is about, and a caret under the words.
    pub(super) fn error(self, span: Range<usize>, message: &str) -> InputError {
        let Document { name, text } = self;
        let start = span.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |index| index + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let number = text[..start].matches('\n').count() + 1;
        let column = text[line_start..start].chars().count();
        let marked = text.get(start..span.end).and_then(|marked| marked.lines().next());
        let carets = "^".repeat(marked.map_or(1, |marked| marked.chars().count()).max(1));
        let margin = " ".repeat(number.to_string().len());
        let message = message.lines().next().unwrap_or_default();
        InputError::new(format!(
            "{name}:{number}:{}: {message}\n{number} | {line}\n{margin} | {:column$}{carets}",
            column + 1,
            ""
        ))
    }
}

impl<'t> Table<'t> {
    /// Refuses keys that nobody knows.
    pub(super) fn expect(self, known: &[&str]) -> Result<Table<'t>, InputError> {
        let unknown = self.table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref()));
        match unknown {
            None => Ok(self),
            Some((key, _)) => {
                let message = format!(
                    "`{}` is not known here; there are {}",
                    key.get_ref(),
                    known.join(", ")
                );
                Err(self.document.error(key.span(), &message))
            }
        }
    }

    fn value(self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.iter().find(|(it, _)| it.get_ref().as_ref() == key).map(|(_, value)| value)
    }

    fn wrong<T>(self, value: &Spanned<DeValue<'_>>, wanted: &str) -> Result<T, InputError> {
        Err(self.document.error(value.span(), &format!("{wanted} is expected here")))
    }

    pub(super) fn text(self, key: &str) -> Result<Option<Located<String>>, InputError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        self.text_of(value).map(Some)
    }

    fn text_of(self, value: &Spanned<DeValue<'_>>) -> Result<Located<String>, InputError> {
        match value.get_ref().as_str() {
            Some(text) => Ok(Located { value: text.to_owned(), span: value.span() }),
            None => self.wrong(value, "a text in quotes"),
        }
    }

    pub(super) fn texts(self, key: &str) -> Result<Vec<Located<String>>, InputError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        match value.get_ref().as_array() {
            Some(items) => items.iter().map(|item| self.text_of(item)).collect(),
            None => self.wrong(value, "a list of texts"),
        }
    }

    pub(super) fn flag(self, key: &str) -> Result<bool, InputError> {
        let Some(value) = self.value(key) else { return Ok(false) };
        value.get_ref().as_bool().map_or_else(|| self.wrong(value, "true or false"), Ok)
    }

    pub(super) fn number(self, key: &str) -> Result<Option<usize>, InputError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let number = value.get_ref().as_integer();
        let number = number.and_then(|it| usize::from_str_radix(it.as_str(), it.radix()).ok());
        let number = number.filter(|number| *number > 0);
        number.map_or_else(|| self.wrong(value, "a number above 0"), |number| Ok(Some(number)))
    }

    /// A table in this one; an empty one if it is not there.
    pub(super) fn table(self, key: &str) -> Result<Option<Table<'t>>, InputError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.get_ref().as_table() {
            Some(table) => Ok(Some(Table { table, ..self })),
            None => self.wrong(value, "a table"),
        }
    }

    /// The tables `[[key]]`, with their places.
    pub(super) fn tables(self, key: &str) -> Result<Vec<Located<Table<'t>>>, InputError> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let Some(items) = value.get_ref().as_array() else {
            return self.wrong(value, &format!("[[{key}]]"));
        };
        let table = |item: &'t Spanned<DeValue<'t>>| match item.get_ref().as_table() {
            Some(table) => Ok(Located { value: Table { table, ..self }, span: item.span() }),
            None => self.wrong(item, "a table"),
        };
        items.iter().map(table).collect()
    }
}
