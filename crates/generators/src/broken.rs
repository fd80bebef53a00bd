//! Broken text: cut short, with a bit turned, with tokens left out, doubled or swapped. For readers
//! of text, which must refuse it or make sense of it.

use crate::random::Random;

/// Changes a text in one or two places.
pub fn broken(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(2) {
        text = match random.below(12) {
            0 => {
                let end = random.below(text.len() + 1);
                text.truncate(end);
                text
            }
            1 => {
                if !text.is_empty() {
                    let at = random.below(text.len());
                    text[at] ^= 1 << random.below(8);
                }
                text
            }
            _ => with_other_tokens(&text, random),
        };
    }
    text
}

/// Deletes, doubles, swaps or replaces one token.
fn with_other_tokens(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut tokens = tokens(text);
    if tokens.len() < 2 {
        return text.to_vec();
    }
    let (one, other) = (random.below(tokens.len()), random.below(tokens.len()));
    match random.below(5) {
        0 => drop(tokens.remove(one)),
        1 => tokens.insert(one, tokens[one]),
        2 => tokens.swap(one, other),
        3 => tokens[one] = tokens[other],
        _ => {
            let next = (one + 1).min(tokens.len() - 1);
            tokens.swap(one, next);
        }
    }
    tokens.concat()
}

/// Words, numbers, and everything else one byte at a time; blanks belong to what they follow.
fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut tokens = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let mut end = start + 1;
        while is_word(text[start]) && end < text.len() && is_word(text[end]) {
            end += 1;
        }
        while end < text.len() && text[end].is_ascii_whitespace() {
            end += 1;
        }
        tokens.push(&text[start..end]);
        start = end;
    }
    tokens
}
