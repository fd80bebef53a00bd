//! C text from templates: `$name` is replaced by its value, and lines are indented by their braces.
//! Templates keep the C readable in the generators, where `format!` would double every brace.

/// Replaces each `$name` (lower-case letters only, so `$p_node` is `$p` and `_node`).
/// A name without a value is a slip in a generator, so it panics.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    // Ends because each round removes a `$` from `rest`.
    while let Some(position) = rest.find('$') {
        filled.push_str(&rest[..position]);
        let after = &rest[position + 1..];
        let length = after.bytes().take_while(u8::is_ascii_lowercase).count();
        let name = &after[..length];
        let value = values.iter().find(|(key, _)| *key == name);
        let (_, value) = value.unwrap_or_else(|| panic!("no value for ${name} in {template}"));
        filled.push_str(value);
        rest = &after[length..];
    }
    filled.push_str(rest);
    filled
}

/// Indents every line by the braces that are open where it starts, and drops empty lines.
pub fn indent(source: &str) -> String {
    let mut indented = String::with_capacity(source.len() * 2);
    let mut depth = 0usize;
    for line in source.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let closing = line.bytes().take_while(|byte| *byte == b'}').count();
        for _ in 0..depth.saturating_sub(closing) {
            indented.push_str("  ");
        }
        indented.push_str(line);
        indented.push('\n');
        depth = depth_after(line, depth);
    }
    indented
}

/// The number of open braces after `line`; braces in string and character literals do not count.
fn depth_after(line: &str, depth: usize) -> usize {
    let mut depth = depth;
    let mut quote = None;
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => depth += 1,
            (None, b'}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_names_up_to_the_first_other_character() {
        assert_eq!(fill("$p_node *$p;", &[("p", "list")]), "list_node *list;");
    }

    #[test]
    fn indents_by_open_braces_outside_literals() {
        let source = "if (a) {\nput('{');\n} else {\nb();\n}\n";
        let expected = "if (a) {\n  put('{');\n} else {\n  b();\n}\n";
        assert_eq!(indent(source), expected);
    }
}
