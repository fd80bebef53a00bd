//! The diary of refinements: what was learnt, in the order in which it was.

/// One thing that was learnt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// These pointers are tracked from now on.
    Tracked(Vec<String>),
    /// What runs of the program said about its structures.
    Samples { words: String, titles: Vec<String> },
    /// This class and these families are used from now on.
    Class(String),
    /// What lies behind a link is told apart before it is cut.
    Behind,
    /// Structures are not joined any more.
    Apart,
    /// Heaps of a few blocks are kept as they are.
    Small,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diary {
    pub entries: Vec<Entry>,
}

impl Diary {
    pub(crate) fn note(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// How often pointers were added, and how often the class changed.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let tracked = self.entries.iter().filter(|it| matches!(it, Entry::Tracked(_))).count();
        let class = self.entries.iter().filter(|it| matches!(it, Entry::Class(_))).count();
        (tracked, class)
    }

    /// A line for each entry.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let words = |entry: &Entry| match entry {
            Entry::Tracked(names) => format!("a path is spurious: tracked {}", names.join(", ")),
            Entry::Samples { words, titles } if titles.is_empty() => {
                format!("{words} fit no class")
            }
            Entry::Samples { words, titles } => format!("{words} say: {}", titles.join(", or ")),
            Entry::Class(words) => format!("a path is spurious: {words}"),
            Entry::Behind => {
                "a path is spurious: what lies behind a link is told apart before it is cut"
                    .to_owned()
            }
            Entry::Apart => "a path is spurious: structures stay apart".to_owned(),
            Entry::Small => "a path is spurious: small heaps are kept as they are".to_owned(),
        };
        self.entries.iter().map(words).collect()
    }
}
