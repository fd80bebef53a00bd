//! Sequences of kinds: which kind of node may begin a segment, which may end it, and which may follow
//! which.
//!
//! Marks that come in turn, a red node that is always followed by a black one, or nodes of one mark
//! before those of another are told by this: each is a local language over the kinds, that is, a set
//! of words given by first letters, last letters and pairs of neighbours. A segment stands for the
//! chains whose nodes can be given kinds, each a kind that it is of, such that the kinds are a word of
//! the language. A segment without a sequence stands for all words.

use std::cmp::Ordering;
use std::fmt::Write;
use std::sync::Arc;

use crate::heap::block::{Block, Prototype};
use crate::heap::segment::Segment;

/// Kinds of nodes that a segment tells apart.
pub(crate) const MOST_KINDS: usize = 8;

/// Some kinds of a segment, by their index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindSet(u8);

impl KindSet {
    pub(crate) fn all(count: usize) -> KindSet {
        (0..count).collect()
    }

    pub(crate) fn has(self, kind: usize) -> bool {
        self.0 >> kind & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn insert(&mut self, kind: usize) {
        assert!(kind < MOST_KINDS, "a segment tells so many kinds apart");
        self.0 |= 1 << kind;
    }

    fn union(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }

    fn meet(self, other: KindSet) -> KindSet {
        KindSet(self.0 & other.0)
    }

    fn is_within(self, other: KindSet) -> bool {
        self.0 & !other.0 == 0
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_KINDS).filter(move |&kind| self.has(kind))
    }

    /// The same kinds by other indices.
    fn renamed(self, names: &[usize]) -> KindSet {
        self.iter().map(|kind| names[kind]).collect()
    }
}

impl FromIterator<usize> for KindSet {
    fn from_iter<I: IntoIterator<Item = usize>>(kinds: I) -> KindSet {
        let mut set = KindSet::default();
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

/// A local language over the kinds of a segment; never the empty word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) firsts: KindSet,
    pub(crate) lasts: KindSet,
    /// The kinds that may come next, for each kind.
    pub(crate) follows: [KindSet; MOST_KINDS],
}

impl Sequence {
    /// All words over so many kinds.
    pub(crate) fn any(count: usize) -> Sequence {
        let all = KindSet::all(count);
        let mut follows = [KindSet::default(); MOST_KINDS];
        follows[..count].fill(all);
        Sequence { firsts: all, lasts: all, follows }
    }

    /// One node.
    pub(crate) fn single(kind: usize) -> Sequence {
        let only: KindSet = [kind].into_iter().collect();
        Sequence { firsts: only, lasts: only, ..Sequence::default() }
    }

    /// A word of this language and then one of another.
    pub(crate) fn then(self, other: Sequence) -> Sequence {
        let mut whole = Sequence { firsts: self.firsts, ..self.or(other) };
        whole.lasts = other.lasts;
        for last in self.lasts.iter() {
            whole.follows[last] = whole.follows[last].union(other.firsts);
        }
        whole
    }

    /// At least the words of both.
    pub(crate) fn or(self, other: Sequence) -> Sequence {
        let mut both = self;
        both.firsts = self.firsts.union(other.firsts);
        both.lasts = self.lasts.union(other.lasts);
        for (mine, others) in both.follows.iter_mut().zip(other.follows) {
            *mine = mine.union(others);
        }
        both
    }

    /// The same by other indices; two kinds may become one.
    pub(crate) fn renamed(self, names: &[usize]) -> Sequence {
        let mut renamed = Sequence {
            firsts: self.firsts.renamed(names),
            lasts: self.lasts.renamed(names),
            ..Sequence::default()
        };
        for (kind, &name) in names.iter().enumerate() {
            let follows = self.follows[kind].renamed(names);
            renamed.follows[name] = renamed.follows[name].union(follows);
        }
        renamed
    }

    /// The same, where each kind may stand for all that are like it.
    pub(crate) fn blurred(self, likes: &[KindSet]) -> Sequence {
        let blur =
            |set: KindSet| set.iter().fold(KindSet::default(), |all, kind| all.union(likes[kind]));
        let mut blurred =
            Sequence { firsts: blur(self.firsts), lasts: blur(self.lasts), ..Sequence::default() };
        for (kind, like) in likes.iter().enumerate() {
            let follows = blur(self.follows[kind]);
            for other in like.iter() {
                blurred.follows[other] = blurred.follows[other].union(follows);
            }
        }
        blurred
    }

    /// Whether chains begin and end alike.
    pub(crate) fn has_ends_of(&self, other: &Sequence) -> bool {
        self.firsts == other.firsts && self.lasts == other.lasts
    }

    /// Whether chains begin and end as those of the one or of the other do.
    pub(crate) fn has_comparable_ends(&self, other: &Sequence) -> bool {
        let within = |one: &Sequence, other: &Sequence| {
            one.firsts.is_within(other.firsts) && one.lasts.is_within(other.lasts)
        };
        within(self, other) || within(other, self)
    }

    /// Whether every word of the new language is one of this language, if each new kind may be read
    /// as any of the kinds that are given for it: the one language simulates the other.
    pub(crate) fn simulates(&self, new: &Sequence, readings: &[KindSet]) -> bool {
        let mut readings = readings.to_vec();
        for last in new.lasts.iter() {
            readings[last] = readings[last].meet(self.lasts);
        }
        // Ends because each round but the last takes a reading away.
        loop {
            let mut is_changed = false;
            for kind in 0..readings.len() {
                let goes_on = |reading: &usize| {
                    new.follows[kind]
                        .iter()
                        .all(|next| !self.follows[*reading].meet(readings[next]).is_empty())
                };
                let kept: KindSet = readings[kind].iter().filter(goes_on).collect();
                is_changed |= kept != readings[kind];
                readings[kind] = kept;
            }
            if !is_changed {
                break;
            }
        }
        new.firsts.iter().all(|first| !self.firsts.meet(readings[first]).is_empty())
    }

    /// Whether chains may begin or end with kinds as which none of the new language's ends is read.
    pub(crate) fn has_more_ends(&self, new: &Sequence, readings: &[KindSet]) -> bool {
        let read = |ends: KindSet| {
            ends.iter().fold(KindSet::default(), |set, kind| set.union(readings[kind]))
        };
        !self.firsts.is_within(read(new.firsts)) || !self.lasts.is_within(read(new.lasts))
    }

    /// The kinds that are on some way from a first to a last one.
    fn useful(&self) -> KindSet {
        let (mut forth, mut back) = (self.firsts, self.lasts);
        for _ in 0..MOST_KINDS {
            for kind in 0..MOST_KINDS {
                if forth.has(kind) {
                    forth = forth.union(self.follows[kind]);
                }
                if !self.follows[kind].meet(back).is_empty() {
                    back.insert(kind);
                }
            }
        }
        forth.meet(back)
    }

    /// How it is written: kinds are counted from one.
    pub(crate) fn text(&self) -> String {
        let names = |set: KindSet| {
            set.iter().fold(String::new(), |text, kind| format!("{text} {}", kind + 1))
        };
        let mut text = format!("first{}, last{}", names(self.firsts), names(self.lasts));
        for (kind, follows) in self.follows.iter().enumerate() {
            if !follows.is_empty() {
                let _ = write!(text, ", {} then{}", kind + 1, names(*follows));
            }
        }
        text
    }

    /// The inverse of `text`, for so many kinds.
    pub(crate) fn read(text: &str, count: usize) -> Option<Sequence> {
        let kind = |word: &str| {
            let kind: usize = word.parse().ok()?;
            (1..=count.min(MOST_KINDS)).contains(&kind).then(|| kind - 1)
        };
        let mut sequence = Sequence::default();
        for part in text.split(',') {
            let words: Vec<&str> = part.split_whitespace().collect();
            let (set, words) = match words.as_slice() {
                ["first", rest @ ..] => (&mut sequence.firsts, rest),
                ["last", rest @ ..] => (&mut sequence.lasts, rest),
                [one, "then", rest @ ..] => (&mut sequence.follows[kind(one)?], rest),
                _ => return None,
            };
            *set = words.iter().map(|word| kind(word)).collect::<Option<KindSet>>()?;
        }
        Some(sequence)
    }
}

impl Block {
    /// The words that the kinds of its nodes may form; a single node is of one kind.
    pub(crate) fn words(&self) -> Sequence {
        self.segment().map_or_else(|| Sequence::single(0), Segment::words)
    }
}

impl Segment {
    /// The words that its kinds may form.
    pub(crate) fn words(&self) -> Sequence {
        self.sequence.unwrap_or_else(|| Sequence::any(self.kinds.len()))
    }

    /// What its first node may be, or its last one.
    pub(crate) fn choices(&self, from_the_end: bool) -> Vec<Choice> {
        let kinds = self.kinds.iter().enumerate();
        let Some(sequence) = self.sequence else {
            let choice = |kind: &Arc<Prototype>| Choice {
                kind: Arc::clone(kind),
                may_be_only: true,
                rest: Some((self.kinds.clone(), None)),
            };
            return self.kinds.iter().map(choice).collect();
        };
        let ends = if from_the_end { sequence.lasts } else { sequence.firsts };
        kinds
            .filter(|(index, _)| ends.has(*index))
            .map(|(index, kind)| Choice {
                kind: Arc::clone(kind),
                may_be_only: sequence.firsts.has(index) && sequence.lasts.has(index),
                rest: self.rest(sequence, index, from_the_end),
            })
            .collect()
    }

    /// What is left if a node of a kind is taken from one end; none if nothing can be.
    fn rest(&self, mut sequence: Sequence, kind: usize, from_the_end: bool) -> Option<Rest> {
        if from_the_end {
            let comes_before = |before: &usize| sequence.follows[*before].has(kind);
            sequence.lasts = (0..self.kinds.len()).filter(comes_before).collect();
        } else {
            sequence.firsts = sequence.follows[kind];
        }
        let useful = sequence.useful();
        let kept: Vec<usize> = useful.iter().collect();
        if kept.is_empty() {
            return None;
        }
        let mut trimmed = sequence;
        trimmed.firsts = trimmed.firsts.meet(useful);
        trimmed.lasts = trimmed.lasts.meet(useful);
        let mut names = [0; MOST_KINDS];
        for (name, &old) in kept.iter().enumerate() {
            names[old] = name;
        }
        for (kind, follows) in trimmed.follows.iter_mut().enumerate() {
            *follows = if useful.has(kind) { follows.meet(useful) } else { KindSet::default() };
        }
        let trimmed = trimmed.renamed(&names);
        let kinds: Vec<Arc<Prototype>> =
            kept.iter().map(|&kind| Arc::clone(&self.kinds[kind])).collect();
        let sequence = settled(trimmed, kinds.len());
        Some((kinds, sequence))
    }
}

/// The kinds of what is left of a segment, and their sequence.
type Rest = (Vec<Arc<Prototype>>, Option<Sequence>);

/// What the first or the last node of a segment may be.
pub(crate) struct Choice {
    pub(crate) kind: Arc<Prototype>,
    /// Whether it may be the only one.
    pub(crate) may_be_only: bool,
    /// The other nodes, if there may be others.
    pub(crate) rest: Option<Rest>,
}

/// Where a kind went that was added to others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Added {
    pub(crate) index: usize,
    /// This one is gone: it became the same as the one at the index.
    pub(crate) merged: Option<usize>,
}

/// Where the kinds of two segments are, while those of the new one are added to the known ones.
pub(crate) struct Places {
    /// First those of the known one, then those of the new one.
    places: Vec<usize>,
    known: usize,
}

impl Places {
    pub(crate) fn of(known: usize) -> Places {
        Places { places: (0..known).collect(), known }
    }

    /// The next kind of the new segment was added.
    pub(crate) fn add(&mut self, added: Added) {
        if let Some(gone) = added.merged {
            for place in &mut self.places {
                match (*place).cmp(&gone) {
                    Ordering::Less => {}
                    Ordering::Equal => *place = added.index,
                    Ordering::Greater => *place -= 1,
                }
            }
        }
        self.places.push(added.index);
    }

    /// The words of both segments by where their kinds are now.
    pub(crate) fn renamed(&self, known: Sequence, new: Sequence) -> (Sequence, Sequence) {
        let (of_known, of_new) = self.places.split_at(self.known);
        (known.renamed(of_known), new.renamed(of_new))
    }
}

/// All words need no sequence.
pub(crate) fn settled(sequence: Sequence, count: usize) -> Option<Sequence> {
    (sequence != Sequence::any(count)).then_some(sequence)
}

#[cfg(test)]
mod tests;
