//! Predicates that a text defines: their tree, how they are read and printed, and whether they make sense.
//!
//! `predicate NAME/2 of 24 bytes: empty null; empty p1; node +0/8 = c1, +8/8 = this, +16/4 = 7, c1 is NAME(p1, this)`
//!
//! `p1` and so on are parameters, `c1` and so on links; `is` tells what a link leads to.

use std::fmt;

/// A predicate over the address of a root: it is empty, or has a node as one of its cases says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateText {
    pub name: String,
    /// How many it has.
    pub parameters: usize,
    /// Bytes of its node.
    pub size: u64,
    pub cases: Vec<CaseText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseText {
    /// No node: the root is null.
    EmptyNull,
    /// No node: the root is what a parameter is.
    EmptyParameter(usize),
    Node(NodeText),
}

/// A node with what its fields hold, and what its links lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeText {
    /// Offset, bytes and value.
    pub fields: Vec<(u64, u64, WordText)>,
    /// The predicate and its arguments.
    pub links: Vec<(String, Vec<WordText>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordText {
    Null,
    /// The address of the node.
    This,
    Parameter(usize),
    Link(usize),
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
            parameters: parameters.parse().ok()?,
            size: size.strip_suffix(" bytes")?.parse().ok()?,
            cases: cases.collect::<Option<_>>()?,
        })
    }

    /// Whether all that it names is there, among these predicates.
    pub(crate) fn makes_sense(&self, all: &[PredicateText]) -> bool {
        self.cases.iter().all(|case| match case {
            CaseText::EmptyNull => true,
            CaseText::EmptyParameter(index) => *index < self.parameters,
            CaseText::Node(node) => self.node_makes_sense(node, all),
        })
    }

    fn node_makes_sense(&self, node: &NodeText, all: &[PredicateText]) -> bool {
        let is_known = |word: &WordText| match word {
            WordText::Null | WordText::This | WordText::Number(_) => true,
            WordText::Parameter(index) => *index < self.parameters,
            WordText::Link(index) => *index < node.links.len(),
        };
        let fits = |(offset, size, word): &(u64, u64, WordText)| {
            let end = offset.checked_add(*size);
            is_known(word) && (1..=16).contains(size) && end.is_some_and(|end| end <= self.size)
        };
        let leads = |(name, arguments): &(String, Vec<WordText>)| {
            let target = all.iter().find(|target| target.name == *name);
            let is_number = |word: &WordText| matches!(word, WordText::Number(_));
            target.is_some_and(|target| target.parameters == arguments.len())
                && arguments.iter().all(|word| is_known(word) && !is_number(word))
        };
        let is_held = |index| node.fields.iter().any(|field| field.2 == WordText::Link(index));
        node.fields.iter().all(fits)
            && node.links.iter().all(leads)
            && (0..node.links.len()).all(is_held)
    }
}

impl CaseText {
    fn parse(text: &str) -> Option<CaseText> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("empty", "null") => Some(CaseText::EmptyNull),
            ("empty", word) => match WordText::parse(word)? {
                WordText::Parameter(index) => Some(CaseText::EmptyParameter(index)),
                WordText::Null | WordText::This | WordText::Link(_) | WordText::Number(_) => None,
            },
            ("node", parts) => NodeText::parse(parts).map(CaseText::Node),
            _ => None,
        }
    }
}

impl NodeText {
    fn parse(text: &str) -> Option<NodeText> {
        let mut node = NodeText::default();
        let mut rest = text.trim();
        while !rest.is_empty() {
            if let Some(field) = rest.strip_prefix('+') {
                let (field, behind) = field.split_once(", ").unwrap_or((field, ""));
                let (place, word) = field.split_once(" = ")?;
                let (offset, size) = place.split_once('/')?;
                let word = WordText::parse(word.trim())?;
                node.fields.push((offset.parse().ok()?, size.parse().ok()?, word));
                rest = behind.trim();
            } else {
                let (link, behind) = rest.split_once(')')?;
                let (word, call) = link.split_once(" is ")?;
                let (name, arguments) = call.split_once('(')?;
                if WordText::parse(word)? != WordText::Link(node.links.len()) {
                    return None;
                }
                let words = arguments.split(',').map(str::trim).filter(|word| !word.is_empty());
                let words = words.map(WordText::parse).collect::<Option<_>>()?;
                node.links.push((name.to_owned(), words));
                rest = behind.trim().trim_start_matches(',').trim();
            }
        }
        Some(node)
    }
}

impl WordText {
    fn parse(word: &str) -> Option<WordText> {
        let index = |prefix| {
            let number: usize = word.strip_prefix(prefix)?.parse().ok()?;
            number.checked_sub(1)
        };
        match word {
            "null" => Some(WordText::Null),
            "this" => Some(WordText::This),
            _ => match (index("p"), index("c")) {
                (Some(index), _) => Some(WordText::Parameter(index)),
                (None, Some(index)) => Some(WordText::Link(index)),
                (None, None) => word.parse().ok().map(WordText::Number),
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
            WordText::Number(number) => write!(f, "{number}"),
        }
    }
}

impl fmt::Display for PredicateText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cases: Vec<String> = self.cases.iter().map(ToString::to_string).collect();
        let PredicateText { name, parameters, size, .. } = self;
        write!(f, "predicate {name}/{parameters} of {size} bytes: {}", cases.join("; "))
    }
}

impl fmt::Display for CaseText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NodeText { fields, links } = match self {
            CaseText::EmptyNull => return write!(f, "empty null"),
            CaseText::EmptyParameter(index) => return write!(f, "empty p{}", index + 1),
            CaseText::Node(node) => node,
        };
        let mut parts: Vec<String> =
            fields.iter().map(|(at, size, word)| format!("+{at}/{size} = {word}")).collect();
        for (index, (name, arguments)) in links.iter().enumerate() {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            parts.push(format!("c{} is {name}({})", index + 1, arguments.join(", ")));
        }
        let separator = if parts.is_empty() { "" } else { " " };
        write!(f, "node{separator}{}", parts.join(", "))
    }
}
