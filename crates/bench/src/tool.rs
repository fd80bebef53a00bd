//! The command line for a run: of Heapwright itself, or of any other tool by a template.

use crate::error::BenchError;
use crate::plan::Run;
use std::ffi::OsString;
use std::path::PathBuf;

/// What is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tool {
    /// Heapwright: `check --property P --data-model M --verdict-line … FILES`.
    Heapwright {
        /// Path of the executable.
        executable: PathBuf,
        /// Value of `--engine`, when a certain engine is to be measured.
        engine: Option<String>,
        /// Further arguments of `check`.
        extra_arguments: Vec<String>,
    },
    /// Any other tool that ends its standard output with a verdict line.
    Other {
        /// A command with the places `{property}` (the property file), `{property_name}`,
        /// `{data_model}` and `{files}`; quoted as for a shell, but run without one.
        template: String,
    },
}

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine {
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
}

const FILES: &str = "{files}";

impl Tool {
    /// Finds mistakes in a template before the first run.
    pub(crate) fn check(&self) -> Result<(), BenchError> {
        let Tool::Other { template } = self else { return Ok(()) };
        let words = split(template).ok_or_else(|| {
            BenchError::Settings(format!("the tool command `{template}` has an open quote"))
        })?;
        if words.is_empty() || words[0] == FILES {
            let problem = format!("the tool command `{template}` does not start with a program");
            return Err(BenchError::Settings(problem));
        }
        if !words.iter().any(|word| word == FILES) {
            return Err(BenchError::Settings(format!(
                "the tool command `{template}` has no {FILES}; put it where the source files go, \
                 as a word of its own"
            )));
        }
        Ok(())
    }

    /// The command line for one run.
    pub(crate) fn command_line(&self, run: &Run) -> CommandLine {
        match self {
            Tool::Heapwright { executable, engine, extra_arguments } => {
                let mut arguments: Vec<OsString> =
                    vec!["check".into(), "--property".into(), run.property_file.clone().into()];
                arguments.extend(["--data-model".into(), run.data_model.name().into()]);
                arguments.push("--verdict-line".into());
                if let Some(engine) = engine {
                    arguments.extend(["--engine".into(), engine.into()]);
                }
                arguments.extend(extra_arguments.iter().map(OsString::from));
                arguments.extend(run.files.iter().map(OsString::from));
                CommandLine { program: executable.clone().into(), arguments }
            }
            Tool::Other { template } => {
                let words = split(template).unwrap_or_default();
                let mut words = words.iter().flat_map(|word| fill(word, run));
                let program = words.next().unwrap_or_default();
                CommandLine { program, arguments: words.collect() }
            }
        }
    }
}

fn split(template: &str) -> Option<Vec<String>> {
    shlex::split(template)
}

/// The words that one word of a template stands for.
fn fill(word: &str, run: &Run) -> Vec<OsString> {
    if word == FILES {
        return run.files.iter().map(OsString::from).collect();
    }
    let filled = word
        .replace("{property}", &run.property_file.to_string_lossy())
        .replace("{property_name}", run.property.name())
        .replace("{data_model}", run.data_model.name());
    vec![filled.into()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::DataModel;
    use heapwright_property::Property;

    fn run() -> Run {
        Run {
            folder: "lists".to_owned(),
            task: "a".to_owned(),
            property: Property::Termination,
            expected: true,
            expected_subproperty: None,
            property_file: "p/t.prp".into(),
            data_model: DataModel::Lp64,
            files: vec!["a b.c".into(), "c.c".into()],
        }
    }

    fn check(tool: &Tool, expected: &[&str]) {
        let line = tool.command_line(&run());
        let words: Vec<OsString> = std::iter::once(line.program).chain(line.arguments).collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn calls_heapwright_with_all_it_needs() {
        let mut tool =
            Tool::Heapwright { executable: "hw".into(), engine: None, extra_arguments: Vec::new() };
        let start =
            ["hw", "check", "--property", "p/t.prp", "--data-model", "LP64", "--verdict-line"];
        check(&tool, &[&start[..], &["a b.c", "c.c"]].concat());
        if let Tool::Heapwright { engine, extra_arguments, .. } = &mut tool {
            *engine = Some("shape".to_owned());
            *extra_arguments = vec!["--seed=1".to_owned()];
        }
        check(&tool, &[&start[..], &["--engine", "shape", "--seed=1", "a b.c", "c.c"]].concat());
    }

    #[test]
    fn fills_the_places_of_a_template() {
        let template =
            "sh 'my tool.sh' --prop={property_name} {property} -{data_model} {files} end";
        let tool = Tool::Other { template: template.to_owned() };
        tool.check().unwrap();
        let expected =
            ["sh", "my tool.sh", "--prop=termination", "p/t.prp", "-LP64", "a b.c", "c.c", "end"];
        check(&tool, &expected);
    }

    #[test]
    fn mistakes_in_a_template_are_found_early() {
        let problem = |template: &str| {
            Tool::Other { template: template.to_owned() }.check().unwrap_err().to_string()
        };
        assert!(problem("cbmc {property}").contains("has no {files}"));
        assert!(problem("cbmc 'x {files}").contains("open quote"));
        assert!(problem("").contains("does not start with a program"));
    }
}
