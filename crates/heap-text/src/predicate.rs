//! Predicates that a text defines: their tree, how they are read and printed, and whether they make sense.
//!
//! `predicate NAME/2 of 24 bytes: empty null; empty p1; node +0/8 = c1, +8/8 = this, +16/4 = 7, c1 is NAME(p1, this)`
//!
//! `p1` and so on are parameters, `c1` and so on links; `is` tells what a link leads to. Where there are numbers,
//!
//! `predicate NAME/1[p1/8] of 8 bytes: empty null with p1 == 0; node +0/8 = c1, v1/8, c1 is NAME(v1), p1 == v1 + 1`
//!
//! tells how many bytes parameters have that are numbers, names numbers (`v1`) of which there are some so that the laws
//! hold, and says these.

use std::fmt;

use crate::law::LawText;

/// A predicate over the address of a root: it is empty, or has a node as one of its cases says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateText {
    pub name: String,
    /// Bytes of those that are numbers; none for pointers.
    pub parameters: Vec<Option<u64>>,
    /// Bytes of its node.
    pub size: u64,
    pub cases: Vec<CaseText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseText {
    /// No node.
    Empty(EmptyText),
    Node(NodeText),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyText {
    /// The root is what this parameter is, or null.
    pub parameter: Option<usize>,
    pub laws: Vec<LawText>,
}

/// A node with what its fields hold, and what its links lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeText {
    /// Offset, bytes and value.
    pub fields: Vec<(u64, u64, WordText)>,
    /// The predicate and its arguments.
    pub links: Vec<(String, Vec<WordText>)>,
    /// Bytes of each number that is named.
    pub variables: Vec<u64>,
    pub laws: Vec<LawText>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordText {
    Null,
    /// The address of the node.
    This,
    Parameter(usize),
    Link(usize),
    Variable(usize),
    Number(u128),
}

impl PredicateText {
    /// What stands behind the word `predicate` in a line.
    pub(crate) fn parse(text: &str) -> Option<PredicateText> {
        let (head, cases) = text.split_once(": ")?;
        let (name, size) = head.split_once(" of ")?;
        let (name, parameters) = name.split_once('/')?;
        let cases = cases.split(';').map(|case| CaseText::parse(case.trim()));
        Some(PredicateText {
            name: name.to_owned(),
            parameters: parse_parameters(parameters)?,
            size: size.strip_suffix(" bytes")?.parse().ok()?,
            cases: cases.collect::<Option<_>>()?,
        })
    }

    /// Whether all that it names is there, among these predicates.
    pub(crate) fn makes_sense(&self, all: &[PredicateText]) -> bool {
        self.cases.iter().all(|case| match case {
            CaseText::Empty(empty) => {
                let is_pointer = |index: usize| self.parameters.get(index) == Some(&None);
                empty.parameter.is_none_or(is_pointer)
                    && empty.laws.iter().all(|law| self.law_makes_sense(law, &[]))
            }
            CaseText::Node(node) => self.node_makes_sense(node, all),
        })
    }

    /// Bytes of a number that a word stands for, or none for a pointer; nothing if it stands for nothing.
    fn bytes_of(&self, word: WordText, variables: &[u64]) -> Option<Option<u64>> {
        match word {
            WordText::Null | WordText::This | WordText::Link(_) => Some(None),
            WordText::Parameter(index) => self.parameters.get(index).copied(),
            WordText::Variable(index) => variables.get(index).copied().map(Some),
            WordText::Number(_) => None,
        }
    }

    /// Whether a law compares numbers of one width that are there.
    fn law_makes_sense(&self, law: &LawText, variables: &[u64]) -> bool {
        let named = law.words().filter(|word| !matches!(word, WordText::Number(_)));
        let bytes: Vec<_> = named.map(|word| self.bytes_of(word, variables)).collect();
        matches!(bytes.first(), Some(Some(Some(_)))) && bytes.iter().all(|of| *of == bytes[0])
    }

    fn node_makes_sense(&self, node: &NodeText, all: &[PredicateText]) -> bool {
        let is_known = |word: &WordText| match word {
            WordText::Null | WordText::This | WordText::Number(_) => true,
            WordText::Parameter(index) => *index < self.parameters.len(),
            WordText::Link(index) => *index < node.links.len(),
            WordText::Variable(index) => *index < node.variables.len(),
        };
        let fits = |(offset, size, word): &(u64, u64, WordText)| {
            let end = offset.checked_add(*size);
            let number = self.bytes_of(*word, &node.variables).flatten();
            is_known(word)
                && number.is_none_or(|bytes| bytes == *size)
                && (1..=16).contains(size)
                && end.is_some_and(|end| end <= self.size)
        };
        let leads = |(name, arguments): &(String, Vec<WordText>)| {
            let target = all.iter().find(|target| target.name == *name);
            let given = arguments.iter().map(|&word| self.bytes_of(word, &node.variables));
            target.is_some_and(|target| given.eq(target.parameters.iter().copied().map(Some)))
                && arguments.iter().all(is_known)
        };
        let is_held = |index| node.fields.iter().any(|field| field.2 == WordText::Link(index));
        node.fields.iter().all(fits)
            && node.variables.iter().all(|bytes| (1..=16).contains(bytes))
            && node.laws.iter().all(|law| self.law_makes_sense(law, &node.variables))
            && node.links.iter().all(leads)
            && (0..node.links.len()).all(is_held)
    }
}

impl CaseText {
    fn parse(text: &str) -> Option<CaseText> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("empty", words) => EmptyText::parse(words).map(CaseText::Empty),
            ("node", parts) => NodeText::parse(parts).map(CaseText::Node),
            _ => None,
        }
    }
}

impl EmptyText {
    fn parse(text: &str) -> Option<EmptyText> {
        let (this, laws) = text.split_once(" with ").unwrap_or((text, ""));
        let laws = laws.split(" and ").filter(|law| !law.is_empty());
        let laws = laws.map(LawText::parse).collect::<Option<_>>()?;
        match WordText::parse(this)? {
            WordText::Null => Some(EmptyText { parameter: None, laws }),
            WordText::Parameter(index) => Some(EmptyText { parameter: Some(index), laws }),
            WordText::This | WordText::Link(_) | WordText::Variable(_) | WordText::Number(_) => {
                None
            }
        }
    }
}

/// `2` or `2[p2/8]`
fn parse_parameters(text: &str) -> Option<Vec<Option<u64>>> {
    let (count, numbers) = text.split_once('[').unwrap_or((text, "]"));
    // More than anybody writes, and few enough to be made.
    let count = count.parse().ok().filter(|&count: &usize| count <= 64)?;
    let mut parameters = vec![None; count];
    for number in numbers.strip_suffix(']')?.split(' ').filter(|number| !number.is_empty()) {
        let (word, bytes) = number.split_once('/')?;
        let WordText::Parameter(index) = WordText::parse(word)? else { return None };
        *parameters.get_mut(index)? =
            Some(bytes.parse().ok().filter(|bytes| (1..=16).contains(bytes))?);
    }
    Some(parameters)
}

impl NodeText {
    fn parse(text: &str) -> Option<NodeText> {
        let mut node = NodeText::default();
        let mut rest = text.trim();
        while !rest.is_empty() {
            // The arguments of a link have commas of their own.
            let end = match (rest.find(", "), rest.find('(')) {
                (Some(comma), Some(open)) if open < comma => rest.find(')')? + 1,
                (Some(comma), _) => comma,
                (None, _) => rest.len(),
            };
            let (part, behind) = rest.split_at(end);
            node.add(part)?;
            rest = behind.trim_start_matches(',').trim();
        }
        Some(node)
    }

    fn add(&mut self, part: &str) -> Option<()> {
        if let Some(field) = part.strip_prefix('+') {
            let (place, word) = field.split_once(" = ")?;
            let (offset, size) = place.split_once('/')?;
            let word = WordText::parse(word.trim())?;
            self.fields.push((offset.parse().ok()?, size.parse().ok()?, word));
        } else if let Some((word, call)) = part.split_once(" is ") {
            let (name, arguments) = call.strip_suffix(')')?.split_once('(')?;
            if WordText::parse(word)? != WordText::Link(self.links.len()) {
                return None;
            }
            let words = arguments.split(',').map(str::trim).filter(|word| !word.is_empty());
            let words = words.map(WordText::parse).collect::<Option<_>>()?;
            self.links.push((name.to_owned(), words));
        } else if let Some((word, bytes)) = part.split_once('/') {
            if WordText::parse(word)? != WordText::Variable(self.variables.len()) {
                return None;
            }
            self.variables.push(bytes.parse().ok()?);
        } else {
            self.laws.push(LawText::parse(part)?);
        }
        Some(())
    }
}

impl WordText {
    pub(crate) fn parse(word: &str) -> Option<WordText> {
        let index = |prefix| {
            let number: usize = word.strip_prefix(prefix)?.parse().ok()?;
            number.checked_sub(1)
        };
        match word {
            "null" => Some(WordText::Null),
            "this" => Some(WordText::This),
            _ => match (index("p"), index("c"), index("v")) {
                (Some(index), _, _) => Some(WordText::Parameter(index)),
                (None, Some(index), _) => Some(WordText::Link(index)),
                (None, None, Some(index)) => Some(WordText::Variable(index)),
                (None, None, None) => word.parse().ok().map(WordText::Number),
            },
        }
    }
}

impl fmt::Display for WordText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordText::Null => write!(f, "null"),
            WordText::This => write!(f, "this"),
            WordText::Parameter(index) => write!(f, "p{}", index + 1),
            WordText::Link(index) => write!(f, "c{}", index + 1),
            WordText::Variable(index) => write!(f, "v{}", index + 1),
            WordText::Number(number) => write!(f, "{number}"),
        }
    }
}

impl fmt::Display for PredicateText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cases: Vec<String> = self.cases.iter().map(ToString::to_string).collect();
        let PredicateText { name, parameters, size, .. } = self;
        let numbers = parameters.iter().enumerate().filter_map(|(index, bytes)| {
            bytes.map(|bytes| format!("{}/{bytes}", WordText::Parameter(index)))
        });
        let numbers = numbers.collect::<Vec<String>>().join(" ");
        let numbers = if numbers.is_empty() { numbers } else { format!("[{numbers}]") };
        let count = parameters.len();
        write!(f, "predicate {name}/{count}{numbers} of {size} bytes: {}", cases.join("; "))
    }
}

impl fmt::Display for CaseText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseText::Empty(empty) => write!(f, "empty {empty}"),
            CaseText::Node(node) => write!(f, "node{node}"),
        }
    }
}

impl fmt::Display for EmptyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let this = self.parameter.map_or(WordText::Null, WordText::Parameter);
        write!(f, "{this}")?;
        for (index, law) in self.laws.iter().enumerate() {
            write!(f, " {} {law}", if index == 0 { "with" } else { "and" })?;
        }
        Ok(())
    }
}

/// With a blank before it, if there is anything to tell.
impl fmt::Display for NodeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NodeText { fields, links, variables, laws } = self;
        let mut parts: Vec<String> =
            fields.iter().map(|(at, size, word)| format!("+{at}/{size} = {word}")).collect();
        for (index, bytes) in variables.iter().enumerate() {
            parts.push(format!("{}/{bytes}", WordText::Variable(index)));
        }
        for (index, (name, arguments)) in links.iter().enumerate() {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            parts.push(format!("c{} is {name}({})", index + 1, arguments.join(", ")));
        }
        parts.extend(laws.iter().map(ToString::to_string));
        let separator = if parts.is_empty() { "" } else { " " };
        write!(f, "{separator}{}", parts.join(", "))
    }
}
