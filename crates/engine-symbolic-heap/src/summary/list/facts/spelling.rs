//! Contents: which numbers the nodes of a segment have, as far as another chain has the same ([`crate::heap::spelling`]).
//!
//! Neighbours are spelt one behind the other. The node that is taken out of a segment has what its spelling begins or
//! ends with; if that is a word, it is the node's number and, if there are other nodes, another word, wherever the word stands. So
//! the other chain has the same number there when its node is taken out, and is as long.
//! What two chains have in common is compared once all of both states are matched ([`crate::summary::spelling`]).

use std::collections::BTreeMap;

use heapwright_logic::TermId;

use crate::heap::block::{Block, BlockId, Cell, DefaultBytes};
use crate::heap::language::Places;
use crate::heap::language::PrototypeSet;
use crate::heap::names::Names;
use crate::heap::order::Place;
use crate::heap::segment::Segment;
use crate::heap::spelling::{Piece, Spelling};
use crate::heap::state::State;
use crate::reasoning::path_condition::assume;
use crate::summary::domain::Domain;
use crate::summary::list::facts::{ChainFact, Joining, Taken, TakenOut};
use crate::summary::list::fold::Pair;
use crate::summary::matched::Match;
use crate::summary::spelling::{MOST_PLACES, spelling_of};

#[derive(Debug)]
pub(crate) struct Spelt;

impl ChainFact for Spelt {
    fn concatenate(
        &self,
        domain: &mut Domain<'_, '_>,
        state: &State,
        (pair, _): (&Pair, &Places),
        segment: &mut Segment,
    ) {
        if !domain.precision.copies.are_seen() {
            return;
        }
        let names = &mut domain.reasoner.names;
        let [a, b] = [pair.first.block, pair.second.block].map(|side| state.block(side));
        for place in places(names, a, b) {
            let both = spelling_of(names, a, place).zip(spelling_of(names, b, place));
            if let Some((one, other)) = both {
                segment.spellings.push(Spelling { place, pieces: [one, other].concat() });
            }
        }
    }

    fn may_be_single(&self, segment: &Segment) -> bool {
        segment.spellings.iter().all(|spelling| spelling.pieces.len() == 1)
    }

    fn may_be_longer(&self, segment: &Segment) -> bool {
        let is_one = |spelling: &Spelling| matches!(spelling.pieces.as_slice(), [Piece::One(_)]);
        !segment.spellings.iter().any(is_one)
    }

    fn tell_state(&self, names: &mut Names<'_>, state: State, out: &TakenOut<'_>) -> Vec<State> {
        let mut cases = vec![(state, out.segment.spellings.clone())];
        for index in 0..out.segment.spellings.len() {
            let before = std::mem::take(&mut cases);
            for (mut state, left) in before {
                let value = number_of_node(names, &mut state, out.node, left[index].place);
                cases.extend(take_number(names, (state, left), (index, value), out));
            }
        }
        cases.into_iter().map(|(state, left)| with_rest(state, left, out)).collect()
    }

    fn entails(&self, _: &mut Match, _: &Segment, _: Option<&Segment>, _: &[PrototypeSet]) -> bool {
        true
    }

    fn join(
        &self,
        _: &mut Domain<'_, '_>,
        _: &Match,
        _: Joining<'_>,
        segment: &mut Segment,
    ) -> Option<()> {
        if segment.may_be_empty() {
            segment.spellings.clear();
        }
        Some(())
    }
}

/// Where two neighbours may be spelt.
fn places(names: &Names<'_>, a: &Block, b: &Block) -> Vec<Place> {
    if let Some(segment) = a.segment().or(b.segment()) {
        return segment.spellings.iter().map(|spelling| spelling.place).collect();
    }
    let pointer_size = names.model().pointer_size();
    let is_number = |(offset, cell): &(&u64, &Cell)| {
        let other = b.cells.get(*offset).filter(|other| other.size == cell.size);
        other.is_some_and(|other| {
            // It may be a pointer that is null in all nodes.
            let is_null = cell.size == pointer_size && names.constant(cell.value) == Some(0);
            let is_pointer = [cell, other].iter().any(|one| names.holds_address(one.value));
            !is_pointer && (!is_null || cell.value != other.value)
        })
    };
    let cells = a.cells.iter().filter(is_number);
    cells.map(|(&offset, cell)| Place { offset, size: cell.size }).take(MOST_PLACES).collect()
}

/// What a node has at a place of a spelling. Nothing need be known of it.
fn number_of_node(names: &mut Names<'_>, state: &mut State, id: BlockId, place: Place) -> TermId {
    let Place { offset, size } = place;
    let node = state.block(id);
    if let Some([Piece::One(value)]) = spelling_of(names, node, place).as_deref() {
        return *value;
    }
    let value = names.fresh("spelt", 8 * size as u32);
    let node = state.block(id);
    let has_room =
        names.constant(node.size).is_some_and(|bytes| u128::from(offset + size) <= bytes);
    if has_room && !node.has_cells_in(offset, size) && node.rest == DefaultBytes::Uninitialised {
        state.block_mut(id).cells.insert(offset, Cell { size, value });
    }
    value
}

/// A state, and what is left of the spellings of the segment that a node is taken out of.
type Case = (State, Vec<Spelling>);

/// Takes the number of a node from the end of one of its segment's spellings. Where this is a word and other pieces are left, the
/// number may be all of the word.
fn take_number(
    names: &mut Names<'_>,
    (mut state, mut left): Case,
    (index, value): (usize, TermId),
    out: &TakenOut<'_>,
) -> Vec<Case> {
    let pieces = &left[index].pieces;
    let piece = match out.taken {
        Taken::First => pieces.first(),
        Taken::Last => pieces.last(),
    };
    let is_alone = pieces.len() == 1;
    let mut cases = match piece.copied().expect("a spelling has a piece") {
        Piece::One(number) => {
            make_equal(names, &mut state, &mut left, (number, value));
            vec![(state, left)]
        }
        Piece::Word(word) => {
            let number = Piece::One(value);
            let others = Piece::Word(names.fresh("word", names.terms.width(word)));
            let longer = match out.taken {
                Taken::First => vec![number, others],
                Taken::Last => vec![others, number],
            };
            let whole = (out.rest.is_none() || !is_alone).then(|| vec![number]);
            let longer = out.rest.is_some().then_some(longer);
            let ways = whole.into_iter().chain(longer);
            ways.map(|with| spelt_out((state.clone(), left.clone()), word, &with)).collect()
        }
    };
    for (_, left) in &mut cases {
        match out.taken {
            Taken::First => _ = left[index].pieces.remove(0),
            Taken::Last => _ = left[index].pieces.pop(),
        }
    }
    cases
}

fn spelt_out((mut state, mut left): Case, word: TermId, with: &[Piece]) -> Case {
    state.spell_out(word, with);
    left.iter_mut().for_each(|spelling| spelling.spell_out(word, with));
    (state, left)
}

/// The state in which the rest of a segment is spelt with what is left.
fn with_rest(mut state: State, left: Vec<Spelling>, out: &TakenOut<'_>) -> State {
    let is_wrong = match out.rest {
        Some(_) => left.iter().any(|spelling| spelling.pieces.is_empty()),
        None => left.iter().any(|spelling| !spelling.pieces.is_empty()),
    };
    if is_wrong {
        make_impossible(&mut state);
    }
    if let Some(rest) = out.rest {
        state.set_spellings(rest, if is_wrong { Vec::new() } else { left });
    }
    state
}

/// A case that cannot be.
fn make_impossible(state: &mut State) {
    state.condition.push_back(TermId::FALSE);
    state.model = None;
}

/// Says that a number of a spelling is that of a node.
fn make_equal(
    names: &mut Names<'_>,
    state: &mut State,
    left: &mut Vec<Spelling>,
    (number, value): (TermId, TermId),
) {
    if number == value {
        return;
    }
    let (variable, term) =
        if names.terms.as_variable(value).is_some() { (value, number) } else { (number, value) };
    if names.terms.as_variable(variable).is_some() {
        let map = BTreeMap::from([(variable, term)]);
        names.replace(state, &map);
        *left = names.renamed_spellings(left, &map);
    } else {
        let is_same = names.terms.equal(number, value);
        if names.truth(is_same) == Some(false) {
            make_impossible(state);
        }
        assume(names, state, is_same, None);
    }
}
