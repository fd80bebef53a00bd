//! The arguments that say what C to read and how, shared by all commands that read some.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use heapwright_frontend::{
    Calls, CompileCommand, Flags, Functions, Harness, InputError, Loaded, Settings, Source,
    Standard, Suggestion, Symbols, World, calls, functions, load, read_compile_commands,
    suggestions, symbols,
};
use heapwright_program::{DataModel, Program, SignedOverflow};

use crate::surroundings::Surroundings;

#[derive(Clone, Debug, Args)]
pub(crate) struct SourceArguments {
    /// C files (.c, or .i if preprocessed; `-` is standard input); several are linked into one program
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// How wide the C types are [default: LP64, or what the compilation database says]
    #[arg(long, value_enum, value_name = "MODEL", ignore_case = true, help_heading = "Reading C")]
    pub(crate) data_model: Option<Model>,

    /// Look for headers in this folder first; may be given several times
    #[arg(short = 'I', value_name = "FOLDER", help_heading = "Reading C")]
    include_folders: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Reading C")]
    defines: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Reading C")]
    undefines: Vec<String>,

    /// Include a file before the first line
    #[arg(long = "include", value_name = "FILE", help_heading = "Reading C")]
    preincludes: Vec<String>,

    /// Take the flags of each file from a compile_commands.json; without FILES, all its files
    #[arg(long, value_name = "FILE", help_heading = "Reading C")]
    compile_commands: Option<PathBuf>,

    /// Preprocess with this compiler (`gcc`, `clang -std=c99`) instead of the built-in preprocessor
    #[arg(long, value_name = "COMMAND", help_heading = "Reading C")]
    cc: Option<String>,

    /// Which C the files are written in: gnu89, c99, c11, gnu17, c23, …
    #[arg(
        long = "std",
        value_name = "VERSION",
        value_parser = standard,
        help_heading = "Reading C"
    )]
    standard: Option<(String, Standard)>,

    #[command(flatten)]
    pub(crate) surroundings: Surroundings,

    /// Show what a compiler would warn about
    #[arg(long, help_heading = "Reading C")]
    warnings: bool,

    /// What becomes of executions that overflow; the question says so, not the command line.
    #[arg(skip)]
    signed_overflow: SignedOverflow,

    /// Nobody asks about assertions, so that none is put in front of calls that a contract speaks of.
    #[arg(skip)]
    ignores_assertions: bool,
}

/// The data models by the names that SV-COMP gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Model {
    /// int, long and pointers of 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// long and pointers of 64 bits
    #[value(name = "LP64")]
    Lp64,
}

impl From<Model> for DataModel {
    fn from(model: Model) -> DataModel {
        match model {
            Model::Ilp32 => DataModel::Ilp32,
            Model::Lp64 => DataModel::Lp64,
        }
    }
}

/// What the front end made of one program.
pub(crate) struct Input {
    pub(crate) program: Program,
    /// The C that calls the function of `--entry`.
    pub(crate) harness: Option<Harness>,
    /// What is taken for granted about callers and missing functions.
    pub(crate) assumptions: Vec<String>,
    /// For standard error; empty unless warnings are wanted.
    pub(crate) messages: String,
    /// As the user calls them.
    pub(crate) files: Vec<String>,
    /// The preprocessor flags of all files, as compilers take them.
    pub(crate) flags: Vec<String>,
}

/// One file read as a program of its own.
pub(crate) struct LoadedAlone {
    pub(crate) name: String,
    pub(crate) loaded: Result<Loaded, InputError>,
}

/// A file with its external names, or why it cannot be read.
pub(crate) type NamedSymbols = (PathBuf, Result<Symbols, InputError>);

impl SourceArguments {
    /// Whether it is said what to read.
    pub(crate) fn names_files(&self) -> bool {
        !self.files.is_empty() || self.compile_commands.is_some()
    }

    /// The same files, read with another view of signed overflow.
    pub(crate) fn with_overflow(&self, signed_overflow: SignedOverflow) -> SourceArguments {
        SourceArguments { signed_overflow, ..self.clone() }
    }

    /// The same files, for a question that asks about assertions or does not.
    pub(crate) fn with_assertions(&self, are_asked: bool) -> SourceArguments {
        SourceArguments { ignores_assertions: !are_asked, ..self.clone() }
    }

    /// Reads and links all files, as far as the program may come.
    pub(crate) fn load(&self, world: World) -> Result<Input, InputError> {
        self.load_changed(world, &|_| Ok(()))
    }

    /// The same with the functions that the program never calls.
    pub(crate) fn load_whole(&self, world: World) -> Result<Input, InputError> {
        self.load_functions(world, Functions::All, &|_| Ok(()))
    }

    /// What the program may come to, with the text of each file changed before it is read as C.
    pub(crate) fn load_changed(
        &self,
        world: World,
        change: &dyn Fn(&mut Source) -> Result<(), InputError>,
    ) -> Result<Input, InputError> {
        self.load_functions(world, Functions::Reached, change)
    }

    fn load_functions(
        &self,
        world: World,
        functions: Functions,
        change: &dyn Fn(&mut Source) -> Result<(), InputError>,
    ) -> Result<Input, InputError> {
        let commands = self.commands()?;
        let files: Vec<String> =
            commands.iter().map(|command| command.file.display().to_string()).collect();
        let flags = compiler_flags(&commands);
        let mut entry = self.surroundings.entry()?;
        if let Some(entry) = entry.as_mut().filter(|_| self.ignores_assertions) {
            entry.contract = entry.contract.clone().about(&entry.function);
        }
        let external = self.surroundings.external()?;
        let settings = Settings { world, entry, external, functions, ..self.settings(&commands)? };
        let mut sources = read_all(commands, &settings)?;
        sources.iter_mut().try_for_each(change)?;
        let Loaded { program, warnings, harness, assumptions } = load(&sources, &settings)?;
        let shown = warnings.iter().filter(|_| self.warnings);
        let messages = shown.map(|warning| format!("{warning}\n")).collect();
        Ok(Input { program, harness, assumptions, messages, files, flags })
    }

    /// The functions to ask about, one after the other, where there are several.
    pub(crate) fn entries(&self) -> Result<Option<Vec<String>>, InputError> {
        match self.surroundings.names() {
            [] => Ok(None),
            [all] if all == "all" => {
                let commands = self.commands()?;
                let settings = self.settings(&commands)?;
                functions(&read_all(commands, &settings)?, &settings).map(Some)
            }
            [_] => Ok(None),
            names => Ok(Some(names.to_vec())),
        }
    }

    /// The same files with one function as entry, whose callers promise more.
    pub(crate) fn promising(&self, function: &str, promises: &[String]) -> SourceArguments {
        let surroundings = self.surroundings.promising(function, promises);
        SourceArguments { surroundings, ..self.clone() }
    }

    /// Which function may call which, callees first.
    pub(crate) fn calls(&self) -> Result<Vec<Calls>, InputError> {
        let commands = self.commands()?;
        let settings = self.settings(&commands)?;
        calls(&read_all(commands, &settings)?, &settings)
    }

    /// What callers of a function may have to promise, as guesses, where this much is known of its callees.
    pub(crate) fn suggestions(
        &self,
        function: &str,
        known: &[String],
    ) -> Result<Vec<Suggestion>, InputError> {
        let commands = self.commands()?;
        let entry = self.promising(function, known).surroundings.entry()?;
        let settings = Settings { entry, ..self.settings(&commands)? };
        suggestions(&read_all(commands, &settings)?, &settings, function)
    }

    /// Reads each file as a program of its own.
    pub(crate) fn load_each(&self) -> Result<Vec<LoadedAlone>, InputError> {
        let load_one = |command: CompileCommand| {
            let name = command.file.display().to_string();
            let commands = vec![command];
            let loaded = self.settings(&commands).and_then(|settings| {
                let settings = Settings { world: World::Modelled, ..settings };
                let sources = read_all(commands, &settings)?;
                load(&sources, &settings)
            });
            LoadedAlone { name, loaded }
        };
        Ok(self.commands()?.into_iter().map(load_one).collect())
    }

    /// The files, those of a database among them.
    pub(crate) fn names(&self) -> Result<Vec<PathBuf>, InputError> {
        Ok(self.commands()?.into_iter().map(|command| command.file).collect())
    }

    /// The external names of each file.
    pub(crate) fn symbols_each(&self) -> Result<Vec<NamedSymbols>, InputError> {
        let read = |command: CompileCommand| {
            let file = command.file.clone();
            let symbols = self.settings(std::slice::from_ref(&command)).and_then(|settings| {
                symbols(&Source::read(&command.file, command.flags, &settings)?, &settings)
            });
            (file, symbols)
        };
        Ok(self.commands()?.into_iter().map(read).collect())
    }

    /// The options that another command needs to read the same program.
    pub(crate) fn options(&self, model: DataModel) -> Vec<String> {
        let mut words = Vec::new();
        if model != DataModel::default() {
            words.extend(["--data-model".to_owned(), model.name().to_owned()]);
        }
        for folder in &self.include_folders {
            words.extend(["-I".to_owned(), folder.display().to_string()]);
        }
        words.extend(self.defines.iter().flat_map(|text| ["-D".to_owned(), text.clone()]));
        words.extend(self.undefines.iter().flat_map(|text| ["-U".to_owned(), text.clone()]));
        words.extend(
            self.preincludes.iter().flat_map(|text| ["--include".to_owned(), text.clone()]),
        );
        if let Some(path) = &self.compile_commands {
            words.extend(["--compile-commands".to_owned(), path.display().to_string()]);
        }
        if let Some(compiler) = &self.cc {
            words.extend(["--cc".to_owned(), compiler.clone()]);
        }
        if let Some((name, _)) = &self.standard {
            words.extend(["--std".to_owned(), name.clone()]);
        }
        words.extend(self.surroundings.options());
        words
    }

    /// The files with all their flags; those of the command line come first.
    fn commands(&self) -> Result<Vec<CompileCommand>, InputError> {
        let database = match &self.compile_commands {
            Some(path) => read_compile_commands(path)?,
            None => Vec::new(),
        };
        let found: Vec<CompileCommand> = match (self.files.as_slice(), &self.compile_commands) {
            ([], _) => database.into_iter().map(with_short_name).collect(),
            (files, None) => files.iter().map(|file| bare_command(file)).collect(),
            (files, Some(path)) => {
                files.iter().map(|file| look_up(&database, file, path)).collect::<Result<_, _>>()?
            }
        };
        Ok(found.into_iter().map(|command| self.with_own_flags(command)).collect())
    }

    fn with_own_flags(&self, command: CompileCommand) -> CompileCommand {
        let theirs = command.flags;
        let flags = Flags {
            include_folders: [self.include_folders.clone(), theirs.include_folders].concat(),
            defines: [theirs.defines, self.defines.clone()].concat(),
            undefines: [theirs.undefines, self.undefines.clone()].concat(),
            preincludes: [theirs.preincludes, self.preincludes.clone()].concat(),
        };
        CompileCommand { flags, ..command }
    }

    /// What the database says about the data model counts more than the command line, because it is
    /// how the program is built.
    fn settings(&self, commands: &[CompileCommand]) -> Result<Settings, InputError> {
        let mut models: Vec<DataModel> =
            commands.iter().filter_map(|command| command.model).collect();
        models.dedup();
        let given = self.data_model.map_or(DataModel::default(), DataModel::from);
        let model = match models.as_slice() {
            [] => given,
            [model] => *model,
            _ => {
                return Err(InputError::new(
                    "the compilation database compiles some of these files with -m32 and some \
                     with -m64, which cannot be linked; name the FILES of one program",
                ));
            }
        };
        let standard = self.standard.as_ref().map(|(_, standard)| *standard).unwrap_or_default();
        let (preprocess_with, signed_overflow) = (self.cc.clone(), self.signed_overflow);
        Ok(Settings { preprocess_with, standard, signed_overflow, ..Settings::new(model) })
    }
}

fn standard(name: &str) -> Result<(String, Standard), String> {
    let standard = Standard::named(name);
    let standard = standard.ok_or("not a version of C: gnu89, c99, c11, c17, c23")?;
    Ok((name.to_owned(), standard))
}

/// The flags of all files, each once.
fn compiler_flags(commands: &[CompileCommand]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for flags in commands.iter().map(|command| &command.flags) {
        let folders = flags.include_folders.iter().map(|folder| format!("-I{}", folder.display()));
        let defines = flags.defines.iter().map(|text| format!("-D{text}"));
        let undefines = flags.undefines.iter().map(|text| format!("-U{text}"));
        for word in folders.chain(defines).chain(undefines) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        for file in &flags.preincludes {
            words.extend(["-include".to_owned(), file.clone()]);
        }
    }
    words
}

fn read_all(commands: Vec<CompileCommand>, settings: &Settings) -> Result<Vec<Source>, InputError> {
    let read = |command: CompileCommand| Source::read(&command.file, command.flags, settings);
    commands.into_iter().map(read).collect()
}

fn bare_command(file: &Path) -> CompileCommand {
    CompileCommand { file: file.to_owned(), flags: Flags::default(), model: None }
}

/// The entry of a file, under the name that the user gave it.
fn look_up(
    database: &[CompileCommand],
    file: &Path,
    path: &Path,
) -> Result<CompileCommand, InputError> {
    let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let wanted = resolved(file);
    let entry = database.iter().find(|command| resolved(&command.file) == wanted);
    match entry {
        Some(command) => Ok(CompileCommand { file: file.to_owned(), ..command.clone() }),
        None => Err(InputError::new(format!(
            "{} is not in {}; build it once with the build system that writes this file, or leave \
             out --compile-commands",
            file.display(),
            path.display()
        ))),
    }
}

/// Names files below the current folder as a user would.
fn with_short_name(command: CompileCommand) -> CompileCommand {
    let here = std::env::current_dir().ok();
    let short = here.and_then(|here| command.file.strip_prefix(here).ok().map(Path::to_owned));
    let short = short.unwrap_or_else(|| command.file.clone());
    let file = short.strip_prefix(".").map_or(short.clone(), Path::to_owned);
    CompileCommand { file, ..command }
}
