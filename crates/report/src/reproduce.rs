//! How a violation is shown again: by `heapwright run` with the inputs of the execution, and by a
//! harness for the user's own compiler.

use crate::harness::NativeCommand;
use crate::input::{InputArgument, InputReport};

/// What does not depend on the inputs of all ways to show a violation again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reproduction {
    pub run: RunCommand,
    /// Where a harness is wanted.
    pub native: Option<NativeCommand>,
}

/// `heapwright run` as far as it does not depend on the inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCommand {
    /// Data model, preprocessor flags.
    pub options: Vec<String>,
    pub files: Vec<String>,
    /// Whether models play the world around the program.
    pub is_modelled: bool,
}

impl RunCommand {
    /// The command with these inputs.
    #[must_use]
    pub(crate) fn with_inputs(&self, inputs: &[InputReport]) -> String {
        let list = input_list(inputs);
        let mut words = vec!["heapwright".to_owned(), "run".to_owned()];
        if !list.is_empty() {
            words.extend(["--inputs".to_owned(), list.join(",")]);
        }
        let is_task_input = |input: &InputReport| input.name.starts_with("__VERIFIER_nondet_");
        if self.is_modelled && !inputs.iter().all(is_task_input) {
            words.push("--modelled".to_owned());
        }
        words.extend(self.options.iter().cloned());
        words.extend(self.files.iter().cloned());
        let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
        let command = quoted.join(" ");
        match standard_input(inputs) {
            Some(text) => format!("printf {text} | {command}"),
            None => command,
        }
    }
}

/// The elements of `--inputs`. Bytes and variables are zero unless they are listed.
fn input_list(inputs: &[InputReport]) -> Vec<String> {
    let mut list = Vec::new();
    let mut variables = Vec::new();
    for input in inputs {
        match &input.argument {
            InputArgument::Value(value) => list.push(value.clone()),
            InputArgument::Variable(value) => variables.push(format!("variable:{value}")),
            InputArgument::Byte { value: 0, .. } => {}
            InputArgument::Byte { serial, offset, value } => {
                list.push(format!("byte:{serial}+{offset}={value}"));
            }
            InputArgument::Failure { serial } => list.push(format!("fail:{serial}")),
            InputArgument::Choice(choice) => list.push(choice.clone()),
            InputArgument::Success | InputArgument::Character(_) => {}
        }
    }
    // Variables are given in order, so only the zeros at the end can be left out.
    while variables.last().is_some_and(|last| is_zero(last)) {
        variables.pop();
    }
    list.extend(variables);
    list
}

fn is_zero(element: &str) -> bool {
    matches!(element, "variable:0" | "variable:0x0" | "variable:0.0")
}

/// What has to be written to standard input, in the notation of printf(1).
fn standard_input(inputs: &[InputReport]) -> Option<String> {
    let mut characters = inputs
        .iter()
        .filter_map(|input| match &input.argument {
            InputArgument::Character(character) => Some(*character),
            _ => None,
        })
        .peekable();
    characters.peek()?;
    let escape = |character: u8| match character {
        b'\n' => "\\n".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'%' => "%%".to_owned(),
        b' '..=b'~' if character != b'\'' => char::from(character).to_string(),
        _ => format!("\\{character:03o}"),
    };
    let text: String = characters.flatten().map(escape).collect();
    Some(format!("'{text}'"))
}

/// A word as a shell takes it.
pub(crate) fn quote(word: &str) -> String {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "-_=./,:+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if word.chars().any(char::is_control) {
        // What a terminal would obey is spelled out.
        let spelled = |character: char| match character {
            '\'' | '\\' => format!("\\{character}"),
            control if control.is_control() => format!("\\u{:04x}", control as u32),
            other => other.to_string(),
        };
        format!("$'{}'", word.chars().map(spelled).collect::<String>())
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(argument: InputArgument) -> InputReport {
        InputReport {
            kind: "byte",
            name: String::new(),
            value: String::new(),
            place: None,
            argument,
        }
    }

    #[test]
    fn a_word_is_what_a_shell_takes_and_a_terminal_does_not_obey() {
        assert_eq!(quote("a-b.c"), "a-b.c");
        assert_eq!(quote("it's"), "'it'\\''s'");
        assert_eq!(quote("\u{1b}[31m'.c"), "$'\\u001b[31m\\'.c'");
    }

    #[test]
    fn inputs_that_are_zero_anyway_are_left_out() {
        let inputs = [
            input(InputArgument::Value("-5".to_owned())),
            input(InputArgument::Variable("7".to_owned())),
            input(InputArgument::Variable("0".to_owned())),
            input(InputArgument::Byte { serial: 3, offset: 8, value: 0 }),
            input(InputArgument::Byte { serial: 3, offset: 9, value: 1 }),
            input(InputArgument::Failure { serial: 4 }),
        ];
        let command = RunCommand { files: vec!["my file.c".to_owned()], ..RunCommand::default() };
        let expected = "heapwright run --inputs -5,byte:3+9=1,fail:4,variable:7 'my file.c'";
        assert_eq!(command.with_inputs(&inputs), expected);
    }

    #[test]
    fn characters_come_through_a_pipe() {
        let inputs = [b'a', b'\n', b'\''].map(|byte| input(InputArgument::Character(Some(byte))));
        let command = RunCommand { files: vec!["a.c".to_owned()], ..RunCommand::default() };
        let expected = "printf 'a\\n\\047' | heapwright run a.c";
        assert_eq!(command.with_inputs(&inputs), expected);
    }
}
