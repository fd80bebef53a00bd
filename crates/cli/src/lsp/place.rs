//! Files as addresses and columns as the protocol counts them: from 0, in units of UTF-16.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::{Position, Range, Uri};

/// The file of an address; none for what is not a file.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let text = uri.as_str().strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The address of a file.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    let byte = |byte: &u8| match is_plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    let encoded: String = whole.to_str()?.as_bytes().iter().map(byte).collect();
    Uri::from_str(&format!("file://{encoded}")).ok()
}

/// From a line and columns in bytes, which begin at 1, to a range. Without an end, to the end of the word.
pub(super) fn range(text: Option<&str>, line: u32, column: u32, end: u32) -> Range {
    let number = line.saturating_sub(1);
    let words = text.and_then(|text| text.lines().nth(number as usize)).unwrap_or_default();
    let start = (column.saturating_sub(1) as usize).min(words.len());
    let end = match end as usize {
        0 => start + word_length(words.get(start..).unwrap_or_default()),
        end => (end - 1).clamp(start, words.len()),
    };
    let at = |index: usize| Position { line: number, character: units(words, index) };
    Range { start: at(start), end: at(end.max(start)) }
}

fn units(words: &str, index: usize) -> u32 {
    let before = words.char_indices().take_while(|(at, _)| *at < index);
    before.map(|(_, it)| u32::try_from(it.len_utf16()).expect("one or two")).sum()
}

/// Letters and what belongs to a chain of accesses; at least one character.
fn word_length(text: &str) -> usize {
    let is_inside = |it: char| it.is_alphanumeric() || "_->.[]".contains(it);
    let length: usize = text.chars().take_while(|it| is_inside(*it)).map(char::len_utf8).sum();
    length.max(text.chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_files_are_two_names() {
        let uri = Uri::from_str("file:///a%20b/%C3%A4.c").expect("an address");
        let path = path_of(&uri).expect("a file");
        assert_eq!(path, Path::new("/a b/ä.c"));
        assert_eq!(uri_of(&path).expect("an address").as_str(), uri.as_str());
        assert_eq!(path_of(&Uri::from_str("untitled:x").expect("an address")), None);
    }

    #[test]
    fn columns_count_units_of_utf_16() {
        let text = "x\n/*𝄞ä*/ p->next = 0;\n";
        let column = u32::try_from("/*𝄞ä*/ ".len() + 1).expect("small");
        let range = range(Some(text), 2, column, 0);
        assert_eq!((range.start.line, range.start.character, range.end.character), (1, 8, 15));
        let beyond = super::range(Some(text), 9, 4, 2);
        assert_eq!((beyond.start.line, beyond.start.character), (8, 0));
    }
}
