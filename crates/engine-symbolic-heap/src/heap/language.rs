//! Sequences of prototypes: which prototype may begin a segment, which may end it, and which may follow
//! which.
//!
//! Marks that come in turn, a red node that is always followed by a black one, or nodes of one mark
//! before those of another are told by this: each is a local language over the prototypes, that is, a set
//! of words given by first letters, last letters and pairs of neighbours. A segment stands for the
//! chains whose nodes can be given prototypes, each a prototype that it is of, such that the prototypes are a word of
//! the language. A segment without a sequence stands for all words.

use std::cmp::Ordering;
use std::fmt::Write;
use std::sync::Arc;

use crate::heap::block::{Block, Prototype};
use crate::heap::segment::Segment;

/// Prototypes of nodes that a segment tells apart.
pub(crate) const MOST_PROTOTYPES: usize = 8;

/// Some prototypes of a segment, by their index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PrototypeSet(u8);

impl PrototypeSet {
    pub(crate) fn all(count: usize) -> PrototypeSet {
        (0..count).collect()
    }

    pub(crate) fn has(self, prototype: usize) -> bool {
        self.0 >> prototype & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn insert(&mut self, prototype: usize) {
        assert!(prototype < MOST_PROTOTYPES, "a segment tells so many kinds apart");
        self.0 |= 1 << prototype;
    }

    fn union(self, other: PrototypeSet) -> PrototypeSet {
        PrototypeSet(self.0 | other.0)
    }

    fn meet(self, other: PrototypeSet) -> PrototypeSet {
        PrototypeSet(self.0 & other.0)
    }

    fn is_within(self, other: PrototypeSet) -> bool {
        self.0 & !other.0 == 0
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_PROTOTYPES).filter(move |&prototype| self.has(prototype))
    }

    /// The same prototypes by other indices.
    fn renamed(self, names: &[usize]) -> PrototypeSet {
        self.iter().map(|prototype| names[prototype]).collect()
    }
}

impl FromIterator<usize> for PrototypeSet {
    fn from_iter<I: IntoIterator<Item = usize>>(prototypes: I) -> PrototypeSet {
        let mut set = PrototypeSet::default();
        prototypes.into_iter().for_each(|prototype| set.insert(prototype));
        set
    }
}

/// A local language over the prototypes of a segment; never the empty word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) firsts: PrototypeSet,
    pub(crate) lasts: PrototypeSet,
    /// The prototypes that may come next, for each prototype.
    pub(crate) follows: [PrototypeSet; MOST_PROTOTYPES],
}

impl Sequence {
    /// All words over so many prototypes.
    pub(crate) fn any(count: usize) -> Sequence {
        let all = PrototypeSet::all(count);
        let mut follows = [PrototypeSet::default(); MOST_PROTOTYPES];
        follows[..count].fill(all);
        Sequence { firsts: all, lasts: all, follows }
    }

    /// One node.
    pub(crate) fn single(prototype: usize) -> Sequence {
        let only: PrototypeSet = [prototype].into_iter().collect();
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

    /// The same by other indices; two prototypes may become one.
    pub(crate) fn renamed(self, names: &[usize]) -> Sequence {
        let mut renamed = Sequence {
            firsts: self.firsts.renamed(names),
            lasts: self.lasts.renamed(names),
            ..Sequence::default()
        };
        for (prototype, &name) in names.iter().enumerate() {
            let follows = self.follows[prototype].renamed(names);
            renamed.follows[name] = renamed.follows[name].union(follows);
        }
        renamed
    }

    /// The same, where each prototype may stand for all that are like it.
    pub(crate) fn blurred(self, likes: &[PrototypeSet]) -> Sequence {
        let blur = |set: PrototypeSet| {
            set.iter().fold(PrototypeSet::default(), |all, prototype| all.union(likes[prototype]))
        };
        let mut blurred =
            Sequence { firsts: blur(self.firsts), lasts: blur(self.lasts), ..Sequence::default() };
        for (prototype, like) in likes.iter().enumerate() {
            let follows = blur(self.follows[prototype]);
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

    /// Whether every word of the new language is one of this language, if each new prototype may be read
    /// as any of the prototypes that are given for it: the one language simulates the other.
    pub(crate) fn simulates(&self, new: &Sequence, readings: &[PrototypeSet]) -> bool {
        let mut readings = readings.to_vec();
        for last in new.lasts.iter() {
            readings[last] = readings[last].meet(self.lasts);
        }
        // Ends because each round but the last takes a reading away.
        loop {
            let mut is_changed = false;
            for prototype in 0..readings.len() {
                let goes_on = |reading: &usize| {
                    new.follows[prototype]
                        .iter()
                        .all(|next| !self.follows[*reading].meet(readings[next]).is_empty())
                };
                let kept: PrototypeSet = readings[prototype].iter().filter(goes_on).collect();
                is_changed |= kept != readings[prototype];
                readings[prototype] = kept;
            }
            if !is_changed {
                break;
            }
        }
        new.firsts.iter().all(|first| !self.firsts.meet(readings[first]).is_empty())
    }

    /// Whether chains may begin or end with prototypes as which none of the new language's ends is read.
    pub(crate) fn has_more_ends(&self, new: &Sequence, readings: &[PrototypeSet]) -> bool {
        let read = |ends: PrototypeSet| {
            ends.iter()
                .fold(PrototypeSet::default(), |set, prototype| set.union(readings[prototype]))
        };
        !self.firsts.is_within(read(new.firsts)) || !self.lasts.is_within(read(new.lasts))
    }

    /// The prototypes that are on some way from a first to a last one.
    fn useful(&self) -> PrototypeSet {
        let (mut forth, mut back) = (self.firsts, self.lasts);
        for _ in 0..MOST_PROTOTYPES {
            for prototype in 0..MOST_PROTOTYPES {
                if forth.has(prototype) {
                    forth = forth.union(self.follows[prototype]);
                }
                if !self.follows[prototype].meet(back).is_empty() {
                    back.insert(prototype);
                }
            }
        }
        forth.meet(back)
    }

    /// How it is written: prototypes are counted from one.
    pub(crate) fn text(&self) -> String {
        let names = |set: PrototypeSet| {
            set.iter().fold(String::new(), |text, prototype| format!("{text} {}", prototype + 1))
        };
        let mut text = format!("first{}, last{}", names(self.firsts), names(self.lasts));
        for (prototype, follows) in self.follows.iter().enumerate() {
            if !follows.is_empty() {
                let _ = write!(text, ", {} then{}", prototype + 1, names(*follows));
            }
        }
        text
    }

    /// The inverse of `text`, for so many prototypes.
    pub(crate) fn read(text: &str, count: usize) -> Option<Sequence> {
        let prototype = |word: &str| {
            let prototype: usize = word.parse().ok()?;
            (1..=count.min(MOST_PROTOTYPES)).contains(&prototype).then(|| prototype - 1)
        };
        let mut sequence = Sequence::default();
        for part in text.split(',') {
            let words: Vec<&str> = part.split_whitespace().collect();
            let (set, words) = match words.as_slice() {
                ["first", rest @ ..] => (&mut sequence.firsts, rest),
                ["last", rest @ ..] => (&mut sequence.lasts, rest),
                [one, "then", rest @ ..] => (&mut sequence.follows[prototype(one)?], rest),
                _ => return None,
            };
            *set = words.iter().map(|word| prototype(word)).collect::<Option<PrototypeSet>>()?;
        }
        Some(sequence)
    }
}

impl Block {
    /// The words that the prototypes of its nodes may form; a single node is of one prototype.
    pub(crate) fn words(&self) -> Sequence {
        self.segment().map_or_else(|| Sequence::single(0), Segment::words)
    }
}

impl Segment {
    /// The words that its prototypes may form.
    pub(crate) fn words(&self) -> Sequence {
        self.sequence.unwrap_or_else(|| Sequence::any(self.prototypes.len()))
    }

    /// What its first node may be, or its last one.
    pub(crate) fn choices(&self, from_the_end: bool) -> Vec<Choice> {
        let prototypes = self.prototypes.iter().enumerate();
        let Some(sequence) = self.sequence else {
            let choice = |prototype: &Arc<Prototype>| Choice {
                prototype: Arc::clone(prototype),
                may_be_only: true,
                rest: Some((self.prototypes.clone(), None)),
            };
            return self.prototypes.iter().map(choice).collect();
        };
        let ends = if from_the_end { sequence.lasts } else { sequence.firsts };
        prototypes
            .filter(|(index, _)| ends.has(*index))
            .map(|(index, prototype)| Choice {
                prototype: Arc::clone(prototype),
                may_be_only: sequence.firsts.has(index) && sequence.lasts.has(index),
                rest: self.rest(sequence, index, from_the_end),
            })
            .collect()
    }

    /// What is left if a node of a prototype is taken from one end; none if nothing can be.
    fn rest(&self, mut sequence: Sequence, prototype: usize, from_the_end: bool) -> Option<Rest> {
        if from_the_end {
            let comes_before = |before: &usize| sequence.follows[*before].has(prototype);
            sequence.lasts = (0..self.prototypes.len()).filter(comes_before).collect();
        } else {
            sequence.firsts = sequence.follows[prototype];
        }
        let useful = sequence.useful();
        let kept: Vec<usize> = useful.iter().collect();
        if kept.is_empty() {
            return None;
        }
        let mut trimmed = sequence;
        trimmed.firsts = trimmed.firsts.meet(useful);
        trimmed.lasts = trimmed.lasts.meet(useful);
        let mut names = [0; MOST_PROTOTYPES];
        for (name, &old) in kept.iter().enumerate() {
            names[old] = name;
        }
        for (prototype, follows) in trimmed.follows.iter_mut().enumerate() {
            *follows =
                if useful.has(prototype) { follows.meet(useful) } else { PrototypeSet::default() };
        }
        let trimmed = trimmed.renamed(&names);
        let prototypes: Vec<Arc<Prototype>> =
            kept.iter().map(|&prototype| Arc::clone(&self.prototypes[prototype])).collect();
        let sequence = settled(trimmed, prototypes.len());
        Some((prototypes, sequence))
    }
}

/// The prototypes of what is left of a segment, and their sequence.
type Rest = (Vec<Arc<Prototype>>, Option<Sequence>);

/// What the first or the last node of a segment may be.
pub(crate) struct Choice {
    pub(crate) prototype: Arc<Prototype>,
    /// Whether it may be the only one.
    pub(crate) may_be_only: bool,
    /// The other nodes, if there may be others.
    pub(crate) rest: Option<Rest>,
}

/// Where a prototype went that was added to others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Added {
    pub(crate) index: usize,
    /// This one is gone: it became the same as the one at the index.
    pub(crate) merged: Option<usize>,
}

/// Where the prototypes of two segments are, while those of the new one are added to the known ones.
pub(crate) struct Places {
    /// First those of the known one, then those of the new one.
    places: Vec<usize>,
    known: usize,
}

impl Places {
    pub(crate) fn of(known: usize) -> Places {
        Places { places: (0..known).collect(), known }
    }

    /// The next prototype of the new segment was added.
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

    /// The words of both segments by where their prototypes are now.
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
