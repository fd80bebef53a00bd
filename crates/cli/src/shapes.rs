//! Shape classes on the command line: files of the user's, the lattice, and `shape-refinement`, which runs the
//! engine `three-valued` on programs in three ways and prints what each costs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use heapwright_engine::{Deadline, Task, processor_time};
use heapwright_engine_three_valued::{
    Choice, ClassInUse, Classes, Costs, Outcome, Rates, Refined, ThreeValuedEngine, rates,
    refine_shapes,
};
use heapwright_frontend::{InputError, Settings, Source, World, load};
use heapwright_pictures::structure_svg;
use heapwright_three_valued::class::Library;

use crate::arguments::parse_time;
use crate::exit;
use crate::question::specification;
use crate::sources::Model;
use crate::terminal::{complain, print};

/// The built-in classes with those of a file.
pub(crate) fn library(file: Option<&Path>) -> Result<Library, InputError> {
    let mut library = Library::built_in();
    let Some(path) = file else { return Ok(library) };
    let name = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| InputError::new(format!("--shape-classes: {name}: {error}")))?;
    library.load(&name, &text).map_err(|error| InputError::new(error.told(&name, &text)))?;
    Ok(library)
}

/// The same, to be read when they are needed where there is no file that may be wrong.
pub(crate) fn classes(file: Option<&Path>) -> Result<Classes, InputError> {
    match file {
        None => Ok(Classes::default()),
        Some(_) => library(file).map(Classes::from),
    }
}

pub(crate) fn show_classes(file: Option<&Path>) -> ExitCode {
    match library(file) {
        Ok(library) => {
            print(&library.lattice());
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(&format!("{error}\n"));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ShapeRefinementArguments {
    /// C files, each a program of its own, and folders of them
    #[arg(value_name = "TASKS", required = true)]
    tasks: Vec<PathBuf>,

    /// What to ask: a property file of SV-COMP, or a name
    #[arg(long, value_name = "FILE.prp|NAME", default_value = "unreach-call")]
    property: String,

    /// How wide the C types are
    #[arg(long, value_enum, value_name = "MODEL", ignore_case = true, default_value = "LP64")]
    data_model: Model,

    /// Further shape classes
    #[arg(long, value_name = "FILE")]
    shape_classes: Option<PathBuf>,

    /// Draw the structures of each proof into this folder, a file for each
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,

    /// Print how fast explorations are instead, and what part of their time each phase takes
    #[arg(long)]
    rates: bool,

    /// Time for each way of each program
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "15s")]
    timeout: Duration,
}

const HEAD: &str = "\
| program | class | families | pointers | classes | largest s | given s | samples s | structures | of the last round | kept | structures/s | statements/s | explore, tune, run, sample, check % |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

const RATES_HEAD: &str = "\
| program | structures | structures/s | fastest | statements | statements/s | focus, coerce, update, blur, rest % |
| --- | --- | --- | --- | --- | --- | --- |
";

/// Processor time that explorations of one program are repeated for.
const RATES_TIME: Duration = Duration::from_millis(400);

pub(crate) fn shape_refinement(arguments: &ShapeRefinementArguments) -> ExitCode {
    match table(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error}\n"));
            ExitCode::from(exit::BAD_INPUT)
        }
    }
}

fn table(arguments: &ShapeRefinementArguments) -> Result<(), InputError> {
    let library = library(arguments.shape_classes.as_deref())?;
    print(if arguments.rates { RATES_HEAD } else { HEAD });
    for file in files(&arguments.tasks)? {
        let text = fs::read_to_string(&file)
            .map_err(|error| InputError::new(format!("{}: {error}", file.display())))?;
        let source = Source::new(file.display().to_string(), text);
        let settings =
            Settings { world: World::Modelled, ..Settings::new(arguments.data_model.into()) };
        let program = load(&[source], &settings)?.program;
        let task = Task::new(program, specification(Some(&arguments.property))?, false);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if arguments.rates {
            print(&rates_row(&name, &task, &library, arguments.timeout));
            continue;
        }
        let samples = try_choice(&task, &library, Choice::Samples, arguments.timeout);
        print(&row(&name, &task, &library, (&samples, arguments.timeout)));
        if let (Some(folder), Some(text)) = (&arguments.pictures, &samples.refined.certificate) {
            draw(folder, &name, text)
                .map_err(|error| InputError::new(format!("--pictures: {error}")))?;
        }
    }
    Ok(())
}

/// How fast explorations of a program are that is proved.
fn rates_row(name: &str, task: &Task, library: &Library, time: Duration) -> String {
    let engine =
        ThreeValuedEngine { library: library.clone().into(), ..ThreeValuedEngine::default() };
    let Some(rates) = rates(task, &engine, RATES_TIME, &Deadline::after(time)) else {
        return format!("| {name} | - | - | - | - | - | - |\n");
    };
    let Rates { structures, fastest, statements, made, led, shares } = rates;
    let rest = 1.0 - shares.iter().sum::<f64>();
    let shares = shares.iter().chain([&rest]).map(|share| format!("{:.0}", 100.0 * share));
    let shares = shares.collect::<Vec<_>>().join(", ");
    format!(
        "| {name} | {made} | {structures:.0} | {fastest:.0} | {led} | {statements:.0} | {shares} |\n"
    )
}

/// The C files that are meant, those of a folder in their order.
fn files(tasks: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut found = Vec::new();
    for task in tasks {
        if !task.is_dir() {
            found.push(task.clone());
            continue;
        }
        let entries = fs::read_dir(task)
            .map_err(|error| InputError::new(format!("{}: {error}", task.display())))?;
        let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        inside.retain(|path| path.extension().is_some_and(|it| it == "c"));
        inside.sort();
        found.extend(inside);
    }
    Ok(found)
}

/// A way to choose the class, with the processor time that it took.
struct Tried {
    refined: Refined,
    seconds: f64,
}

fn try_choice(task: &Task, library: &Library, choice: Choice, time: Duration) -> Tried {
    let engine = ThreeValuedEngine {
        library: library.clone().into(),
        choice,
        ..ThreeValuedEngine::default()
    };
    let deadline = Deadline::after(time);
    let (begun, start) = (processor_time(), Instant::now());
    let refined = refine_shapes(task, &engine, &deadline);
    let used = processor_time().zip(begun).map(|(end, begun)| end.saturating_sub(begun));
    Tried { refined, seconds: used.unwrap_or_else(|| start.elapsed()).as_secs_f64() }
}

/// The names of the links that a certificate is about.
pub(crate) fn links(certificate: &str) -> Vec<&str> {
    let rest = certificate.lines().filter_map(|line| line.strip_prefix("link "));
    rest.filter_map(|rest| rest.split(' ').next()).collect()
}

/// The texts of its structures.
pub(crate) fn heaps(certificate: &str) -> impl Iterator<Item = &str> {
    certificate.split("\nheap\n").skip(1).filter_map(|text| text.split("\nend").next())
}

/// Writes a picture for each structure of a certificate.
fn draw(folder: &Path, name: &str, certificate: &str) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let links = links(certificate);
    for (number, heap) in heaps(certificate).enumerate() {
        if let Some(svg) = structure_svg(heap, &links) {
            fs::write(folder.join(format!("{name}-{}.svg", number + 1)), svg)?;
        }
    }
    Ok(())
}

fn row(name: &str, task: &Task, library: &Library, (samples, time): (&Tried, Duration)) -> String {
    let largest = try_choice(task, library, Choice::Largest, time);
    let given = samples.refined.class.as_ref().map(|found| {
        let ClassInUse { name, offsets, .. } = found.clone();
        try_choice(task, library, Choice::Given { class: name, offsets }, time)
    });
    let class = samples.refined.class.as_ref();
    let title = class.map_or("none", |class| class.title.as_str());
    let families =
        class.map_or(String::new(), |it| format!("{}/{}", it.families.len(), it.most_families));
    let (pointers, classes) = samples.refined.diary.counts();
    let costs = &samples.refined.costs;
    let Costs { structures, last_structures, kept, .. } = costs;
    let rate = |count: u64| count as f64 / costs.exploring.as_secs_f64().max(1e-9);
    let (rate, statements) = (rate(costs.structures), rate(costs.steps));
    let shares = shares(costs);
    let given = given.as_ref().map_or("-".to_owned(), cell);
    let (largest, samples) = (cell(&largest), cell(samples));
    format!(
        "| {name} | {title} | {families} | {pointers} | {classes} | {largest} | {given} | {samples} | \
         {structures} | {last_structures} | {kept} | {rate:.0} | {statements:.0} | {shares} |\n"
    )
}

/// How much of the time each part of the work takes, in percent.
fn shares(costs: &Costs) -> String {
    let parts = [costs.exploring, costs.tuning, costs.running, costs.sampling, costs.checking];
    let whole = parts.iter().sum::<Duration>().as_secs_f64().max(1e-9);
    let share = |part: &Duration| format!("{:.0}", 100.0 * part.as_secs_f64() / whole);
    parts.iter().map(share).collect::<Vec<_>>().join(", ")
}

/// The time of a way, with what came out unless it is a proof that its check accepts.
fn cell(tried: &Tried) -> String {
    let seconds = tried.seconds;
    match &tried.refined.outcome {
        Outcome::Proved { is_checked: true } => format!("{seconds:.2}"),
        Outcome::Proved { is_checked: false } => format!("{seconds:.2} unchecked"),
        Outcome::Refuted => format!("{seconds:.2} bug"),
        Outcome::Open(_) => format!("{seconds:.2} unknown"),
    }
}
