//! Quoting: names that are plain words stay bare, all other text is escaped, nothing is lost.

use std::borrow::Cow;
use std::fmt::Write;

/// Words that mean something where a name may stand.
const RESERVED: [&str; 10] = [
    "null",
    "true",
    "false",
    "any",
    "load",
    "call",
    "allocate",
    "block_size",
    "uninitialised",
    "void",
];

/// A variable, object or function: `x`, `t.1`, or `` `odd name` ``.
pub(super) fn name(text: &str) -> Cow<'_, str> {
    quoted_unless(text, is_plain(text, true))
}

/// A record or field, which stands in dotted paths, so that a dot makes it odd.
pub(super) fn tag(text: &str) -> Cow<'_, str> {
    quoted_unless(text, is_plain(text, false))
}

fn quoted_unless(text: &str, is_plain: bool) -> Cow<'_, str> {
    if is_plain { Cow::Borrowed(text) } else { Cow::Owned(delimited(text, '`')) }
}

fn is_plain(text: &str, dots: bool) -> bool {
    text.starts_with(is_name_start)
        && text.chars().all(|letter| is_name_part(letter, dots))
        && !RESERVED.contains(&text)
        && super::types::scalar_named(text).is_none()
}

pub(super) fn is_name_start(letter: char) -> bool {
    letter.is_ascii_alphabetic() || letter == '_' || letter == '$'
}

pub(super) fn is_name_part(letter: char, dots: bool) -> bool {
    is_name_start(letter) || letter.is_ascii_digit() || (dots && letter == '.')
}

/// Text between double quotes.
pub(super) fn string(text: &str) -> String {
    delimited(text, '"')
}

fn delimited(text: &str, delimiter: char) -> String {
    let mut quoted = String::from(delimiter);
    for letter in text.chars() {
        match letter {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            _ if letter == delimiter => {
                quoted.push('\\');
                quoted.push(letter);
            }
            _ if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => {
                let _ = write!(quoted, "\\u{{{:x}}}", letter as u32);
            }
            _ => quoted.push(letter),
        }
    }
    quoted.push(delimiter);
    quoted
}

/// Initial bytes: a C string where that reads well, else numbers of four bytes.
pub(super) fn bytes(bytes: &[u8]) -> Vec<String> {
    if is_text(bytes) {
        return vec![byte_string(bytes)];
    }
    let line = |chunk: &[u8]| {
        let groups: Vec<String> = chunk.chunks(4).map(hexadecimal).collect();
        groups.join(" ")
    };
    bytes.chunks(32).map(line).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn is_text(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
    let letters = bytes.iter().filter(|byte| is_letter(byte)).count();
    let (last, front) = match bytes.split_last() {
        Some((last, front)) => (Some(last), front),
        None => (None, bytes),
    };
    // One terminator at the end does not count against text, so that "" is a string as well.
    letters == bytes.len() || (last == Some(&0) && front.iter().all(is_letter))
}

/// As C writes it, but that `\x` takes exactly two digits.
pub(super) fn byte_string(bytes: &[u8]) -> String {
    let mut quoted = String::from('"');
    for &byte in bytes {
        match byte {
            b'\\' => quoted.push_str("\\\\"),
            b'"' => quoted.push_str("\\\""),
            b'\n' => quoted.push_str("\\n"),
            b'\t' => quoted.push_str("\\t"),
            b'\r' => quoted.push_str("\\r"),
            0 => quoted.push_str("\\0"),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => {
                let _ = write!(quoted, "\\x{byte:02x}");
            }
        }
    }
    quoted.push('"');
    quoted
}
