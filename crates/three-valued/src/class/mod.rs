//! Shape classes: which predicates, rules and updates describe a sort of linked structure.
//!
//! A class is text (`classes.txt`, or a file of the user's): roles for link fields, and families of
//! predicates that can be chosen one by one. An [`Instance`] is a class with a choice of families and
//! tracked pointers; it says what assignments, stores and allocations do to structures. Method: Beyer,
//! Henzinger, Théoduloz, Zufferey, "Shape refinement through explicit heap analysis", FASE 2010; the
//! families `shared` and `twice` are ours, since without them nothing says that a tree is one.

mod heaps;
mod instance;
mod lattice;
mod number;
mod parse;
mod scope;
mod store;
mod verify;

pub use crate::class::heaps::Heaps;
pub use crate::class::instance::{Instance, Selection};
pub use crate::class::number::Written;
pub use crate::class::store::Fresh;
pub use crate::class::verify::verify;

use crate::text::TextError;

/// All classes of a file and of what is built in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    pub classes: Vec<ShapeClass>,
}

/// A place in a class file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePlace {
    pub line: usize,
    /// In characters.
    pub column: usize,
}

/// What is wrong with a class file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassError {
    pub place: FilePlace,
    pub message: String,
    /// A heap on which a rule is false, or an update not what the definition says.
    pub heap: Option<String>,
}

impl ClassError {
    fn new(place: FilePlace, message: impl Into<String>) -> ClassError {
        ClassError { place, message: message.into(), heap: None }
    }

    /// The error with the line that it is about and a caret under the place.
    #[must_use]
    pub fn told(&self, file: &str, text: &str) -> String {
        let FilePlace { line, column } = self.place;
        let source = text.lines().nth(line - 1).unwrap_or("");
        let margin = " ".repeat(line.to_string().len());
        let indent = " ".repeat(column - 1);
        let heap = match &self.heap {
            None => String::new(),
            Some(heap) => {
                let lines = heap.lines().map(|line| format!("    {line}\n"));
                format!("\non this heap:\n{}", lines.collect::<String>().trim_end())
            }
        };
        let message = &self.message;
        format!("{file}:{line}:{column}: {message}\n{line} | {source}\n{margin} | {indent}^{heap}")
    }
}

impl std::fmt::Display for ClassError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for ClassError {}

/// Blocks of the largest heaps on which the classes of a file are tried, and how many of each size.
const LARGEST_TRIED: usize = 3;
const MOST_TRIED: usize = 1_500;

impl Library {
    /// The classes that are built in.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn built_in() -> Library {
        let mut library = Library { classes: Vec::new() };
        library
            .add(include_str!("../../classes.txt"))
            .expect("the built-in classes are well written");
        library
    }

    /// Adds the classes of a file, which may refine those that are there.
    pub fn add(&mut self, text: &str) -> Result<(), ClassError> {
        parse::read(self, text)
    }

    /// Adds the classes of a user's file, after trying them on small heaps: all of up to two blocks unless
    /// there are very many, and a part of those with three.
    pub fn load(&mut self, file: &str, text: &str) -> Result<(), ClassError> {
        let mut larger = self.clone();
        larger.add(text)?;
        for class in &mut larger.classes[self.classes.len()..] {
            verify(class, LARGEST_TRIED, MOST_TRIED)?;
            class.file = Some(file.to_owned());
        }
        *self = larger;
        Ok(())
    }

    #[must_use]
    pub fn class(&self, name: &str) -> Option<&ShapeClass> {
        self.classes.iter().find(|class| class.name == name)
    }
}

/// A sort of linked structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeClass {
    pub name: String,
    /// Words for people.
    pub title: String,
    /// The names of its link fields.
    pub roles: Vec<String>,
    /// The name of its number field, if it has one, and of the predicate that compares two blocks by it.
    pub order: Option<String>,
    /// The class that it refines, if any.
    pub refines: Option<String>,
    /// Formulas that are true of heaps for which the class is worth trying.
    pub samples: Vec<Text>,
    /// Those of the refined class first.
    pub families: Vec<Family>,
    /// The user's file that it comes from; none if it is built in.
    pub file: Option<String>,
}

impl ShapeClass {
    /// Links of which nothing is known but where they lead.
    #[must_use]
    pub fn plain(name: &str, title: &str) -> ShapeClass {
        ShapeClass {
            name: name.to_owned(),
            title: title.to_owned(),
            roles: Vec::new(),
            order: None,
            refines: None,
            samples: Vec::new(),
            families: Vec::new(),
            file: None,
        }
    }

    /// The same class with further links, of which no family speaks.
    #[must_use]
    pub fn with_links(mut self, names: impl IntoIterator<Item = String>) -> ShapeClass {
        self.roles.extend(names);
        self
    }
}

/// Predicates and rules that are chosen together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    pub name: String,
    pub title: String,
    pub predicates: Vec<Predicate>,
    pub rules: Vec<RuleText>,
    /// What links are called here, and which role of the class each is.
    pub roles: Vec<(String, usize)>,
    /// What the number field is called here.
    pub order: Option<String>,
}

/// An instrumentation predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    pub name: String,
    pub arity: Arity,
    /// One for each tracked pointer.
    pub is_for_each: bool,
    pub is_abstraction: bool,
    pub definition: Text,
    /// Tried in order.
    pub clauses: Vec<Clause>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    Unary,
    Binary,
}

/// How a predicate changes when a link or a number is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub event: Event,
    /// The name of the link or number in its family.
    pub role: String,
    pub when: Option<Text>,
    pub action: Action<Text>,
}

/// A store of a link is a removal and an addition; that of a number is one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Remove,
    Add,
    Write,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action<F> {
    /// The new value.
    Set(F),
    /// By the definition, where this holds; elsewhere as before.
    RecomputeWhere(F),
}

impl<F> Action<F> {
    pub(crate) fn formula(&self) -> &F {
        match self {
            Action::Set(formula) | Action::RecomputeWhere(formula) => formula,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    pub is_for_each: bool,
    pub text: Text,
}

/// A formula or a rule as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub place: FilePlace,
}

impl Text {
    fn error(&self, error: &TextError) -> ClassError {
        let before = self.text.get(..error.position).unwrap_or(&self.text);
        let column = self.place.column + before.chars().count();
        ClassError::new(FilePlace { column, ..self.place }, error.message.clone())
    }
}
