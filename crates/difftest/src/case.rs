//! One test case: generate, run both ways, compare; on a mismatch, save and shrink.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::compare::{self, MismatchKind, Outcome, SkipReason};
use crate::csmith::Csmith;
use crate::gcc::{Build, CompileProblem, Gcc, SOURCE_NAME};
use crate::interpreter::Interpreter;
use crate::observation::{Ending, Observation};
use crate::process::Scratch;
use crate::reduce;
use heapwright_generators::arithmetic;
use heapwright_generators::heap;
use heapwright_generators::program::{DataModel, Expectation, GeneratedProgram};

/// The kinds of generated programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Heap,
    Fault,
    Arithmetic,
    Csmith,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 4] = [Mode::Heap, Mode::Fault, Mode::Arithmetic, Mode::Csmith];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Heap => "heap",
            Mode::Fault => "fault",
            Mode::Arithmetic => "arithmetic",
            Mode::Csmith => "csmith",
        }
    }

    /// The mode called `name`.
    pub fn parse(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The program of `seed`, for the modes that need no other tool.
    pub fn generate(self, seed: u64, data_model: DataModel) -> Option<GeneratedProgram> {
        match self {
            Mode::Heap => Some(heap::clean_program(seed, data_model)),
            Mode::Fault => Some(heap::faulty_program(seed, data_model)),
            Mode::Arithmetic => Some(arithmetic::program(seed, data_model)),
            Mode::Csmith => None,
        }
    }

    /// How gcc builds the reference: sanitizers where memory is the point.
    fn build(self) -> Build {
        match self {
            Mode::Heap | Mode::Fault => Build::Sanitized,
            Mode::Arithmetic | Mode::Csmith => Build::Plain,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// What cases are run with.
#[derive(Clone, Debug)]
pub struct Tools {
    pub gcc: Gcc,
    pub data_model: DataModel,
    /// Without an interpreter, only the generators are checked, against gcc.
    pub interpreter: Option<Interpreter>,
    pub csmith: Option<Csmith>,
    /// Programs that may be tried to shrink one mismatch.
    pub reduce_attempts: usize,
}

/// One finished case.
#[derive(Clone, Debug)]
pub struct Case {
    pub mode: Mode,
    pub seed: u64,
    pub outcome: Outcome,
    pub source: String,
    pub native: Option<Observation>,
    pub interpreted: Option<Observation>,
    /// Why there is no native observation, or another word to the reader.
    pub note: String,
}

impl Case {
    fn new(mode: Mode, seed: u64, outcome: Outcome, note: String) -> Case {
        let source = String::new();
        Case { mode, seed, outcome, source, native: None, interpreted: None, note }
    }
}

impl Tools {
    /// Runs the case of `mode` and `seed`; `Err` means that a tool could not be started.
    pub fn run(&self, mode: Mode, seed: u64, scratch: &Scratch) -> io::Result<Case> {
        let program = match self.generate(mode, seed, scratch) {
            Ok(program) => program,
            Err(problem) => {
                let outcome = Outcome::Skipped(SkipReason::ToolMissing);
                return Ok(Case::new(mode, seed, outcome, problem));
            }
        };
        let build = if self.interpreter.is_some() || mode == Mode::Csmith {
            mode.build()
        } else {
            Build::Strict
        };
        let mut case = Case::new(mode, seed, Outcome::Agreement, String::new());
        case.source = program.source.clone();
        match self.reference(mode).observe(&program.source, build, scratch) {
            Ok(native) => case.native = Some(native),
            Err(CompileProblem::Io(error)) => return Err(error),
            Err(problem @ CompileProblem::Refused(_)) => {
                case.note = problem.to_string();
                case.outcome = Outcome::Mismatch(MismatchKind::Generator);
            }
        }
        self.judge(&mut case, program.expectation, scratch)?;
        Ok(case)
    }

    /// Generates the program of `mode` and `seed`.
    pub fn generate(
        &self,
        mode: Mode,
        seed: u64,
        scratch: &Scratch,
    ) -> Result<GeneratedProgram, String> {
        match (mode.generate(seed, self.data_model), &self.csmith) {
            (Some(program), _) => Ok(program),
            (None, Some(csmith)) => csmith.generate(seed, &self.gcc, scratch),
            (None, None) => Err("csmith is not installed".to_owned()),
        }
    }

    /// The gcc for `mode`. Only csmith's programs may run on for ever, so they get less patience.
    fn reference(&self, mode: Mode) -> Gcc {
        let mut gcc = self.gcc.clone();
        if mode == Mode::Csmith {
            gcc.run_limit = Duration::from_secs(2);
        }
        gcc
    }

    fn judge(&self, case: &mut Case, promise: Expectation, scratch: &Scratch) -> io::Result<()> {
        let Some(native) = &case.native else { return Ok(()) };
        case.outcome = compare::check_promise(promise, native);
        if native.ending == Ending::TimedOut && case.mode != Mode::Csmith {
            // Our own generators promise that their programs end.
            case.outcome = Outcome::Mismatch(MismatchKind::Generator);
        }
        if case.outcome != Outcome::Agreement {
            return Ok(());
        }
        match &self.interpreter {
            Some(interpreter) => {
                let interpreted = interpreter.run(&scratch.path(SOURCE_NAME), scratch)?;
                case.outcome = compare::compare(native, &interpreted);
                case.interpreted = Some(interpreted);
            }
            None if promise == Expectation::Clean => {
                // A program that the optimiser changes has undefined behaviour that the
                // sanitizers do not see, such as reading what was never written.
                let optimised = self.gcc.observe(&case.source, Build::Optimised, scratch);
                let is_same = optimised.is_ok_and(|optimised| {
                    optimised.stdout == native.stdout && optimised.ending == native.ending
                });
                if !is_same {
                    case.note = "the optimised program differs".to_owned();
                    case.outcome = Outcome::Mismatch(MismatchKind::Generator);
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Saves a mismatch to a folder of its own in `out`: the program, both observations, and a
    /// smaller program with the same kind of mismatch.
    pub fn save(&self, case: &Case, out: &Path, scratch: &Scratch) -> io::Result<()> {
        let folder = out.join(format!("{}-{}", case.mode, case.seed));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(SOURCE_NAME), &case.source)?;
        fs::write(folder.join("native.txt"), describe(case.native.as_ref()))?;
        fs::write(folder.join("interpreted.txt"), describe(case.interpreted.as_ref()))?;
        let Outcome::Mismatch(kind) = case.outcome else { return Ok(()) };
        let summary = format!("{kind}\nmode {} seed {}\n{}\n", case.mode, case.seed, case.note);
        fs::write(folder.join("mismatch.txt"), summary)?;
        if let Some(interpreter) = &self.interpreter
            && kind != MismatchKind::Generator
        {
            let reduced = self.shrink(case, kind, interpreter, scratch);
            fs::write(folder.join("reduced.c"), reduced)?;
        }
        Ok(())
    }

    /// Leaves out lines while gcc finds nothing wrong and the same kind of mismatch remains.
    fn shrink(
        &self,
        case: &Case,
        kind: MismatchKind,
        interpreter: &Interpreter,
        scratch: &Scratch,
    ) -> String {
        let is_clean = |native: &Observation| matches!(native.ending, Ending::Exit(_));
        let wants_clean = case.native.as_ref().is_some_and(is_clean);
        let mut still_differs = |source: &str| {
            // Strict, since leaving out a line may leave a variable without a value.
            let Ok(native) = self.gcc.observe(source, Build::Strict, scratch) else { return false };
            let is_defined = match native.ending {
                Ending::Exit(_) => wants_clean,
                Ending::Fault { .. } => !wants_clean,
                Ending::Unsupported | Ending::StepLimit | Ending::TimedOut | Ending::Crashed(_) => {
                    false
                }
            };
            is_defined
                && interpreter
                    .run(&scratch.path(SOURCE_NAME), scratch)
                    .is_ok_and(|seen| compare::compare(&native, &seen) == Outcome::Mismatch(kind))
        };
        if !still_differs(&case.source) {
            return case.source.clone();
        }
        reduce::reduce(&case.source, self.reduce_attempts, &mut still_differs)
    }
}

fn describe(observation: Option<&Observation>) -> String {
    let Some(observation) = observation else { return "not run\n".to_owned() };
    let stdout = String::from_utf8_lossy(&observation.stdout);
    format!(
        "ending: {:?}\n--- standard output\n{stdout}--- standard error\n{}",
        observation.ending, observation.stderr
    )
}
