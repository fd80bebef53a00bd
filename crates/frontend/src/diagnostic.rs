//! What is wrong with the input, in a form that can be shown with its source line.

use std::fmt;

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// One message about the input. File and line follow `#line` markers; `text` is the line itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    pub position: Option<Position>,
    pub notes: Vec<Diagnostic>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
}

impl Diagnostic {
    /// An error about the input as a whole.
    #[must_use]
    pub fn error(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            position: None,
            notes: Vec::new(),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// `file:line:column: error: message`, the line and a caret, then the notes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(f, "{}:{}:{}: ", position.file, position.line, position.column)?;
        }
        write!(f, "{}: {}", self.severity, printable(&self.message))?;
        if let Some(position) = &self.position
            && !position.text.trim().is_empty()
        {
            let number = position.line.to_string();
            let margin = " ".repeat(number.len());
            // Tabs are kept in the margin of the caret, so that it stays under its column.
            let before: String = position
                .text
                .chars()
                .take(position.column.saturating_sub(1) as usize)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let shown = printable(position.text.trim_end());
            write!(f, "\n {number} | {shown}\n {margin} | {before}^")?;
        }
        for note in &self.notes {
            write!(f, "\n{note}")?;
        }
        Ok(())
    }
}

/// The most characters that are shown of one line.
const LONGEST: usize = 400;

/// A text without what would change the state of a terminal, and not too much of it.
fn printable(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(LONGEST)
        .flat_map(|c| {
            let is_plain = !c.is_control() || c == '\t' || c == '\n';
            let escaped = (!is_plain).then(|| c.escape_unicode());
            is_plain.then_some(c).into_iter().chain(escaped.into_iter().flatten())
        })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// The input cannot be read, parsed or type-checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    pub diagnostics: Vec<Diagnostic>,
}

impl InputError {
    /// An error with one message and no position.
    #[must_use]
    pub fn new(message: impl Into<String>) -> InputError {
        InputError { diagnostics: vec![Diagnostic::error(message)] }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InputError {}
