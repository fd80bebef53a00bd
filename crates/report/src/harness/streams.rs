//! Standard input: the characters that the execution read.

use heapwright_interpreter::InputKind;

use super::{Piece, Subject, literal};

pub(super) fn piece(subject: &Subject<'_>) -> Piece {
    let inputs = subject.violation.inputs().iter();
    let is_character = |kind: &InputKind| matches!(kind, InputKind::Character);
    let characters: Vec<u128> =
        inputs.filter(|input| is_character(&input.kind)).map(|input| input.bits).collect();
    if characters.is_empty() {
        return Piece::default();
    }
    let bytes: Vec<u8> =
        characters.iter().filter_map(|&character| u8::try_from(character).ok()).collect();
    let lines: Vec<String> =
        bytes.chunks(60).map(|chunk| format!("\n    {}", literal(chunk))).collect();
    let lines = if lines.is_empty() { "\"\"".to_owned() } else { lines.concat() };
    let text = format!(
        "
#include <unistd.h>

// What the execution reads from standard input.
static const char characters[] = {lines};

__attribute__((constructor)) static void give_characters(void)
{{
    FILE *file = tmpfile();
    if (file == 0 || fwrite(characters, 1, sizeof characters - 1, file) != sizeof characters - 1
        || fflush(file) != 0 || lseek(fileno(file), 0, SEEK_SET) != 0 || dup2(fileno(file), 0) != 0) {{
        note(\"cannot give the program its standard input\");
        exit(125);
    }}
}}
"
    );
    Piece { text, ..Piece::default() }
}
