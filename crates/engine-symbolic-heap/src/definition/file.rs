//! Definition files as users write them: what is said, and where.
//!
//! ```text
//! # Trees whose nodes all point to one place.
//! predicate tree(this, top) over struct node "a tree with links to its top"
//!   case end: this == null
//!   case node: .left = l, .right = r, .top = top, tree(l, top), tree(r, top)
//! ```
//!
//! A parameter may be a number, and cases may say how numbers go with each other:
//!
//! ```text
//! predicate list(this, count: unsigned) over struct node
//!   case end: this == null, count == 0
//!   case node: .next = n, list(n, count - 1), count > 0
//! ```
//!
//! Lines and blanks mean nothing, `#` begins a remark: as in files of shape classes. The same names may be used in
//! each case anew.

use std::fmt;

/// A place in a definition file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePlace {
    pub line: usize,
    /// In characters.
    pub column: usize,
}

/// What is wrong with a definition file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionError {
    pub place: FilePlace,
    pub message: String,
}

impl DefinitionError {
    /// The error with the line that it is about and a caret under the place.
    #[must_use]
    pub fn told(&self, file: &str, text: &str) -> String {
        let FilePlace { line, column } = self.place;
        let source = text.lines().nth(line - 1).unwrap_or("");
        let margin = " ".repeat(line.to_string().len());
        let indent = " ".repeat(column - 1);
        let message = &self.message;
        format!("{file}:{line}:{column}: {message}\n{line} | {source}\n{margin} | {indent}^")
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for DefinitionError {}

/// A word of a file.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) place: FilePlace,
}

impl Word {
    pub(super) fn error(&self, message: impl Into<String>) -> DefinitionError {
        DefinitionError { place: self.place, message: message.into() }
    }
}

/// The definitions of a file, before anything is known of the program.
#[derive(Clone, Debug)]
pub struct DefinitionFile {
    pub(super) predicates: Vec<PredicateText>,
}

/// `predicate NAME(this, PARAMETER, …) over struct RECORD "words"`, and its cases
#[derive(Clone, Debug)]
pub(super) struct PredicateText {
    pub(super) name: Word,
    pub(super) parameters: Vec<ParameterText>,
    pub(super) record: Word,
    pub(super) cases: Vec<CaseText>,
}

/// `NAME` or `NAME: pointer`, or `NAME: unsigned long` for a number
#[derive(Clone, Debug)]
pub(super) struct ParameterText {
    pub(super) name: Word,
    /// The words of its type; none for a pointer.
    pub(super) number: Vec<Word>,
}

/// `case NAME: ITEM, …`
#[derive(Clone, Debug)]
pub(super) struct CaseText {
    pub(super) name: Word,
    pub(super) items: Vec<ItemText>,
}

#[derive(Clone, Debug)]
pub(super) enum ItemText {
    /// `this == VALUE`
    Empty(Word),
    /// `.FIELD.FIELD = VALUE`
    Field { path: Vec<Word>, value: Word },
    /// `NAME(LINK, ARGUMENT, …)`
    Link { predicate: Word, link: Word, arguments: Vec<SumText> },
    /// `SUM <= SUM`
    Law { left: SumText, comparison: Word, right: SumText },
}

/// `NAME + NAME - NUMBER`
#[derive(Clone, Debug)]
pub(super) struct SumText {
    pub(super) first: Word,
    /// With the sign before each.
    pub(super) rest: Vec<(Word, Word)>,
}

type Parsed<T> = Result<T, DefinitionError>;

impl DefinitionFile {
    /// Reads a file.
    pub fn parse(text: &str) -> Parsed<DefinitionFile> {
        let words = words(text)?;
        let mut reader = Reader { words: &words, next: 0 };
        let mut predicates = Vec::new();
        while !reader.is_at_end() {
            predicates.push(reader.predicate()?);
        }
        Ok(DefinitionFile { predicates })
    }
}

/// Signs of one character.
const SIGNS: &str = "(),:.=<>+-";

/// Signs of two.
const PAIRS: [&str; 4] = ["==", "!=", "<=", ">="];

/// By what sums are compared.
const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

fn words(text: &str) -> Parsed<Vec<Word>> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let characters: Vec<char> = line.chars().collect();
        let mut column = 0;
        while let Some(&character) = characters.get(column) {
            let place = FilePlace { line: index + 1, column: column + 1 };
            let is_in_word = |c: &&char| c.is_alphanumeric() || **c == '_';
            let rest = &characters[column..];
            let length = match character {
                '#' => break,
                _ if character.is_whitespace() => {
                    column += 1;
                    continue;
                }
                _ if PAIRS.contains(&rest.iter().take(2).collect::<String>().as_str()) => 2,
                _ if SIGNS.contains(character) => 1,
                '"' => match rest.iter().skip(1).position(|&c| c == '"') {
                    Some(length) => length + 2,
                    None => {
                        let message = "the `\"` at the end of these words is missing".to_owned();
                        return Err(DefinitionError { place, message });
                    }
                },
                _ => rest.iter().take_while(is_in_word).count(),
            };
            if length == 0 {
                let message = format!("`{character}` has no meaning here");
                return Err(DefinitionError { place, message });
            }
            words.push(Word { text: rest[..length].iter().collect(), place });
            column += length;
        }
    }
    let end = FilePlace { line: text.lines().count().max(1), column: 1 };
    // So that there is always a word to point to.
    words.push(Word { text: String::new(), place: end });
    Ok(words)
}

struct Reader<'w> {
    words: &'w [Word],
    next: usize,
}

impl Reader<'_> {
    fn peek(&self) -> &Word {
        &self.words[self.next.min(self.words.len() - 1)]
    }

    fn is_at_end(&self) -> bool {
        self.next + 1 >= self.words.len()
    }

    /// Takes a word if it is this one.
    fn takes(&mut self, text: &str) -> bool {
        let is_it = self.peek().text == text;
        self.next += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        match self.takes(text) {
            true => Ok(()),
            false => Err(self.peek().error(format!("`{text}` is expected here"))),
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Word> {
        let word = self.peek().clone();
        let is_name = word.text.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if !is_name || ["case", "predicate"].contains(&word.text.as_str()) {
            return Err(word.error(format!("{what} is expected here")));
        }
        self.next += 1;
        Ok(word)
    }

    fn predicate(&mut self) -> Parsed<PredicateText> {
        self.expect("predicate")?;
        let name = self.name("the name of the predicate")?;
        self.expect("(")?;
        self.expect("this")?;
        let mut parameters = Vec::new();
        while self.takes(",") {
            let name = self.name("the name of a parameter")?;
            let mut number = Vec::new();
            if self.takes(":") && !self.takes("pointer") {
                // The words of a type, up to the next parameter.
                while ![",", ")"].contains(&self.peek().text.as_str()) {
                    number.push(self.name("`pointer` or a type of numbers")?);
                }
            }
            parameters.push(ParameterText { name, number });
        }
        self.expect(")")?;
        self.expect("over")?;
        self.expect("struct")?;
        let record = self.name("the name of a record")?;
        if self.peek().text.starts_with('"') {
            self.next += 1;
        }
        let mut cases = Vec::new();
        while self.takes("case") {
            cases.push(self.case()?);
        }
        match cases.is_empty() {
            true => Err(self.peek().error("a `case` of the predicate is expected here")),
            false => Ok(PredicateText { name, parameters, record, cases }),
        }
    }

    fn case(&mut self) -> Parsed<CaseText> {
        let name = self.name("the name of the case")?;
        self.expect(":")?;
        let mut items = vec![self.item()?];
        while self.takes(",") {
            items.push(self.item()?);
        }
        Ok(CaseText { name, items })
    }

    fn item(&mut self) -> Parsed<ItemText> {
        if self.takes("this") {
            self.expect("==")?;
            return Ok(ItemText::Empty(self.name("`null` or a parameter")?));
        }
        if self.peek().text == "." {
            let mut path = Vec::new();
            while self.takes(".") {
                path.push(self.name("the name of a field")?);
            }
            self.expect("=")?;
            let value = self.name("what the field holds")?;
            return Ok(ItemText::Field { path, value });
        }
        let name =
            self.name("`this == …`, `.field = …`, a comparison or the name of a predicate")?;
        if !self.takes("(") {
            let left = self.sum_from(name)?;
            let comparison = self.peek().clone();
            if !COMPARISONS.contains(&comparison.text.as_str()) {
                return Err(comparison.error("`==`, `!=`, `<`, `<=`, `>` or `>=` is expected here"));
            }
            self.next += 1;
            let right = self.sum()?;
            return Ok(ItemText::Law { left, comparison, right });
        }
        let link = self.name("a link")?;
        let mut arguments = Vec::new();
        while self.takes(",") {
            arguments.push(self.sum()?);
        }
        self.expect(")")?;
        Ok(ItemText::Link { predicate: name, link, arguments })
    }

    fn sum(&mut self) -> Parsed<SumText> {
        let first = self.name("a name or a number")?;
        self.sum_from(first)
    }

    fn sum_from(&mut self, first: Word) -> Parsed<SumText> {
        let mut rest = Vec::new();
        while ["+", "-"].contains(&self.peek().text.as_str()) {
            let sign = self.peek().clone();
            self.next += 1;
            rest.push((sign, self.name("a name or a number")?));
        }
        Ok(SumText { first, rest })
    }
}
