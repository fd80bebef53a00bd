//! The arguments about what is around the code: who calls it, and what functions do that it only calls.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use heapwright_frontend::{Contract, Entry, External, Globals, InputError};

#[derive(Clone, Debug, Args)]
pub(crate) struct Surroundings {
    /// Call these functions in place of `main`, each with any arguments of its types; `all`: every
    /// function of the files
    #[arg(
        long,
        value_name = "FUNCTION,…|all",
        value_delimiter = ',',
        help_heading = "Callers and missing functions"
    )]
    entry: Vec<String>,

    /// With --entry: what callers promise, a file with `fn NAME { len(a) == n; nonnull(p); … }`
    #[arg(
        long,
        value_name = "FILE",
        requires = "entry",
        help_heading = "Callers and missing functions"
    )]
    contract: Option<PathBuf>,

    /// With --entry: more of what callers promise, `fn f { nonnull(p); }`; may be given several times
    #[arg(
        long = "promise",
        value_name = "CONTRACT",
        requires = "entry",
        help_heading = "Callers and missing functions"
    )]
    promises: Vec<String>,

    /// With --entry: what global variables hold
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        requires = "entry",
        help_heading = "Callers and missing functions"
    )]
    globals: Option<GlobalsWanted>,

    /// Functions without a body may do anything: all (`arbitrary`), or those that a file names, one a
    /// line; otherwise an execution that calls one is not answered for
    #[arg(long, value_name = "arbitrary|FILE", help_heading = "Callers and missing functions")]
    external: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GlobalsWanted {
    /// What they hold when a program starts [default]
    Initialised,
    /// Anything of their types
    Arbitrary,
}

impl GlobalsWanted {
    fn name(self) -> &'static str {
        match self {
            GlobalsWanted::Initialised => "initialised",
            GlobalsWanted::Arbitrary => "arbitrary",
        }
    }
}

impl Surroundings {
    pub(crate) fn names(&self) -> &[String] {
        &self.entry
    }

    /// The function to call in place of `main`.
    pub(crate) fn entry(&self) -> Result<Option<Entry>, InputError> {
        let function = match self.entry.as_slice() {
            [] => return Ok(None),
            [name] if name != "all" => name.clone(),
            _ => {
                return Err(InputError::new(
                    "--entry with several functions is for `check`; name one function",
                ));
            }
        };
        let mut contract = match &self.contract {
            Some(path) => Contract::parse(&path.display().to_string(), &read(path)?)?,
            None => Contract::default(),
        };
        for promise in &self.promises {
            contract.add("--promise", promise)?;
        }
        let globals = match self.globals {
            Some(GlobalsWanted::Arbitrary) => Globals::Arbitrary,
            Some(GlobalsWanted::Initialised) | None => Globals::Initialised,
        };
        Ok(Some(Entry { function, globals, contract }))
    }

    pub(crate) fn external(&self) -> Result<External, InputError> {
        match self.external.as_deref() {
            None => Ok(External::Unknown),
            Some("arbitrary") => Ok(External::Arbitrary),
            Some(file) => {
                let text = read(Path::new(file))?;
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
                let names: BTreeSet<String> = lines
                    .map(|line| line.trim().to_owned())
                    .filter(|line| !line.is_empty())
                    .collect();
                Ok(External::ArbitraryNamed(names))
            }
        }
    }

    /// The same for one function, whose callers promise more.
    pub(crate) fn promising(&self, function: &str, promises: &[String]) -> Surroundings {
        let mut surroundings = self.clone();
        surroundings.entry = vec![function.to_owned()];
        surroundings.promises.extend(promises.iter().cloned());
        surroundings
    }

    /// Whether functions without a body are replaced, which happens in the modelled world alone.
    pub(crate) fn replaces_functions(&self) -> bool {
        self.external.is_some()
    }

    /// The same as options of a command.
    pub(crate) fn options(&self) -> Vec<String> {
        let mut words = Vec::new();
        if !self.entry.is_empty() {
            words.extend(["--entry".to_owned(), self.entry.join(",")]);
        }
        if let Some(path) = &self.contract {
            words.extend(["--contract".to_owned(), path.display().to_string()]);
        }
        for promise in &self.promises {
            words.extend(["--promise".to_owned(), promise.clone()]);
        }
        if let Some(globals) = self.globals {
            words.extend(["--globals".to_owned(), globals.name().to_owned()]);
        }
        if let Some(external) = &self.external {
            words.extend(["--external".to_owned(), external.clone()]);
        }
        words
    }
}

fn read(path: &Path) -> Result<String, InputError> {
    std::fs::read_to_string(path)
        .map_err(|error| InputError::new(format!("cannot read {}: {error}", path.display())))
}
