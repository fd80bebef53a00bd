//! From task definitions to runs: one run for each task and property with an expected verdict.
//! What is left out is counted and reported, so that no task disappears silently.

use crate::collect::{collect, folder_names};
use crate::error::BenchError;
use crate::task::{DataModel, TaskDefinition, TaskFile, TaskProperty, read_task};
use heapwright_property::Property;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Which runs to keep; an empty list keeps everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Keep only these properties.
    pub properties: Vec<Property>,
    /// Keep only tasks in folders of these names.
    pub folders: Vec<String>,
    /// Keep only tasks whose name contains one of these texts.
    pub names: Vec<String>,
}

/// One question to the tool, with the answer that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Short name of the task's folder.
    pub folder: String,
    /// Name of the task: its definition's file name without `.yml`.
    pub task: String,
    /// The property asked about.
    pub property: Property,
    /// Whether the property holds.
    pub expected: bool,
    /// When it does not hold: the part that is violated, if the task says so.
    pub expected_subproperty: Option<String>,
    /// The file that states the property.
    pub property_file: PathBuf,
    /// Sizes of types.
    pub data_model: DataModel,
    /// The program.
    pub files: Vec<PathBuf>,
}

impl Run {
    /// The order of runs in every output.
    pub(crate) fn order(&self) -> (&str, &str, Property) {
        (&self.folder, &self.task, self.property)
    }
}

/// The runs of a bench.
#[derive(Debug, Default)]
pub struct Plan {
    /// In the order of every output: folder, task, property.
    pub runs: Vec<Run>,
    /// Why tasks or properties were left out, with how many.
    pub left_out: BTreeMap<String, usize>,
}

/// Plans the runs for task sources: folders, `.yml` files and `.set` files.
pub fn plan(
    sources: &[PathBuf],
    filter: &TaskFilter,
    default_data_model: DataModel,
) -> Result<Plan, BenchError> {
    let mut planner =
        Planner { filter, default_data_model, properties: BTreeMap::new(), plan: Plan::default() };
    let tasks = planner.read_tasks(sources)?;
    let folders: BTreeSet<PathBuf> = tasks.iter().map(folder_of).collect();
    let names = folder_names(&folders);
    for task in &tasks {
        let folder = names.get(&folder_of(task)).cloned().unwrap_or_default();
        planner.add_task(task, folder)?;
    }
    planner.plan.runs.sort_by(|left, right| left.order().cmp(&right.order()));
    if planner.plan.runs.is_empty() {
        return Err(nothing_to_run(tasks.len(), &planner.plan.left_out));
    }
    Ok(planner.plan)
}

struct Planner<'a> {
    filter: &'a TaskFilter,
    default_data_model: DataModel,
    /// Many tasks share few property files; each is read once.
    properties: BTreeMap<PathBuf, Option<Property>>,
    plan: Plan,
}

impl Planner<'_> {
    fn read_tasks(&mut self, sources: &[PathBuf]) -> Result<Vec<TaskDefinition>, BenchError> {
        let collection = collect(sources)?;
        for pattern in collection.empty_patterns {
            self.leave_out(format!("pattern matches nothing ({pattern})"));
        }
        let mut tasks = Vec::new();
        for path in collection.named.union(&collection.found) {
            match read_task(path)? {
                TaskFile::Task(task) => tasks.push(task),
                TaskFile::Other if collection.named.contains(path) => {
                    let problem = "format_version or input_files is missing".to_owned();
                    return Err(BenchError::Task { path: path.clone(), problem });
                }
                TaskFile::Other => self.leave_out("YAML file is no task definition".to_owned()),
            }
        }
        Ok(tasks)
    }

    fn add_task(&mut self, task: &TaskDefinition, folder: String) -> Result<(), BenchError> {
        let name = task_name(&task.path);
        if !self.filter.keeps_task(&folder, &name) {
            return Ok(());
        }
        if let Some(language) = task.language.as_deref().filter(|language| *language != "C") {
            self.leave_out(format!("language {language}"));
            return Ok(());
        }
        for stated in &task.properties {
            let Some((property, expected)) = self.wanted(stated)? else { continue };
            check_inputs(task)?;
            self.plan.runs.push(Run {
                folder: folder.clone(),
                task: name.clone(),
                property,
                expected,
                expected_subproperty: stated.subproperty.clone().filter(|_| !expected),
                property_file: tidy(&stated.property_file),
                data_model: task.data_model.unwrap_or(self.default_data_model),
                files: task.input_files.clone(),
            });
        }
        Ok(())
    }

    /// The property and its expected verdict, unless it is filtered or left out.
    fn wanted(&mut self, stated: &TaskProperty) -> Result<Option<(Property, bool)>, BenchError> {
        let Some(property) = self.property(&stated.property_file)? else {
            let name = stated.property_file.file_stem().unwrap_or_default().to_string_lossy();
            self.leave_out(format!("property {name} is not supported"));
            return Ok(None);
        };
        if !self.filter.keeps_property(property) {
            return Ok(None);
        }
        if stated.expected_verdict.is_none() {
            self.leave_out(format!("no expected verdict for {property}"));
        }
        Ok(stated.expected_verdict.map(|expected| (property, expected)))
    }

    fn property(&mut self, path: &Path) -> Result<Option<Property>, BenchError> {
        if let Some(known) = self.properties.get(path) {
            return Ok(*known);
        }
        let content = std::fs::read_to_string(path)
            .map_err(|source| BenchError::Read { path: path.to_owned(), source })?;
        let property = Property::from_content(&content);
        self.properties.insert(path.to_owned(), property);
        Ok(property)
    }

    fn leave_out(&mut self, reason: String) {
        *self.plan.left_out.entry(reason).or_default() += 1;
    }
}

impl TaskFilter {
    fn keeps_task(&self, folder: &str, name: &str) -> bool {
        let folder_fits = self.folders.is_empty() || self.folders.iter().any(|one| one == folder);
        let name_fits = self.names.is_empty() || self.names.iter().any(|one| name.contains(one));
        folder_fits && name_fits
    }

    fn keeps_property(&self, property: Property) -> bool {
        self.properties.is_empty() || self.properties.contains(&property)
    }
}

fn folder_of(task: &TaskDefinition) -> PathBuf {
    task.path.parent().unwrap_or(Path::new("")).to_owned()
}

fn task_name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// `a/b/../p.prp` is harder to read in a command line than `a/p.prp`.
fn tidy(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn check_inputs(task: &TaskDefinition) -> Result<(), BenchError> {
    match task.input_files.iter().find(|file| !file.is_file()) {
        None => Ok(()),
        Some(missing) => Err(BenchError::Task {
            path: task.path.clone(),
            problem: format!("its input file {} does not exist", missing.display()),
        }),
    }
}

fn nothing_to_run(tasks: usize, left_out: &BTreeMap<String, usize>) -> BenchError {
    let reasons: Vec<String> =
        left_out.iter().map(|(reason, count)| format!("{reason}: {count}")).collect();
    let hint = "loosen the filters, or name a folder with SV-COMP task definitions (*.yml)";
    let detail = if reasons.is_empty() {
        String::new()
    } else {
        format!(" (left out: {})", reasons.join("; "))
    };
    BenchError::NothingToRun(format!("{tasks} tasks found, no run selected{detail}; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMSAFETY: &str = "CHECK( init(main()), LTL(G valid-free) )\n\
        CHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n";

    /// `lists/a` has a data model and two properties; `lists/b` is of format 1.0.
    fn tasks() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        };
        write("properties/m.prp", MEMSAFETY);
        write("properties/r.prp", "CHECK( init(main()), LTL(G ! data-race) )");
        write("properties/t.prp", "CHECK( init(main()), LTL(F end) )");
        write("lists/a.c", "");
        write("lists/b.c", "");
        write(
            "lists/a.yml",
            "format_version: '2.0'\ninput_files: a.c\nproperties:\n\
             - {property_file: ../properties/t.prp, expected_verdict: true}\n\
             - {property_file: ../properties/r.prp, expected_verdict: true}\n\
             - {property_file: ../properties/m.prp, expected_verdict: false, \
             subproperty: valid-free}\noptions: {language: C, data_model: LP64}\n",
        );
        write(
            "lists/b.yml",
            "format_version: '1.0'\ninput_files: [b.c]\nproperties:\n\
             - {property_file: ../properties/m.prp}\n\
             - {property_file: ../properties/t.prp, expected_verdict: false}\n",
        );
        write("lists/ci.yml", "stages: [build]\n");
        folder
    }

    fn planned(folder: &Path, filter: &TaskFilter) -> Result<Plan, BenchError> {
        plan(&[folder.to_owned()], filter, DataModel::Ilp32)
    }

    #[test]
    fn plans_each_property_with_an_expected_verdict() {
        let tasks = tasks();
        let plan = planned(tasks.path(), &TaskFilter::default()).unwrap();
        let runs: Vec<_> = plan.runs.iter().map(Run::order).collect();
        assert_eq!(
            runs,
            [
                ("lists", "a", Property::ValidMemsafety),
                ("lists", "a", Property::Termination),
                ("lists", "b", Property::Termination),
            ]
        );
        assert_eq!(plan.runs[0].expected_subproperty.as_deref(), Some("valid-free"));
        assert_eq!(plan.runs[0].data_model, DataModel::Lp64);
        assert_eq!(plan.runs[2].data_model, DataModel::Ilp32);
        let reasons: Vec<&str> = plan.left_out.keys().map(String::as_str).collect();
        assert_eq!(
            reasons,
            [
                "YAML file is no task definition",
                "no expected verdict for valid-memsafety",
                "property r is not supported",
            ]
        );
    }

    #[test]
    fn filters_keep_what_they_name() {
        let tasks = tasks();
        let count =
            |filter: TaskFilter| planned(tasks.path(), &filter).map_or(0, |plan| plan.runs.len());
        let none = TaskFilter::default;
        let texts = |text: &str| vec![text.to_owned()];
        assert_eq!(count(TaskFilter { properties: vec![Property::Termination], ..none() }), 2);
        assert_eq!(count(TaskFilter { folders: texts("lists"), ..none() }), 3);
        assert_eq!(count(TaskFilter { folders: texts("trees"), ..none() }), 0);
        assert_eq!(count(TaskFilter { names: texts("b"), ..none() }), 1);
    }

    #[test]
    fn a_missing_program_is_reported_with_its_task() {
        let tasks = tasks();
        std::fs::remove_file(tasks.path().join("lists/b.c")).unwrap();
        let error = planned(tasks.path(), &TaskFilter::default()).unwrap_err().to_string();
        assert!(error.contains("b.yml") && error.contains("does not exist"), "{error}");
    }

    #[test]
    fn an_empty_selection_says_what_to_do() {
        let tasks = tasks();
        let filter = TaskFilter { names: vec!["zzz".to_owned()], ..TaskFilter::default() };
        let error = planned(tasks.path(), &filter).unwrap_err().to_string();
        assert!(error.contains("2 tasks found") && error.contains("loosen"), "{error}");
    }
}
