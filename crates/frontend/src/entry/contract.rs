//! Contracts: what callers of a function promise, as a small text.
//!
//! `fn NAME { clause; clause; … }` with `#` for comments. A clause is `nonnull(p)`, `maybenull(p)`,
//! `list(p)`, `tree(p)`, `text(p)`, `owned(p)`, `len(a) == EXPRESSION`, `member(PLACE) == p`, or any C
//! condition over the parameters. `type NAME { … }` says what holds of every object of a type that callers
//! pass, over its members: `last(head) == tail`, `len(head) == count`, `member(head) == cursor`, or a condition; with
//! `kept`, functions are asked to leave it so.

use std::collections::BTreeMap;

use crate::diagnostic::InputError;

/// What callers promise, by function and by type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    functions: BTreeMap<String, Vec<Clause>>,
    types: BTreeMap<String, Vec<Clause>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    NonNull(String),
    MaybeNull(String),
    /// Nodes linked by their first link, the last one by null.
    List(String),
    Tree(String),
    /// Characters up to a zero.
    Text(String),
    /// The function frees it, or hands it on.
    Owned(String),
    /// So many elements, or nodes of a list that is a member: a C expression, or another member.
    Length {
        array: String,
        length: String,
    },
    /// The last node of a list, both of them members; null if the list is empty.
    Last {
        list: String,
        node: String,
    },
    /// A node of the list or tree at a place.
    Member {
        place: String,
        node: String,
    },
    /// A C condition.
    Condition(String),
    /// The function leaves objects of the type as its other clauses say.
    Kept,
}

impl Contract {
    /// Reads a contract; the name is for messages.
    pub fn parse(name: &str, text: &str) -> Result<Contract, InputError> {
        let mut contract = Contract::default();
        contract.add(name, text)?;
        Ok(contract)
    }

    /// Adds what another text says.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), InputError> {
        let mut reader = Reader { name, rest: Vec::new() };
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            reader.rest.extend(line.chars().map(|character| (number + 1, character)));
            reader.rest.push((number + 1, '\n'));
        }
        reader.rest.reverse();
        while let Some(line) = reader.skip_space() {
            let word = reader.until(&['{'], line)?;
            let (table, name) = match word.trim().split_once(' ') {
                Some(("fn", name)) => (&mut self.functions, name),
                Some(("type", name)) => (&mut self.types, name),
                Some(_) | None => {
                    return Err(reader.error(line, "expected `fn NAME {` or `type NAME {`"));
                }
            };
            let clauses = table.entry(name.trim().to_owned()).or_default();
            loop {
                let line = reader.skip_space().unwrap_or(line);
                if reader.take('}') {
                    break;
                }
                let text = reader.until(&[';'], line)?;
                clauses.push(clause(text.trim()).map_err(|problem| reader.error(line, &problem))?);
            }
        }
        Ok(())
    }

    pub(crate) fn of(&self, function: &str) -> &[Clause] {
        self.functions.get(function).map_or(&[], Vec::as_slice)
    }

    /// The functions that it speaks of.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str)
    }

    /// Without what it says of other functions than this one.
    #[must_use]
    pub fn about(mut self, function: &str) -> Contract {
        self.functions.retain(|name, _| name == function);
        self
    }

    /// What holds of objects of a type, by its tag or typedef.
    pub(crate) fn of_type(&self, name: &str) -> &[Clause] {
        self.types.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The rest of a text, backwards, each character with its line.
struct Reader<'n> {
    name: &'n str,
    rest: Vec<(usize, char)>,
}

impl Reader<'_> {
    /// The line of the next character that is no space.
    fn skip_space(&mut self) -> Option<usize> {
        while self.rest.last()?.1.is_whitespace() {
            self.rest.pop();
        }
        self.rest.last().map(|(line, _)| *line)
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.rest.last().is_some_and(|(_, character)| *character == wanted);
        if is_next {
            self.rest.pop();
        }
        is_next
    }

    /// What stands before one of these characters, which is taken too.
    fn until(&mut self, ends: &[char], line: usize) -> Result<String, InputError> {
        let mut text = String::new();
        while let Some((_, character)) = self.rest.pop() {
            if ends.contains(&character) {
                return Ok(text);
            }
            text.push(character);
        }
        Err(self.error(line, &format!("`{}` is missing at the end", ends[0])))
    }

    fn error(&self, line: usize, problem: &str) -> InputError {
        InputError::new(format!("{}:{line}: {problem}", self.name))
    }
}

fn clause(text: &str) -> Result<Clause, String> {
    let text = text.strip_prefix("requires ").unwrap_or(text).trim();
    if let Some(operator) = operator_that_changes(text) {
        return Err(format!(
            "`{text}` changes something by `{operator}`; a clause only says what holds, \
             and that two are equal is said by `==`"
        ));
    }
    if let Some((call, value)) = text.split_once("==")
        && let Some(equation) = equation(call.trim(), value.trim())
    {
        return Ok(equation);
    }
    match application(text) {
        Some(("nonnull", name)) => Ok(Clause::NonNull(name)),
        Some(("maybenull", name)) => Ok(Clause::MaybeNull(name)),
        Some(("list", name)) => Ok(Clause::List(name)),
        Some(("tree", name)) => Ok(Clause::Tree(name)),
        Some(("text", name)) => Ok(Clause::Text(name)),
        Some(("owned", name)) => Ok(Clause::Owned(name)),
        Some((predicate, _)) => Err(format!(
            "there is no predicate `{predicate}`; there are nonnull, maybenull, list, tree, text, \
             owned, len(a) == n, last(l) == p and member(l) == p"
        )),
        None if text == "kept" => Ok(Clause::Kept),
        None if text.contains(['<', '>', '=', '!']) => Ok(Clause::Condition(text.to_owned())),
        None => Err(format!("`{text}` is neither a predicate nor a condition")),
    }
}

/// The operator by which a text of C changes what it speaks of: the harness would choose its calls by another
/// number than callers pass, and `n = 0`, which is false, would leave out all of them.
fn operator_that_changes(text: &str) -> Option<&'static str> {
    const CHANGES: [&str; 12] =
        ["<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];
    const COMPARES: [&str; 4] = ["==", "<=", ">=", "!="];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let found = CHANGES.into_iter().find(|operator| rest.starts_with(operator));
        if found.is_some() {
            return found;
        }
        let length = if let Some(operator) = COMPARES.iter().find(|one| rest.starts_with(**one)) {
            operator.len()
        } else if first == '=' {
            return Some("=");
        } else if first == '\'' || first == '"' {
            length_of_literal(rest, first)
        } else {
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    None
}

/// How long a literal is with which a text begins, its quotes among it.
fn length_of_literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// `len(a) == EXPRESSION`, `last(l) == p` or `member(PLACE) == p`.
fn equation(call: &str, value: &str) -> Option<Clause> {
    let value = value.to_owned();
    if let Some(place) = call.strip_prefix("member(").and_then(|rest| rest.strip_suffix(')')) {
        return Some(Clause::Member { place: place.trim().to_owned(), node: value });
    }
    match application(call)? {
        ("len", array) => Some(Clause::Length { array, length: value }),
        ("last", list) => Some(Clause::Last { list, node: value }),
        (_, _) => None,
    }
}

/// `name(argument)`, both of them plain names.
fn application(text: &str) -> Option<(&str, String)> {
    let (name, rest) = text.trim().split_once('(')?;
    let argument = rest.strip_suffix(')')?.trim();
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
    };
    (is_name(name.trim()) && is_name(argument)).then(|| (name.trim(), argument.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_told_apart() {
        let text = "# what callers do\nfn sum { len(a) == n; nonnull(a);\n requires n > 0; }";
        let contract = Contract::parse("c", text).expect("a contract");
        let length = Clause::Length { array: "a".to_owned(), length: "n".to_owned() };
        let condition = Clause::Condition("n > 0".to_owned());
        assert_eq!(contract.of("sum"), [length, Clause::NonNull("a".to_owned()), condition]);
        assert_eq!(contract.of("other"), []);
    }

    #[test]
    fn types_have_clauses_over_their_members() {
        let text = "type queue { last(head) == tail; len(head) == size; !head == !size; }\n\
                    fn cut { member(q->head) == node; }";
        let contract = Contract::parse("c", text).expect("a contract");
        let last = Clause::Last { list: "head".to_owned(), node: "tail".to_owned() };
        let length = Clause::Length { array: "head".to_owned(), length: "size".to_owned() };
        let condition = Clause::Condition("!head == !size".to_owned());
        assert_eq!(contract.of_type("queue"), [last, length, condition]);
        let member = Clause::Member { place: "q->head".to_owned(), node: "node".to_owned() };
        assert_eq!(contract.of("cut"), [member]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let message = |text| Contract::parse("c", text).expect_err("a mistake").to_string();
        assert!(message("fn f {\n heap(p); }").contains("c:2: there is no predicate `heap`"));
        assert!(message("fn f { owned(p) }").contains("c:1: `;` is missing"));
        assert!(message("\nsum { }").contains("c:2: expected `fn NAME {`"));
        assert!(message("fn f { something; }").contains("neither a predicate"));
    }

    #[test]
    fn clauses_change_nothing() {
        let message = |text| Contract::parse("c", text).expect_err("a mistake").to_string();
        assert!(message("fn f { n = 0; }").contains("`n = 0` changes something by `=`"));
        assert!(message("fn f {\n (n = 5) == 5; }").contains("c:2: `(n = 5) == 5` changes"));
        assert!(message("fn f { len(a) == n++; }").contains("by `++`"));
        assert!(message("fn f { (n <<= 1) > 0; }").contains("by `<<=`"));
        assert!(message("type t { --size >= 0; }").contains("by `--`"));
        let text = "fn f { n <= 3; n >= 0; n != 2; c != '='; c != '\\''; *s == \"=\"[0]; }";
        assert_eq!(Contract::parse("c", text).expect("a contract").of("f").len(), 6);
    }
}
