//! Conditions as the user wrote them: what the lowering put into temporaries is put back.

use heapwright_program::analysis::written_variable;
use heapwright_program::{
    Body, ExpressionId, Program, VariableKind, display_expression, display_operation,
};

/// Temporaries in temporaries, at most; enough for `a->b->c->d`.
const DEPTH: usize = 6;

/// The text of a condition without temporaries, as far as each is written in one place only.
pub(crate) fn condition_text(program: &Program, body: &Body, condition: ExpressionId) -> String {
    let mut text = display_expression(program, condition);
    // Ends because the rounds are counted; names are replaced from left to right.
    for _ in 0..DEPTH {
        match replaced(program, body, &text) {
            Some(better) => text = better,
            None => break,
        }
    }
    text
}

/// The text with its first temporary written out.
fn replaced(program: &Program, body: &Body, text: &str) -> Option<String> {
    body.edges.iter().find_map(|edge| {
        let target = written_variable(&edge.operation)?;
        let variable = program.variables.get(target)?;
        let is_temporary = variable.kind == VariableKind::Temporary;
        let writes =
            body.edges.iter().filter(|edge| written_variable(&edge.operation) == Some(target));
        if !is_temporary || writes.count() != 1 {
            return None;
        }
        let start = find_word(text, &variable.name)?;
        let whole = display_operation(program, &edge.operation);
        let value = whole.strip_prefix(&variable.name)?.strip_prefix(" = ")?;
        let is_simple = !value.contains(' ') || value.ends_with(')') && !value.starts_with('(');
        let value = if is_simple { value.to_owned() } else { format!("({value})") };
        let end = start + variable.name.len();
        Some(format!("{}{value}{}", &text[..start], &text[end..]))
    })
}

/// Where a name stands as a whole word; names of temporaries contain dots.
fn find_word(text: &str, name: &str) -> Option<usize> {
    let is_part =
        |character: char| character.is_alphanumeric() || character == '_' || character == '.';
    text.match_indices(name).map(|(start, _)| start).find(|start| {
        let before = text[..*start].chars().next_back();
        let after = text[start + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_a_whole_word_only() {
        assert_eq!(find_word("t.1 < t", "t"), Some(6));
        assert_eq!(find_word("at < t.1", "t"), None);
        assert_eq!(find_word("t.1->next", "t.1"), Some(0));
    }
}
