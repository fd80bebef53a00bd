//! Sharpening: what must be true of every heap decides values that are open, or shows that there is none.

use crate::formula::{Assignment, Evaluator, Formula, NOWHERE};
use crate::heap::{Heap, Node};
use crate::meaning::{LawKind, Meaning, Rule};
use crate::news::News;
use crate::read_formula::Symbol;
use crate::truth::Truth;

/// Nothing that is concrete fits.
#[derive(Debug)]
pub(crate) struct Impossible;

type Changed = Result<bool, Impossible>;

/// Applies everything until nothing changes.
pub(crate) fn sharpen(heap: &mut Heap, meaning: &Meaning) -> Result<(), Impossible> {
    let news = News::all(heap);
    sharpen_by(heap, meaning, news)
}

/// For a heap that was made from a sharp one with the same nodes: looks only at what speaks of a change.
pub(crate) fn sharpen_since(
    heap: &mut Heap,
    meaning: &Meaning,
    before: &Heap,
) -> Result<(), Impossible> {
    let news = News::between(before, heap);
    sharpen_by(heap, meaning, news)
}

/// Applies what speaks of something new until nothing changes.
pub(crate) fn sharpen_by(
    heap: &mut Heap,
    meaning: &Meaning,
    mut news: News,
) -> Result<(), Impossible> {
    let mut looked = vec![0; meaning.laws.len()];
    // Ends because each change decides an open value.
    loop {
        let begun = news.now();
        for (law, looked) in meaning.laws.iter().zip(&mut looked) {
            let subjects = if *looked == 0 { &law.subjects } else { &law.reasons };
            if news.are_about(subjects, *looked) {
                *looked = news.now();
                obey(heap, meaning, law.kind, &mut news)?;
            }
        }
        if news.now() == begun {
            return Ok(());
        }
    }
}

/// Decides what a law decides.
fn obey(
    heap: &mut Heap,
    meaning: &Meaning,
    law: LawKind,
    news: &mut News,
) -> Result<(), Impossible> {
    match law {
        LawKind::Pointer(pointer) => {
            let single = unique_pointer(heap, pointer, news)?;
            make_single(heap, single, news);
        }
        LawKind::Link(link) => {
            for from in heap.blocks() {
                let single = one_target(heap, link, from, news)?;
                // All blocks of a node may lead to the same one of another; that one may still be many.
                make_single(heap, single.filter(|_| !heap.is_many[from]), news);
            }
        }
        LawKind::Defined(index) => {
            let defined = &meaning.defined[index];
            if as_defined(heap, defined.symbol, &defined.definition)? {
                news.note(defined.symbol);
            }
        }
        LawKind::Rule(index) => {
            let rule = &meaning.rules[index];
            if apply(heap, rule)? {
                match rule.concludes {
                    Some(symbol) => news.note(symbol),
                    None => news.note_many(),
                }
            }
        }
    }
    Ok(())
}

fn make_single(heap: &mut Heap, node: Option<Node>, news: &mut News) {
    if node.is_some_and(|node| std::mem::take(&mut heap.is_many[node])) {
        news.note_many();
    }
}

/// A pointer leads to exactly one place; gives the node that is certain.
fn unique_pointer(
    heap: &mut Heap,
    pointer: usize,
    news: &mut News,
) -> Result<Option<Node>, Impossible> {
    let decided = exactly_one(&mut heap.unary[pointer], &heap.is_many)?;
    if decided.has_changed {
        news.note(Symbol::Unary(pointer));
    }
    Ok(decided.certain)
}

/// A link of a block leads to exactly one place; gives the node that is certain.
fn one_target(
    heap: &mut Heap,
    link: usize,
    from: Node,
    news: &mut News,
) -> Result<Option<Node>, Impossible> {
    let decided = exactly_one(&mut heap.binary[link][from], &heap.is_many)?;
    if decided.has_changed {
        news.note(Symbol::Binary(link));
    }
    Ok(decided.certain)
}

/// What came of a row.
struct Decided {
    certain: Option<Node>,
    has_changed: bool,
}

/// Decides a row that is true of exactly one individual.
fn exactly_one(row: &mut [Truth], is_many: &[bool]) -> Result<Decided, Impossible> {
    let count = |wanted: fn(Truth) -> bool| row.iter().filter(|it| wanted(**it)).count();
    let (certain, open) = (count(|it| it == Truth::Yes), count(|it| it != Truth::No));
    let first = row.iter().position(|it| *it != Truth::No);
    match (certain, open, first) {
        (_, _, None) | (2.., _, _) => Err(Impossible),
        (1, 1, certain) => Ok(Decided { certain, has_changed: false }),
        (1, _, _) => {
            let node = row.iter().position(|it| *it == Truth::Yes).expect("there is one");
            row.fill(Truth::No);
            row[node] = Truth::Yes;
            Ok(Decided { certain: Some(node), has_changed: true })
        }
        (0, 1, Some(last)) if !is_many[last] => {
            row[last] = Truth::Yes;
            Ok(Decided { certain: None, has_changed: true })
        }
        (0, _, _) => Ok(Decided { certain: None, has_changed: false }),
    }
}

/// A predicate is what its definition says, on blocks.
fn as_defined(heap: &mut Heap, symbol: Symbol, definition: &Formula) -> Changed {
    let meant = table(heap, symbol, definition, NOWHERE);
    let mut has_changed = false;
    for (arguments, meant) in meant {
        let value = value_mut(heap, symbol, arguments);
        has_changed |= agree(value, meant)?;
    }
    Ok(has_changed)
}

/// What is known on both sides.
fn agree(value: &mut Truth, meant: Truth) -> Changed {
    match (*value, meant) {
        (_, Truth::Maybe) => Ok(false),
        (known, meant) if known == meant => Ok(false),
        (Truth::Maybe, meant) => {
            *value = meant;
            Ok(true)
        }
        (Truth::No | Truth::Yes, _) => Err(Impossible),
    }
}

/// A formula at all blocks, or pairs of blocks.
pub(crate) fn table(
    heap: &Heap,
    symbol: Symbol,
    formula: &Formula,
    mut at: Assignment,
) -> Vec<((Node, Node), Truth)> {
    let evaluator = Evaluator::new(heap);
    let mut values = Vec::new();
    for first in heap.blocks() {
        at[0] = first;
        match symbol {
            Symbol::Unary(_) => values.push(((first, first), evaluator.value(formula, &mut at))),
            Symbol::Binary(_) => {
                for second in heap.blocks() {
                    at[1] = second;
                    values.push(((first, second), evaluator.value(formula, &mut at)));
                }
            }
        }
    }
    values
}

pub(crate) fn value_mut(
    heap: &mut Heap,
    symbol: Symbol,
    (first, second): (Node, Node),
) -> &mut Truth {
    match symbol {
        Symbol::Unary(predicate) => &mut heap.unary[predicate][first],
        Symbol::Binary(predicate) => &mut heap.binary[predicate][first][second],
    }
}

/// Tries a rule with all nodes for its variables.
fn apply(heap: &mut Heap, rule: &Rule) -> Changed {
    let mut has_changed = false;
    let mut at = NOWHERE;
    extend(heap, rule, &mut at, 0, &mut has_changed)?;
    Ok(has_changed)
}

fn extend(
    heap: &mut Heap,
    rule: &Rule,
    at: &mut Assignment,
    known: usize,
    has_changed: &mut bool,
) -> Result<(), Impossible> {
    // A premise is looked at as soon as its last variable has a node.
    for premise in &rule.premises[known] {
        if !holds(heap, premise, at) {
            return Ok(());
        }
    }
    if known == rule.variables {
        *has_changed |= conclude(heap, &rule.conclusion, at)?;
        return Ok(());
    }
    for node in 0..heap.len() {
        at[known] = node;
        extend(heap, rule, at, known + 1, has_changed)?;
    }
    Ok(())
}

/// Whether a literal is certainly true.
fn holds(heap: &Heap, literal: &Formula, at: &mut Assignment) -> bool {
    match literal {
        Formula::Unary(predicate, of) => heap.unary[*predicate][at[*of]] == Truth::Yes,
        Formula::Binary(predicate, from, to) => {
            heap.binary[*predicate][at[*from]][at[*to]] == Truth::Yes
        }
        Formula::IsBlock(of) => heap.is_block(at[*of]),
        other => Evaluator::new(heap).value(other, at) == Truth::Yes,
    }
}

fn conclude(heap: &mut Heap, conclusion: &Formula, at: &mut Assignment) -> Changed {
    let (atom, wanted) = match conclusion {
        Formula::Not(atom) => (&**atom, Truth::No),
        atom => (atom, Truth::Yes),
    };
    match atom {
        Formula::Unary(predicate, of) => agree(&mut heap.unary[*predicate][at[*of]], wanted),
        Formula::Binary(predicate, from, to) => {
            agree(&mut heap.binary[*predicate][at[*from]][at[*to]], wanted)
        }
        Formula::Equal(left, right) => match (at[*left] == at[*right], wanted) {
            (true, Truth::Yes) => Ok(std::mem::take(&mut heap.is_many[at[*left]])),
            (false, Truth::No) => Ok(false),
            // Blocks of one node that all differ: there is none.
            (true, Truth::No | Truth::Maybe) | (false, Truth::Yes | Truth::Maybe) => {
                Err(Impossible)
            }
        },
        other => match Evaluator::new(heap).value(other, at) == wanted {
            true => Ok(false),
            false => Err(Impossible),
        },
    }
}
