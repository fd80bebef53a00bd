//! Colours, or none: whoever prints decides once and passes it on.

/// How words stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    pub is_coloured: bool,
    /// Columns of a line.
    pub width: usize,
    /// Whether lines may be drawn with more than ASCII.
    pub is_unicode: bool,
}

impl Palette {
    pub const PLAIN: Palette = Palette { is_coloured: false, width: 100, is_unicode: true };

    #[must_use]
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    #[must_use]
    pub fn doubtful(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.is_coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
