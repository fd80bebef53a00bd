//! What the predicates of a certificate mean: definitions, changes by stores, and rules, all from its
//! own text.

use crate::formula::Formula;
use crate::news::Subjects;
use crate::read_formula::{Symbol, formula, rule};

/// All predicates of a certificate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meaning {
    /// Names by index: pointers, sizes, then what is defined.
    pub(crate) unary: Vec<String>,
    /// Names by index: links, then what is defined.
    pub(crate) binary: Vec<String>,
    /// How many of the binary predicates are links.
    pub(crate) links: usize,
    /// How many of the unary ones are pointers.
    pub(crate) pointers: usize,
    /// The binary predicate that compares numbers, if there is one: it comes behind the links.
    pub(crate) order: Option<usize>,
    /// The unary predicates of tracked numbers.
    pub(crate) numerals: Vec<usize>,
    /// In the order in which they are brought up to date.
    pub(crate) defined: Vec<Defined>,
    pub(crate) rules: Vec<Rule>,
    /// All that is true of every heap, in the order in which it is looked at.
    pub(crate) laws: Vec<Law>,
}

/// Something that is true of every heap, with what it speaks of.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    pub(crate) kind: LawKind,
    pub(crate) subjects: Subjects,
    /// What it looks at to decide something else. When only what it decides has changed since it was obeyed, it has
    /// nothing to say: whoever decided otherwise has noticed the contradiction.
    pub(crate) reasons: Subjects,
}

/// By indices of pointers, links, definitions and rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LawKind {
    Pointer(usize),
    Link(usize),
    Defined(usize),
    Rule(usize),
}

impl Meaning {
    /// Collects the laws, once everything is read.
    fn collect_laws(&mut self) {
        let own = |kind, symbol| {
            let subjects = Subjects::default().and(symbol).and_many();
            Law { kind, reasons: subjects.clone(), subjects }
        };
        let pointers = (0..self.pointers).chain(self.numerals.iter().copied());
        let pointers = pointers.map(|it| own(LawKind::Pointer(it), Symbol::Unary(it)));
        let links = (0..self.links).map(|it| own(LawKind::Link(it), Symbol::Binary(it)));
        let defined = self.defined.iter().enumerate().map(|(index, defined)| {
            let reasons = Subjects::of([&defined.definition]);
            let subjects = reasons.clone().and(defined.symbol);
            Law { kind: LawKind::Defined(index), subjects, reasons }
        });
        let rules = self.rules.iter().enumerate().map(|(index, rule)| Law {
            kind: LawKind::Rule(index),
            subjects: Subjects::of(rule.premises.iter().flatten().chain([&rule.conclusion])),
            reasons: Subjects::of(rule.premises.iter().flatten()),
        });
        self.laws = pointers.chain(links).chain(defined).chain(rules).collect();
    }
}

/// A predicate with a definition.
#[derive(Clone, Debug)]
pub(crate) struct Defined {
    pub(crate) symbol: Symbol,
    pub(crate) definition: Formula,
    pub(crate) changes: Vec<Change>,
    /// The links that its value depends on, and the order.
    pub(crate) links: Vec<usize>,
    /// The pointer that it depends on.
    pub(crate) pointer: Option<usize>,
}

/// What becomes of a predicate when a link or a number is stored.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) event: Event,
    /// The link, or the order that compares numbers.
    pub(crate) link: usize,
    pub(crate) when: Option<Formula>,
    pub(crate) effect: Effect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Remove,
    Add,
    Write,
}

#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Becomes(Formula),
    /// By the definition where this holds, as before elsewhere.
    AnewWhere(Formula),
}

/// What is true of every heap.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    /// By how many variables have nodes when they are looked at.
    pub(crate) premises: Vec<Vec<Formula>>,
    pub(crate) conclusion: Formula,
    /// The predicate of the conclusion; none: that a node stands for one block.
    pub(crate) concludes: Option<Symbol>,
    pub(crate) variables: usize,
}

/// The places of the variables that stand for the node whose link is stored, its old and its new target.
pub(crate) const SOURCE: usize = 2;
pub(crate) const OLD: usize = 3;
pub(crate) const NEW: usize = 4;

/// A line about predicates, with the names that links have there.
#[derive(Clone, Debug)]
pub(crate) struct Line<'t> {
    pub(crate) number: usize,
    pub(crate) text: &'t str,
    pub(crate) roles: Vec<(&'t str, usize)>,
}

/// Reads the lines: definitions first, since changes and rules may speak of all predicates.
pub(crate) fn read(meaning: &mut Meaning, lines: &[Line<'_>]) -> Result<(), (usize, String)> {
    let mut changed: Vec<(usize, &Line<'_>)> = Vec::new();
    let mut last = 0..0;
    for line in lines {
        let at = |message: String| (line.number, message);
        if let Some(text) = line.text.strip_prefix("define ") {
            last = define(meaning, line, text).map_err(at)?;
        } else if line.text.starts_with("change ") {
            changed.extend(last.clone().map(|index| (index, line)));
        }
    }
    for (index, line) in changed {
        let change = change(meaning, index, line).map_err(|message| (line.number, message))?;
        meaning.defined[index].changes.extend(change);
    }
    for line in lines {
        if let Some(text) = line.text.strip_prefix("rule ") {
            add_rule(meaning, line, text).map_err(|message| (line.number, message))?;
        }
    }
    meaning.collect_laws();
    Ok(())
}

/// The pointers that a text is meant for: none, or each in turn.
fn each(meaning: &Meaning, is_for_each: bool) -> Vec<Option<usize>> {
    if is_for_each { (0..meaning.pointers).map(Some).collect() } else { vec![None] }
}

fn named(meaning: &Meaning, name: &str, pointer: Option<usize>) -> String {
    match pointer {
        Some(pointer) => name.replace("[x]", &format!("[{}]", meaning.unary[pointer])),
        None => name.to_owned(),
    }
}

fn lookup(
    meaning: &Meaning,
    line: &Line<'_>,
    pointer: Option<usize>,
    name: &str,
) -> Option<Symbol> {
    if let Some((_, link)) = line.roles.iter().find(|(role, _)| *role == name) {
        return Some(Symbol::Binary(*link));
    }
    if let (Some(pointer), "x") = (pointer, name) {
        return Some(Symbol::Unary(pointer));
    }
    let name = named(meaning, name, pointer);
    let unary = meaning.unary.iter().position(|known| *known == name);
    // Links and orders have the names of their family, and no others.
    let own = meaning.links + usize::from(meaning.order.is_some());
    let binary = meaning.binary.iter().skip(own).position(|known| *known == name);
    let binary = binary.map(|index| Symbol::Binary(index + own));
    unary.map(Symbol::Unary).or(binary)
}

/// `[each x] unary NAME(v) = FORMULA`; the range of what it defines.
fn define(
    meaning: &mut Meaning,
    line: &Line<'_>,
    text: &str,
) -> Result<std::ops::Range<usize>, String> {
    let (is_for_each, text) = without(text, "each x ");
    let (head, body) = text.split_once('=').ok_or("`=` is missing")?;
    let head = head.trim();
    let (is_unary, name) = match (head.strip_prefix("unary "), head.strip_prefix("binary ")) {
        (Some(name), _) => (true, name.strip_suffix("(v)").ok_or("`(v)` is missing")?),
        (None, Some(name)) => (false, name.strip_suffix("(u, v)").ok_or("`(u, v)` is missing")?),
        (None, None) => return Err("`unary` or `binary` is missing".to_owned()),
    };
    let start = meaning.defined.len();
    for pointer in each(meaning, is_for_each) {
        let free: &[&str] = if is_unary { &["v"] } else { &["u", "v"] };
        let definition = formula(body, &|name: &str| lookup(meaning, line, pointer, name), free)?;
        let links = links_of(meaning, &definition);
        let name = named(meaning, name, pointer);
        let names = if is_unary { &mut meaning.unary } else { &mut meaning.binary };
        names.push(name);
        let index = names.len() - 1;
        let symbol = if is_unary { Symbol::Unary(index) } else { Symbol::Binary(index) };
        meaning.defined.push(Defined { symbol, definition, changes: Vec::new(), links, pointer });
    }
    Ok(start..meaning.defined.len())
}

fn links_of(meaning: &Meaning, definition: &Formula) -> Vec<usize> {
    let mut links = Vec::new();
    definition.visit(&mut |part| {
        let symbol = match part {
            Formula::Unary(predicate, _) => Symbol::Unary(*predicate),
            Formula::Binary(predicate, _, _) => Symbol::Binary(*predicate),
            Formula::Constant(_)
            | Formula::Equal(..)
            | Formula::IsNull(_)
            | Formula::IsWild(_)
            | Formula::IsBlock(_)
            | Formula::Not(_)
            | Formula::All(_)
            | Formula::Any(_)
            | Formula::Exists(..)
            | Formula::ForAll(..)
            | Formula::Path { .. } => return,
        };
        match symbol {
            Symbol::Binary(link) if link < meaning.links || meaning.order == Some(link) => {
                links.push(link);
            }
            Symbol::Binary(_) | Symbol::Unary(_) => {
                let of = meaning.defined.iter().find(|defined| defined.symbol == symbol);
                links.extend(of.into_iter().flat_map(|defined| defined.links.iter().copied()));
            }
        }
    });
    links
}

/// `change remove|add|write ROLE: [when CONDITION then] FORMULA`; nothing where the condition speaks of
/// predicates that the certificate does not have, since it is never certain then.
fn change(meaning: &Meaning, index: usize, line: &Line<'_>) -> Result<Option<Change>, String> {
    let defined = &meaning.defined[index];
    let text = line.text.strip_prefix("change ").ok_or("`change` is missing")?;
    let (event, text) = match text.split_once(' ') {
        Some(("remove", text)) => (Event::Remove, text),
        Some(("add", text)) => (Event::Add, text),
        Some(("write", text)) => (Event::Write, text),
        Some(_) | None => return Err("`remove`, `add` or `write` is missing".to_owned()),
    };
    let (role, text) = text.split_once(':').ok_or("`:` is missing")?;
    let (_, link) = line.roles.iter().find(|it| it.0 == role.trim()).ok_or("an unknown link")?;
    if (meaning.order == Some(*link)) != (event == Event::Write) {
        return Err("links are removed and added, numbers are written".to_owned());
    }
    let free: &[&str] = match defined.symbol {
        Symbol::Unary(_) => &["v", "-", "s", "o", "y"],
        Symbol::Binary(_) => &["u", "v", "s", "o", "y"],
    };
    let read = |text: &str| {
        formula(text, &|name: &str| lookup(meaning, line, defined.pointer, name), free)
    };
    let (when, text) = match text.trim().strip_prefix("when ") {
        None => (None, text.trim()),
        Some(text) => {
            let (when, text) = text.split_once(" then ").ok_or("`then` is missing")?;
            let Ok(when) = read(when) else { return Ok(None) };
            (Some(when), text)
        }
    };
    let effect = match text.strip_prefix("recompute where ") {
        Some(place) => Effect::AnewWhere(read(place)?),
        None => Effect::Becomes(read(text)?),
    };
    Ok(Some(Change { event, link: *link, when, effect }))
}

fn add_rule(meaning: &mut Meaning, line: &Line<'_>, text: &str) -> Result<(), String> {
    let (is_for_each, text) = without(text, "each x: ");
    for pointer in each(meaning, is_for_each) {
        let (premises, conclusion, variables) =
            rule(text, &|name: &str| lookup(meaning, line, pointer, name))?;
        let mut due = vec![Vec::new(); variables + 1];
        for premise in premises {
            due[(highest(&premise) + 1).min(variables)].push(premise);
        }
        let concludes = symbol_of(&conclusion);
        meaning.rules.push(Rule { premises: due, conclusion, concludes, variables });
    }
    Ok(())
}

fn without<'t>(text: &'t str, prefix: &str) -> (bool, &'t str) {
    match text.strip_prefix(prefix) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// The predicate of a literal.
fn symbol_of(literal: &Formula) -> Option<Symbol> {
    match literal {
        Formula::Not(atom) => symbol_of(atom),
        Formula::Unary(predicate, _) => Some(Symbol::Unary(*predicate)),
        Formula::Binary(predicate, ..) => Some(Symbol::Binary(*predicate)),
        Formula::Constant(_)
        | Formula::Equal(..)
        | Formula::IsNull(_)
        | Formula::IsWild(_)
        | Formula::IsBlock(_)
        | Formula::All(_)
        | Formula::Any(_)
        | Formula::Exists(..)
        | Formula::ForAll(..)
        | Formula::Path { .. } => None,
    }
}

/// The highest variable of a literal.
fn highest(literal: &Formula) -> usize {
    let mut highest = 0;
    literal.visit(&mut |part| match part {
        Formula::Unary(_, of)
        | Formula::IsNull(of)
        | Formula::IsWild(of)
        | Formula::IsBlock(of) => highest = highest.max(*of),
        Formula::Binary(_, left, right) | Formula::Equal(left, right) => {
            highest = highest.max(*left).max(*right);
        }
        Formula::Constant(_)
        | Formula::Not(_)
        | Formula::All(_)
        | Formula::Any(_)
        | Formula::Exists(..)
        | Formula::ForAll(..)
        | Formula::Path { .. } => {}
    });
    highest
}
