//! One SV-COMP task definition: which files, which properties, which verdicts are expected.
//! Formats 1.0 and 2.0 (and 2.1, which only adds free information) as BenchExec documents them.

use crate::error::BenchError;
use serde::{Deserialize, Serialize};
use serde_norway::Value;
use std::fmt;
use std::path::{Path, PathBuf};

/// The sizes of C's integer types and pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    #[value(name = "ILP32")]
    #[serde(rename = "ILP32")]
    Ilp32,
    /// `int` has 32 bits; `long` and pointers have 64.
    #[value(name = "LP64")]
    #[serde(rename = "LP64")]
    Lp64,
}

impl DataModel {
    /// The name that task definitions and tools use.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// What a task definition says; all paths are ready to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDefinition {
    /// The file that was read.
    pub path: PathBuf,
    /// The source files; relative names were relative to the definition.
    pub input_files: Vec<PathBuf>,
    /// The properties in the order of the file.
    pub properties: Vec<TaskProperty>,
    /// `options.language`; absent in format 1.0.
    pub language: Option<String>,
    /// `options.data_model`; absent in format 1.0.
    pub data_model: Option<DataModel>,
}

/// One property that a task definition names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskProperty {
    /// The file that states the property.
    pub property_file: PathBuf,
    /// Whether the property holds; absent when nobody knows.
    pub expected_verdict: Option<bool>,
    /// Which part of the property is violated.
    pub subproperty: Option<String>,
}

/// What a YAML file turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskFile {
    /// A task definition.
    Task(TaskDefinition),
    /// Some other YAML, such as a witness or the settings of a CI service.
    Other,
}

#[derive(Deserialize)]
struct RawTask {
    format_version: Value,
    input_files: OneOrMany,
    properties: Option<Vec<RawProperty>>,
    options: Option<RawOptions>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Default, Deserialize)]
struct RawOptions {
    language: Option<String>,
    data_model: Option<String>,
}

/// Reads a task definition from a file.
pub fn read_task(path: &Path) -> Result<TaskFile, BenchError> {
    let content = std::fs::read_to_string(path)
        .map_err(|source| BenchError::Read { path: path.to_owned(), source })?;
    parse_task(path, &content)
        .map_err(|problem| BenchError::Task { path: path.to_owned(), problem })
}

/// Parses the text of a task definition; `path` is needed to resolve relative names.
fn parse_task(path: &Path, content: &str) -> Result<TaskFile, String> {
    let value: Value =
        serde_norway::from_str(content).map_err(|error| format!("not valid YAML: {error}"))?;
    if value.get("format_version").is_none() || value.get("input_files").is_none() {
        return Ok(TaskFile::Other);
    }
    let raw: RawTask = serde_norway::from_value(value)
        .map_err(|error| format!("{error}; compare it with BenchExec's task-definition format"))?;
    check_version(&raw.format_version)?;
    let base = path.parent().unwrap_or(Path::new("."));
    let options = raw.options.unwrap_or_default();
    Ok(TaskFile::Task(TaskDefinition {
        path: path.to_owned(),
        input_files: resolve_inputs(base, raw.input_files)?,
        properties: resolve_properties(base, raw.properties.unwrap_or_default()),
        language: options.language,
        data_model: options.data_model.as_deref().map(parse_data_model).transpose()?,
    }))
}

fn check_version(version: &Value) -> Result<(), String> {
    // The version should be quoted, but `2.0` without quotes is a number and means the same.
    let text = match version {
        Value::String(text) => text.clone(),
        Value::Number(number) => format!("{:.1}", number.as_f64().unwrap_or_default()),
        other => format!("{other:?}"),
    };
    match text.as_str() {
        "1.0" | "2.0" | "2.1" => Ok(()),
        _ => Err(format!("format_version {text} is unknown; 1.0, 2.0 and 2.1 can be read")),
    }
}

fn parse_data_model(text: &str) -> Result<DataModel, String> {
    match text {
        "ILP32" => Ok(DataModel::Ilp32),
        "LP64" => Ok(DataModel::Lp64),
        _ => Err(format!("data_model {text} is unknown; it must be ILP32 or LP64")),
    }
}

fn resolve_properties(base: &Path, properties: Vec<RawProperty>) -> Vec<TaskProperty> {
    let resolve = |raw: RawProperty| TaskProperty {
        property_file: base.join(raw.property_file),
        expected_verdict: raw.expected_verdict,
        subproperty: raw.subproperty,
    };
    properties.into_iter().map(resolve).collect()
}

fn resolve_inputs(base: &Path, names: OneOrMany) -> Result<Vec<PathBuf>, String> {
    let names = match names {
        OneOrMany::One(name) => vec![name],
        OneOrMany::Many(names) => names,
    };
    let mut files = Vec::new();
    for name in &names {
        files.extend(resolve_input(base, name)?);
    }
    if files.is_empty() {
        return Err("input_files is empty; name at least one source file".to_owned());
    }
    Ok(files)
}

fn resolve_input(base: &Path, name: &str) -> Result<Vec<PathBuf>, String> {
    let path = base.join(name);
    // BenchExec expands patterns here; a file that exists under the very name comes first.
    if path.exists() || !name.contains(['*', '?', '[']) {
        return Ok(vec![path]);
    }
    let matches = crate::collect::expand_pattern(base, name)?;
    if matches.is_empty() {
        return Err(format!("no file matches the input pattern {name}"));
    }
    Ok(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(content: &str) -> Result<TaskFile, String> {
        parse_task(Path::new("/tasks/list/a.yml"), content)
    }

    fn task(content: &str) -> TaskDefinition {
        match parse(content).unwrap() {
            TaskFile::Task(task) => task,
            TaskFile::Other => panic!("not taken for a task: {content}"),
        }
    }

    #[test]
    fn reads_format_2() {
        let task = task(
            "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  \
             - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n    \
             subproperty: valid-deref\noptions:\n  language: C\n  data_model: LP64\n",
        );
        assert_eq!(task.input_files, [Path::new("/tasks/list/a.i")]);
        assert_eq!(task.data_model, Some(DataModel::Lp64));
        assert_eq!(task.language.as_deref(), Some("C"));
        let property = &task.properties[0];
        assert!(property.property_file.ends_with("../properties/valid-memsafety.prp"));
        assert_eq!(property.expected_verdict, Some(false));
        assert_eq!(property.subproperty.as_deref(), Some("valid-deref"));
    }

    #[test]
    fn reads_format_1_with_a_list_of_files_and_no_options() {
        let task = task(
            "format_version: \"1.0\"\ninput_files:\n  - a.c\n  - b.c\nproperties:\n  \
             - property_file: p.prp\n",
        );
        assert_eq!(task.input_files.len(), 2);
        assert_eq!(task.data_model, None);
        assert_eq!(task.properties[0].expected_verdict, None);
    }

    #[test]
    fn accepts_a_version_without_quotes_and_a_task_without_properties() {
        assert!(task("format_version: 2.0\ninput_files: a.c\n").properties.is_empty());
    }

    #[test]
    fn other_yaml_is_told_apart() {
        assert_eq!(parse("- entry_type: invariant_set\n"), Ok(TaskFile::Other));
        assert_eq!(parse("stages: [build]\n"), Ok(TaskFile::Other));
    }

    #[test]
    fn problems_say_what_is_wrong() {
        let problem = |content| parse(content).unwrap_err();
        assert!(problem("format_version: '3.0'\ninput_files: a.c").contains("3.0 is unknown"));
        assert!(problem("a: [").contains("not valid YAML"));
        assert!(problem("format_version: '2.0'\ninput_files: []").contains("input_files is empty"));
        assert!(problem("format_version: '2.0'\ninput_files: 'no*.c'").contains("no file matches"));
        let model = "format_version: '2.0'\ninput_files: a.c\noptions: {data_model: LLP64}";
        assert!(problem(model).contains("ILP32 or LP64"));
    }
}
