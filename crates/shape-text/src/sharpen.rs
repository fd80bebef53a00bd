//! Sharpening: what must be true of every heap decides values that are open, or shows that there is none.

use crate::formula::{Assignment, Evaluator, Formula, NOWHERE};
use crate::heap::{Heap, Node};
use crate::meaning::{Meaning, Rule};
use crate::read_formula::Symbol;
use crate::truth::Truth;

/// Nothing that is concrete fits.
#[derive(Debug)]
pub(crate) struct Impossible;

type Changed = Result<bool, Impossible>;

/// Applies everything until nothing changes.
pub(crate) fn sharpen(heap: &mut Heap, meaning: &Meaning) -> Result<(), Impossible> {
    // Ends because each change decides an open value.
    loop {
        let mut has_changed = false;
        for pointer in 0..meaning.pointers {
            has_changed |= unique_pointer(heap, pointer)?;
        }
        for link in 0..meaning.links {
            for from in heap.blocks() {
                has_changed |= one_target(heap, link, from)?;
            }
        }
        for defined in &meaning.defined {
            has_changed |= as_defined(heap, defined.symbol, &defined.definition)?;
        }
        for rule in &meaning.rules {
            has_changed |= apply(heap, rule)?;
        }
        if !has_changed {
            return Ok(());
        }
    }
}

/// A pointer leads to exactly one place.
fn unique_pointer(heap: &mut Heap, pointer: usize) -> Changed {
    let mut row = heap.unary[pointer].clone();
    let single = exactly_one(&mut row, &heap.is_many)?;
    let mut has_changed = row != heap.unary[pointer];
    heap.unary[pointer] = row;
    has_changed |= single.is_some_and(|node| std::mem::take(&mut heap.is_many[node]));
    Ok(has_changed)
}

/// A link of a block leads to exactly one place.
fn one_target(heap: &mut Heap, link: usize, from: Node) -> Changed {
    let mut row = heap.binary[link][from].clone();
    let single = exactly_one(&mut row, &heap.is_many)?;
    let mut has_changed = row != heap.binary[link][from];
    heap.binary[link][from] = row;
    // All blocks of a node may lead to the same one of another; that one may still be many to a single.
    if !heap.is_many[from] {
        has_changed |= single.is_some_and(|node| std::mem::take(&mut heap.is_many[node]));
    }
    Ok(has_changed)
}

/// Decides a row that is true of exactly one individual; gives the node that is certain.
fn exactly_one(row: &mut [Truth], is_many: &[bool]) -> Result<Option<Node>, Impossible> {
    let certain: Vec<Node> = (0..row.len()).filter(|&node| row[node] == Truth::Yes).collect();
    let open: Vec<Node> = Heap::chances(row);
    match (&certain[..], &open[..]) {
        (_, []) | ([_, _, ..], _) => Err(Impossible),
        ([node], _) => {
            let node = *node;
            row.fill(Truth::No);
            row[node] = Truth::Yes;
            Ok(Some(node))
        }
        ([], [last]) if !is_many[*last] => {
            row[*last] = Truth::Yes;
            Ok(None)
        }
        ([], _) => Ok(None),
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
    let due = rule.premises.iter().filter(|(last, _)| last + 1 == known);
    for (_, premise) in due {
        if Evaluator::new(heap).value(premise, at) != Truth::Yes {
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
