//! The operations on sequences against lists of words.

use super::*;

const KINDS: usize = 3;
const LONGEST: usize = 5;

impl Sequence {
    fn has_word(&self, word: &[usize]) -> bool {
        self.firsts.has(word[0])
            && self.lasts.has(word[word.len() - 1])
            && word.windows(2).all(|pair| self.follows[pair[0]].has(pair[1]))
    }
}

/// Words that are not empty, up to some length.
fn words(longest: usize) -> Vec<Vec<usize>> {
    let mut words: Vec<Vec<usize>> = (0..KINDS).map(|kind| vec![kind]).collect();
    let mut index = 0;
    while index < words.len() {
        let word = words[index].clone();
        if word.len() < longest {
            words.extend((0..KINDS).map(|kind| [word.clone(), vec![kind]].concat()));
        }
        index += 1;
    }
    words
}

/// Sequences that look random: splitmix64.
fn sequences(count: u64) -> impl Iterator<Item = Sequence> {
    (1..=count).map(|seed| {
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let set = |at: u32| (0..KINDS).filter(move |kind| mixed >> (at as usize + kind) & 1 == 1);
        let mut sequence = Sequence { firsts: set(0).collect(), ..Sequence::default() };
        sequence.lasts = set(8).collect();
        for kind in 0..KINDS {
            sequence.follows[kind] = set(16 + 8 * kind as u32).collect();
        }
        sequence
    })
}

#[test]
fn chaining_and_joining_keep_all_words() {
    let all: Vec<Sequence> = sequences(40).collect();
    let short = words(3);
    for pair in all.windows(2) {
        let (one, other) = (pair[0], pair[1]);
        for word in &short {
            let is_of_one = one.has_word(word);
            assert!(!is_of_one || one.or(other).has_word(word));
            for second in &short {
                let whole = [word.clone(), second.clone()].concat();
                let is_chain = is_of_one && other.has_word(second);
                assert!(!is_chain || one.then(other).has_word(&whole));
            }
        }
    }
}

#[test]
fn renaming_keeps_all_words() {
    let names = [1, 0, 1];
    for sequence in sequences(100) {
        let renamed = sequence.renamed(&names);
        for word in words(4).into_iter().filter(|word| sequence.has_word(word)) {
            let word: Vec<usize> = word.iter().map(|&kind| names[kind]).collect();
            assert!(renamed.has_word(&word), "{sequence:?} {word:?}");
        }
    }
}

#[test]
fn blurring_keeps_all_words_and_forgets_which_kind_it_was() {
    let like: PrototypeSet = [0, 2].into_iter().collect();
    let likes = [like, [1].into_iter().collect(), like];
    for sequence in sequences(100) {
        let blurred = sequence.blurred(&likes);
        for word in words(4).into_iter().filter(|word| sequence.has_word(word)) {
            assert!(blurred.has_word(&word), "{sequence:?} {word:?}");
            let other: Vec<usize> =
                word.iter().map(|&prototype| if prototype == 0 { 2 } else { prototype }).collect();
            assert!(blurred.has_word(&other), "{sequence:?} {other:?}");
        }
    }
}

#[test]
fn what_is_simulated_has_no_other_words() {
    let exact: Vec<PrototypeSet> =
        (0..KINDS).map(|prototype| [prototype].into_iter().collect()).collect();
    let all: Vec<Sequence> = sequences(200).collect();
    let (mut simulated, mut others) = (0, 0);
    for one in &all {
        assert!(one.simulates(one, &exact));
        for other in &all[..40] {
            let union = one.or(*other);
            assert!(union.simulates(one, &exact) && union.simulates(other, &exact));
            let is_within =
                words(LONGEST).iter().all(|word| !other.has_word(word) || one.has_word(word));
            if one.simulates(other, &exact) {
                simulated += 1;
                assert!(is_within, "{one:?} simulates {other:?}");
            } else {
                others += 1;
            }
        }
    }
    assert!(simulated > 200 && others > 200, "{simulated} simulated, {others} not");
}

#[test]
fn a_kind_that_can_be_read_in_two_ways_must_go_on_in_one_of_them() {
    // Known: 0 then 1, or 2 then 2. New: 0 then 1, where both can be read as 2 as well.
    let known = Sequence::read("first 1 3, last 2 3, 1 then 2, 3 then 3", KINDS).expect("one");
    let new = Sequence::read("first 1, last 2, 1 then 2", KINDS).expect("one");
    let sets = |prototypes: &[&[usize]]| -> Vec<PrototypeSet> {
        prototypes.iter().map(|prototypes| prototypes.iter().copied().collect()).collect()
    };
    assert!(known.simulates(&new, &sets(&[&[0, 2], &[1, 2], &[]])));
    assert!(known.simulates(&new, &sets(&[&[2], &[1, 2], &[]])));
    assert!(!known.simulates(&new, &sets(&[&[2], &[1], &[]])));
    assert!(!known.simulates(&new, &sets(&[&[0], &[2], &[]])));
}

#[test]
fn the_text_can_be_read() {
    for sequence in sequences(50) {
        assert_eq!(Sequence::read(&sequence.text(), KINDS), Some(sequence));
    }
    assert_eq!(Sequence::read("first 4", KINDS), None);
    assert_eq!(Sequence::read("first 0", KINDS), None);
    assert_eq!(Sequence::read("second 1", KINDS), None);
}
