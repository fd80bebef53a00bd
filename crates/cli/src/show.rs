//! `show`: what the verifier sees of a program, in the form that is asked for.

mod families;
mod invariants;
mod layouts;
mod stats;

use std::process::ExitCode;

use heapwright_engine::Deadline;
use heapwright_frontend::{InputError, World};
use heapwright_program::{FunctionId, Program, draw, print as program_text, print_function};

use crate::arguments::{ShowArguments, ShowFormat};
use crate::exit;
use crate::guard::{Ended, Guard};
use crate::memory::MemoryLimit;
use crate::sources::Input;
use crate::terminal::{Color, complain, print};

/// A text, what is said besides, and the exit code.
struct Shown {
    text: String,
    messages: String,
    exit: u8,
}

pub(crate) fn show(arguments: ShowArguments, _color: Color) -> ExitCode {
    let guard = Guard::install();
    let output = arguments.output.clone();
    let ended =
        guard.supervise((&Deadline::never(), &MemoryLimit::none()), move || shown(&arguments));
    let shown = match ended {
        Ended::Done(Ok(shown)) => shown,
        Ended::Done(Err(error)) => {
            complain(&format!("{error}\n"));
            return ExitCode::from(exit::BAD_INPUT);
        }
        Ended::Failed(bug) => {
            complain(&bug.notice());
            return ExitCode::from(exit::INTERNAL_ERROR);
        }
        Ended::GivenUp => return ExitCode::from(exit::INTERRUPTED),
    };
    complain(&shown.messages);
    match output {
        None => print(&shown.text),
        Some(path) => {
            if let Err(error) = std::fs::write(&path, &shown.text) {
                complain(&format!("error: cannot write {}: {error}\n", path.display()));
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::from(shown.exit)
}

fn shown(arguments: &ShowArguments) -> Result<Shown, InputError> {
    if arguments.format == ShowFormat::Stats {
        return stats::stats(arguments);
    }
    if arguments.format == ShowFormat::Families {
        return families::families(arguments);
    }
    if arguments.invariants || arguments.format == ShowFormat::Invariants {
        return invariants::invariants(arguments);
    }
    let Input { program, messages, harness, .. } = arguments.sources.load_whole(World::Modelled)?;
    if let (Some(harness), ShowFormat::Text, []) =
        (harness, arguments.format, arguments.functions.as_slice())
    {
        let text = format!("#include \"{}\"\n\n{}", harness.file, harness.text);
        return Ok(Shown { text, messages, exit: 0 });
    }
    let program = &program;
    let functions = chosen(program, &arguments.functions)?;
    let text = match arguments.format {
        ShowFormat::Text => text(program, &functions),
        ShowFormat::Dot => dot(program, &functions),
        ShowFormat::Svg => svg(program, &functions)?,
        ShowFormat::Layouts => layouts::layouts(program, arguments.json),
        ShowFormat::Stats | ShowFormat::Invariants | ShowFormat::Families => {
            unreachable!("shown above")
        }
    };
    Ok(Shown { text, messages, exit: 0 })
}

/// The functions of these names.
fn chosen(program: &Program, names: &[String]) -> Result<Vec<FunctionId>, InputError> {
    let find = |name: &String| {
        program.function_named(name).ok_or_else(|| {
            let known: Vec<&str> = program
                .functions
                .iter()
                .filter(|function| function.body.is_some())
                .map(|function| function.name.as_str())
                .collect();
            let known = known.join(", ");
            InputError::new(format!("there is no function `{name}`; there are {known}"))
        })
    };
    names.iter().map(find).collect()
}

fn text(program: &Program, functions: &[FunctionId]) -> String {
    match functions {
        [] => program_text(program),
        _ => joined(functions, |id| print_function(program, id)),
    }
}

fn dot(program: &Program, functions: &[FunctionId]) -> String {
    match functions {
        [] => draw::call_graph_dot(program),
        _ => joined(functions, |id| draw::function_dot(program, id)),
    }
}

fn svg(program: &Program, functions: &[FunctionId]) -> Result<String, InputError> {
    match functions {
        [] => Ok(draw::call_graph_svg(program)),
        [function] => Ok(draw::function_svg(program, *function)),
        _ => Err(InputError::new("an SVG file shows one function; name one with --functions")),
    }
}

fn joined(functions: &[FunctionId], show: impl Fn(FunctionId) -> String) -> String {
    functions.iter().map(|id| show(*id)).collect::<Vec<_>>().join("\n")
}
