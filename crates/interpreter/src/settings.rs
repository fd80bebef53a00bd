//! Settings: what a run may use and what it is asked to look for.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::inputs::Inputs;

/// How a program is compiled; part of [`Settings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileSettings {
    /// Calls of these functions are faults, whether they have a body or not.
    pub error_functions: Vec<String>,
    /// Keep every location, so that a step never goes through two of them; a little slower.
    pub keep_locations: bool,
    /// Have an instruction wherever an address becomes a number or is ordered; a little slower.
    pub mark_addresses: bool,
}

impl Default for CompileSettings {
    fn default() -> CompileSettings {
        let error_functions = ["reach_error", "__VERIFIER_error"].map(str::to_owned).to_vec();
        CompileSettings { error_functions, keep_locations: false, mark_addresses: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub steps: u64,
    /// Bytes of all blocks.
    pub memory: u64,
    /// Calls that are active at a time; one more is a fault of the program.
    pub frames: usize,
    /// Bytes of local objects and alloca'd memory at a time; one more is a fault of the program.
    pub stack: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: u64::MAX, memory: 1 << 30, frames: 200_000, stack: 64 << 20 }
    }
}

/// When to look for lost blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndCheck {
    /// At the end: live heap blocks that nothing points to (valid-memtrack).
    pub memtrack: bool,
    /// At the end: live heap blocks (valid-memcleanup).
    pub memcleanup: bool,
    /// Look for lost blocks also after this many steps, and then in intervals that double, and end
    /// the run with a fault when there are some: for programs that do not end.
    pub periodic: Option<u64>,
}

impl Default for EndCheck {
    fn default() -> EndCheck {
        EndCheck { memtrack: true, memcleanup: true, periodic: None }
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub compile: CompileSettings,
    pub limits: Limits,
    pub end_check: EndCheck,
    /// What the program is called and given as arguments.
    pub arguments: Vec<String>,
    /// Ask the inputs at each allocation whether it fails.
    pub malloc_may_fail: bool,
    /// Keep every input that is drawn.
    pub record_inputs: bool,
    /// Keep this many of the last decisions and calls; slower when it is not 0.
    pub trace: usize,
    /// End the run where something decides that another execution may have otherwise, and report it; much
    /// slower, and right only with `mark_addresses`.
    pub follow_course: bool,
    /// Keep this many notes.
    pub notes: usize,
    /// The run ends soon after this becomes true.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            compile: CompileSettings::default(),
            limits: Limits::default(),
            end_check: EndCheck::default(),
            arguments: vec!["program".to_owned()],
            malloc_may_fail: false,
            record_inputs: true,
            trace: 0,
            follow_course: false,
            notes: 64,
            cancelled: None,
        }
    }
}

/// What a run is connected to.
#[allow(missing_debug_implementations, reason = "sinks and sources have nothing to show")]
pub struct Environment<'e> {
    pub inputs: Box<dyn Inputs + 'e>,
    pub output: Box<dyn Write + 'e>,
    pub error_output: Box<dyn Write + 'e>,
}

impl<'e> Environment<'e> {
    /// Inputs from there, output to nowhere.
    #[must_use]
    pub fn silent(inputs: impl Inputs + 'e) -> Environment<'e> {
        Environment {
            inputs: Box::new(inputs),
            output: Box::new(io::sink()),
            error_output: Box::new(io::sink()),
        }
    }

    /// The same with the program's standard output going to `output`.
    #[must_use]
    pub fn with_output(mut self, output: impl Write + 'e) -> Environment<'e> {
        self.output = Box::new(output);
        self
    }

    /// The same with the program's standard error going to `output`.
    #[must_use]
    pub fn with_error_output(mut self, output: impl Write + 'e) -> Environment<'e> {
        self.error_output = Box::new(output);
        self
    }
}
