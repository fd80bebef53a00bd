//! Where programs come from: the generators, and mutants of programs that there are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use heapwright_engine::Engine;
use heapwright_generators::mutate::mutant;
use heapwright_generators::random::Random;
use heapwright_generators::{Family, program};
use heapwright_program::DataModel;

use crate::ask::{Kind, Wishes, ask, engines};
use crate::subject::{Question, Subject};

/// Files up to this size are changed; larger ones take too long to read.
const LARGEST: u64 = 30_000;

/// The programs of a campaign, by seed.
#[derive(Clone, Debug)]
pub struct Pool {
    families: Vec<Family>,
    /// Names and texts of programs to change.
    originals: Vec<(String, String)>,
    /// In a hundred: how many programs are mutants.
    mutants: usize,
    /// Whether each program is asked about as users do, with the widths of this machine: otherwise
    /// questions and data models differ.
    is_usual: bool,
}

impl Pool {
    /// Programs of these families, and mutants of the C files below these folders; a folder that is
    /// missing gives none.
    pub fn new(families: &[Family], folders: &[PathBuf], mutants: usize) -> io::Result<Pool> {
        let mut files = Vec::new();
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            collect(folder, &mut files)?;
        }
        files.sort();
        let originals = files.iter().map(|file| Ok((short(file), read(file)?)));
        let originals: Vec<_> = originals.collect::<io::Result<_>>()?;
        Ok(Pool { families: families.to_vec(), originals, mutants, is_usual: false })
    }

    /// The same programs, each with the usual question and data model.
    #[must_use]
    pub fn usual(self) -> Pool {
        Pool { is_usual: true, ..self }
    }

    /// Only mutants of programs that some engine proves with so much work. The names of these are
    /// kept in a file, since finding them takes long.
    pub fn of_proved(mut self, share: Duration, names: &Path) -> io::Result<Pool> {
        if let Ok(known) = fs::read_to_string(names) {
            self.originals.retain(|(name, _)| known.lines().any(|line| line == name));
            return Ok(self);
        }
        self.originals.retain(|(name, text)| is_proved(name, text, share));
        let lines: Vec<String> =
            self.originals.iter().map(|(name, _)| format!("{name}\n")).collect();
        fs::write(names, lines.concat())?;
        Ok(self)
    }

    /// Names and texts of the programs that mutants are made of.
    pub fn originals(&self) -> &[(String, String)] {
        &self.originals
    }

    /// The program and the question of a seed.
    pub fn subject(&self, seed: u64) -> Subject {
        let mut random = Random::new(seed ^ 0x5eed_5eed_5eed_5eed);
        let model = if random.percent(15) { DataModel::Ilp32 } else { DataModel::Lp64 };
        let question = Question::draw(&mut random);
        let is_mutant = !self.originals.is_empty()
            && (self.families.is_empty() || random.percent(self.mutants));
        let changed = if is_mutant { self.mutant(&mut random) } else { None };
        let (name, file, text) =
            changed.unwrap_or_else(|| self.generated(seed, model, &mut random));
        match self.is_usual {
            true => Subject { file, ..Subject::usual(&name, &text) },
            false => Subject { name, file, text, model, question },
        }
    }

    fn mutant(&self, random: &mut Random) -> Option<(String, String, String)> {
        let (name, text) = random.pick(&self.originals);
        let mutant = mutant(&text, random)?;
        let file = if name.ends_with(".i") { "mutant.i" } else { "mutant.c" };
        let name = format!("mutants: {name}, {}", mutant.description);
        Some((name, file.to_owned(), mutant.text))
    }

    fn generated(
        &self,
        seed: u64,
        model: DataModel,
        random: &mut Random,
    ) -> (String, String, String) {
        let families = if self.families.is_empty() { &Family::ALL } else { &self.families[..] };
        let family = random.pick(families);
        let widths = match model {
            DataModel::Ilp32 => program::DataModel::Ilp32,
            DataModel::Lp64 => program::DataModel::Lp64,
        };
        (family.name().to_owned(), "program.c".to_owned(), family.source(seed, widths))
    }
}

fn is_proved(name: &str, text: &str, share: Duration) -> bool {
    let subject = Subject::usual(name, text);
    let Ok(Ok(task)) = catch_unwind(AssertUnwindSafe(|| subject.task())) else { return false };
    let wishes = Wishes { share, inputs: false };
    let proves = |engine: &dyn Engine| ask(engine, &task, wishes).kind == Kind::Holds;
    engines(share).iter().any(|engine| proves(engine.as_ref()))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_c = path.extension().is_some_and(|ending| ending == "c" || ending == "i");
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_c && path.metadata()?.len() <= LARGEST {
            files.push(path);
        }
    }
    Ok(())
}

/// The file and the folder it is in.
fn short(path: &Path) -> String {
    let parts: Vec<String> =
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// Text that is not UTF-8 is changed into text that is.
fn read(path: &Path) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}
