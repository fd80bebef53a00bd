//! `heapwright.toml`: what a project asks, and which programs it has. Errors point into the file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use heapwright_frontend::InputError;

use super::find::{Functions, Target};
use super::located::{Document, Located, Table};
use crate::arguments::{parse_size, parse_time};
use crate::question::specification;

/// The file, in the folder of the project.
pub(super) const FILE: &str = "heapwright.toml";

/// What the file says; the command line counts more.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) jobs: Option<usize>,
    pub(super) html: Option<PathBuf>,
    pub(super) sarif: Option<PathBuf>,
    pub(super) junit: Option<PathBuf>,
    pub(super) baseline: Option<PathBuf>,
    pub(super) compile_commands: Option<PathBuf>,
    /// Options of `check` for every program.
    pub(super) options: Vec<String>,
    /// The programs that it lists.
    pub(super) targets: Vec<Target>,
}

/// Says what is wrong with a text.
type Test<'t> = &'t dyn Fn(&str) -> Result<(), String>;

/// Reads the tables of a file, and tries what can be tried at once.
struct Reader<'t> {
    document: Document<'t>,
    folder: &'t Path,
}

impl Settings {
    /// Reads the file of a folder; where there is none, nothing is set.
    pub(super) fn of_folder(folder: &Path) -> Result<Settings, InputError> {
        match std::fs::read_to_string(folder.join(FILE)) {
            Ok(text) => Settings::parse(&text, folder),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Settings::default()),
            Err(error) => Err(InputError::new(format!("cannot read {FILE}: {error}"))),
        }
    }

    fn parse(text: &str, folder: &Path) -> Result<Settings, InputError> {
        let document = Document { name: FILE, text };
        let parsed = document.parse()?;
        let root = document.root(&parsed).expect(&["project", "check", "program"])?;
        let reader = Reader { document, folder };
        let mut settings = Settings::default();
        if let Some(table) = root.table("project")? {
            reader.project(table, &mut settings)?;
        }
        if let Some(table) = root.table("check")? {
            settings.options = reader.check(table)?;
        }
        for table in root.tables("program")? {
            let target = reader.program(&table, &settings.targets)?;
            settings.targets.push(target);
        }
        Ok(settings)
    }
}

impl Reader<'_> {
    fn project(&self, table: Table<'_>, settings: &mut Settings) -> Result<(), InputError> {
        let keys = ["jobs", "html", "sarif", "junit", "baseline", "compile-commands"];
        let table = table.expect(&keys)?;
        let path = |key: &str| Ok(table.text(key)?.map(|it| PathBuf::from(it.value)));
        settings.jobs = table.number("jobs")?;
        settings.html = path("html")?;
        settings.sarif = path("sarif")?;
        settings.junit = path("junit")?;
        settings.baseline = path("baseline")?;
        settings.compile_commands = path("compile-commands")?;
        self.is_there(table.text("compile-commands")?.as_ref())
    }

    /// What is wrong is told here, once, and not by each program.
    fn check(&self, table: Table<'_>) -> Result<Vec<String>, InputError> {
        let keys = [
            "property",
            "timeout",
            "memory-limit",
            "malloc-may-fail",
            "no-signed-overflow",
            "options",
        ];
        let table = table.expect(&keys)?;
        let mut options = Vec::new();
        let property = |text: &str| match specification(Some(text)) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        };
        let time = |text: &str| parse_time(text).map(drop);
        let size = |text: &str| parse_size(text).map(drop);
        let tests: [(&str, Test<'_>); 3] =
            [("property", &property), ("timeout", &time), ("memory-limit", &size)];
        for (key, test) in tests {
            if let Some(text) = table.text(key)? {
                test(&text.value).map_err(|error| self.document.error(text.span, &error))?;
                options.push(format!("--{key}={}", text.value));
            }
        }
        for key in ["malloc-may-fail", "no-signed-overflow"] {
            if table.flag(key)? {
                options.push(format!("--{key}"));
            }
        }
        options.extend(table.texts("options")?.into_iter().map(|it| it.value));
        Ok(options)
    }

    /// A program, or a library whose functions are asked about one by one.
    fn program(&self, table: &Located<Table<'_>>, known: &[Target]) -> Result<Target, InputError> {
        let keys = ["name", "files", "include", "define", "entry", "contract", "options"];
        let Located { value: table, span } = table;
        let table = table.expect(&keys)?;
        let wrong = |span, message: &str| Err(self.document.error(span, message));
        let Some(name) = table.text("name")? else {
            return wrong(span.clone(), "this program has no name");
        };
        if name.value.is_empty() || known.iter().any(|target| target.name == name.value) {
            return wrong(name.span, "every program needs a name of its own");
        }
        let files = table.texts("files")?;
        if files.is_empty() {
            return wrong(name.span, "this program has no files");
        }
        let contract = table.text("contract")?;
        files.iter().chain(&contract).try_for_each(|file| self.is_there(Some(file)))?;
        let texts = |key: &str, before: &str| -> Result<Vec<String>, InputError> {
            let texts = table.texts(key)?.into_iter();
            Ok(texts.map(|text| format!("{before}{}", text.value)).collect())
        };
        let mut options: Vec<String> = files.into_iter().map(|file| file.value).collect();
        options.extend(texts("include", "-I")?);
        options.extend(texts("define", "-D")?);
        options.extend(contract.map(|file| format!("--contract={}", file.value)));
        options.extend(texts("options", "")?);
        let functions = match texts("entry", "")?.as_slice() {
            [] => Functions::Main,
            [all] if all == "all" => Functions::All,
            names => Functions::Named(names.to_vec()),
        };
        Ok(Target { name: name.value, options, functions })
    }

    fn is_there(&self, file: Option<&Located<String>>) -> Result<(), InputError> {
        match file.filter(|file| !self.folder.join(&file.value).exists()) {
            None => Ok(()),
            Some(file) => {
                let message = format!("there is no file {}", file.value);
                Err(self.document.error(file.span.clone(), &message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Settings::parse(text, Path::new(".")).expect_err("it is wrong").to_string()
    }

    #[test]
    fn what_is_set_becomes_options() {
        let text = "[check]\nproperty = \"valid-free\"\ntimeout = \"5s\"\nmalloc-may-fail = true\n\
                    options = [\"--std\", \"gnu89\"]\n[project]\njobs = 0x2\n";
        let settings = Settings::parse(text, Path::new(".")).expect("it is right");
        let expected =
            ["--property=valid-free", "--timeout=5s", "--malloc-may-fail", "--std", "gnu89"];
        assert_eq!(settings.options, expected);
        assert_eq!(settings.jobs, Some(2));
    }

    #[test]
    fn errors_point_at_the_words() {
        let unknown = refused("[check]\ntimout = 5\n");
        assert!(
            unknown.starts_with("error: heapwright.toml:2:1: `timout` is not known"),
            "{unknown}"
        );
        assert!(unknown.ends_with("2 | timout = 5\n  | ^^^^^^"), "{unknown}");
        let time = refused("[check]\ntimeout = \"5 parsecs\"\n");
        assert!(time.starts_with("error: heapwright.toml:2:11: not a time"), "{time}");
        assert!(time.ends_with("  |           ^^^^^^^^^^^"), "{time}");
        let syntax = refused("[check\n");
        assert!(syntax.starts_with("error: heapwright.toml:1:"), "{syntax}");
        let kind = refused("[project]\njobs = \"two\"\n");
        assert!(
            kind.starts_with("error: heapwright.toml:2:8: a number above 0 is expected"),
            "{kind}"
        );
        let list = refused("[check]\noptions = [1]\n");
        assert!(
            list.starts_with("error: heapwright.toml:2:12: a text in quotes is expected"),
            "{list}"
        );
    }

    #[test]
    fn programs_have_names_and_files() {
        let twice = "[[program]]\nname = \"a\"\nfiles = [\"Cargo.toml\"]\n".repeat(2);
        assert!(refused(&twice).contains(":5:8: every program needs a name of its own"));
        let none = refused("[[program]]\nname = \"a\"\nfiles = [\"no.c\"]\n");
        assert!(none.contains(":3:10: there is no file no.c"), "{none}");
        let nameless = refused("[[program]]\nfiles = [\"no.c\"]\n");
        assert!(
            nameless.starts_with("error: heapwright.toml:1:1: this program has no name"),
            "{nameless}"
        );
    }
}
