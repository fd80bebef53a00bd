//! Three truth values, by their table.

/// `Maybe` stands for "yes or no, not known which".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    No,
    Maybe,
    Yes,
}

impl Truth {
    pub(crate) fn not(self) -> Truth {
        match self {
            Truth::No => Truth::Yes,
            Truth::Maybe => Truth::Maybe,
            Truth::Yes => Truth::No,
        }
    }

    /// Whether a place that claims this allows that.
    pub(crate) fn allows(self, value: Truth) -> bool {
        self == Truth::Maybe || self == value
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Truth {
        if value { Truth::Yes } else { Truth::No }
    }
}
