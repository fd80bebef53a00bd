//! The arguments of this process for another one that does a part of the work.

use std::ffi::OsString;

/// The arguments behind `check`, without these options; those with a value lose it too.
pub(crate) fn arguments_without(
    arguments: impl Iterator<Item = OsString>,
    with_value: &[&str],
    flags: &[&str],
) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments.skip(1);
    let mut is_command_gone = false;
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        let name = text.split_once('=').map_or(text.as_ref(), |(name, _)| name);
        let has_own_value = name.len() < text.len();
        match text.as_ref() {
            "check" if !is_command_gone => is_command_gone = true,
            flag if flags.contains(&flag) => {}
            _ if with_value.contains(&name) => {
                if !has_own_value {
                    arguments.next();
                }
            }
            _ => kept.push(argument),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(words: &[&str], with_value: &[&str], flags: &[&str]) -> Vec<String> {
        let words = words.iter().map(OsString::from);
        let kept = arguments_without(words, with_value, flags).into_iter();
        kept.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_other_arguments_stay() {
        let words = ["heapwright", "check", "--entry", "all", "--json", "-I", "x", "a.c"];
        assert_eq!(kept(&words, &["--entry"], &["--json"]), ["-I", "x", "a.c"]);
        let words = ["heapwright", "--color", "never", "check", "--entry=f", "check"];
        assert_eq!(kept(&words, &["--entry"], &[]), ["--color", "never", "check"]);
    }
}
