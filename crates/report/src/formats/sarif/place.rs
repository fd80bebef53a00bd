//! Files as addresses, and parts of lines as regions.

use heapwright_trace::Sources;
use serde_json::{Value as Json, json};

use crate::columns::in_line;
use crate::position::Position;

/// A file as an address; relative ones are below the folder of the call.
pub(super) fn artifact_location(file: &str) -> Json {
    match file.starts_with('/') {
        true => json!({"uri": format!("file://{}", encoded(file))}),
        false => json!({"uri": encoded(file), "uriBaseId": "SRCROOT"}),
    }
}

/// A path with everything that an address may not have as `%XX`.
fn encoded(path: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    let byte = |byte: &u8| match is_plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    path.as_bytes().iter().map(byte).collect()
}

/// A place with the words that are there. Columns count characters.
pub(super) fn physical(position: &Position, end: u32, sources: &mut Sources) -> Json {
    let mut region = json!({"startLine": position.line});
    let line = sources.file(&position.file).and_then(|text| text.line(position.line));
    if let Some(line) = line {
        region["startColumn"] = json!(in_line(line, position.column));
        if end > position.column {
            region["endColumn"] = json!(in_line(line, end));
        }
        region["snippet"] = json!({"text": line});
    }
    json!({"artifactLocation": artifact_location(&position.file), "region": region})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_only_what_addresses_may_have() {
        assert_eq!(encoded("a b/<c>.c"), "a%20b/%3Cc%3E.c");
        assert_eq!(artifact_location("/x.c")["uri"], "file:///x.c");
        assert_eq!(artifact_location("x.c")["uriBaseId"], "SRCROOT");
    }
}
