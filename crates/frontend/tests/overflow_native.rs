//! Random signed arithmetic, compiled with the sanitizers of gcc and run by the interpreter: both must
//! see an overflow, or neither. The lowering puts the branches that tell of it, and no check of proofs
//! can see what it leaves out.
#![allow(clippy::print_stderr, reason = "a test that skips itself must say so")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use heapwright_frontend::{Settings, Source, load};
use heapwright_generators::random::Random;
use heapwright_interpreter::{Environment, ListedInputs, Outcome, run};
use heapwright_program::{DataModel, SignedOverflow};

const TYPES: [&str; 11] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
];

/// One function without undefined behaviour other than overflow.
fn case(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let mut text = String::new();
    for name in ["a", "b", "c"] {
        let (ty, value) = (random.pick(&TYPES), number(random));
        writeln!(text, "{ty} {name} = {value};").expect("a string takes everything");
    }
    for (ty, name) in [("int", "d"), ("long long", "e")] {
        writeln!(text, "{ty} {name} = {};", number(random)).expect("a string takes everything");
    }
    text += "struct { int b : 5; unsigned u : 9; } s = {3, 500};\n";
    for _ in 0..random.between(3, 6) {
        let target = random.pick(&["a", "b", "c", "d", "e", "s.b", "s.u"]);
        let operator = random.pick(&["+", "-", "*"]);
        let statement = match random.below(7) {
            0 => format!("{target}++;"),
            1 => format!("--{target};"),
            2 => format!("e {operator}= {};", operand(random)),
            3 => format!("d {operator}= {};", random.pick(&["d", "3", "-1", "s.b", "65536"])),
            4 => {
                let (left, right) = (whole(&sum(random, 1)), whole(&sum(random, 1)));
                format!("if ({left} > 0 && {right} < 9) c = 1;")
            }
            _ => format!("{target} = {};", whole(&sum(random, 2))),
        };
        text += &statement;
        text += "\n";
    }
    text
}

/// Numbers at the limits of types, mostly.
fn number(random: &mut Random) -> String {
    let limits = [
        "0",
        "1",
        "-1",
        "2",
        "7",
        "-128",
        "127",
        "255",
        "-32768",
        "32767",
        "46340",
        "46341",
        "65535",
        "65536",
        "1073741824",
        "2147483647",
        "-2147483647 - 1",
        "2147483648",
        "-46341",
        "3037000499",
        "3037000500",
        "4294967295",
        "4611686018427387904",
        "9223372036854775807",
        "-9223372036854775807 - 1",
    ];
    random.pick(&limits).to_owned()
}

fn operand(random: &mut Random) -> String {
    match random.below(8) {
        0 => format!("({})", number(random)),
        1 => "s.b".to_owned(),
        2 => "s.u".to_owned(),
        _ => variable(random),
    }
}

fn variable(random: &mut Random) -> String {
    random.pick(&["a", "b", "c", "d", "e"]).to_owned()
}

/// A value that is computed before it is compared or converted: gcc computes only what is left after a
/// conversion to a narrower type, and takes sums apart that are compared with a constant.
fn whole(text: &str) -> String {
    format!("({{ __typeof__(+({text})) whole = {text}; whole; }})")
}

fn sum(random: &mut Random, depth: usize) -> String {
    let left = if depth == 1 { operand(random) } else { whole(&sum(random, depth - 1)) };
    // Two constants are put together by the compiler, which does not trap.
    let right = if depth == 1 { variable(random) } else { whole(&sum(random, depth - 1)) };
    match random.below(10) {
        0 => format!("(-{right})"),
        1 => format!("({} ? {right} : {})", whole(&left), operand(random)),
        2 => format!("(({}) {})", random.pick(&TYPES), whole(&left)),
        // A divisor of zero is no overflow.
        3 => format!("({} == 0 ? 0 : {left} / ({right}))", whole(&right)),
        4 => format!("({} == 0 ? 0 : {left} % ({right}))", whole(&right)),
        // Sanitizers complain about negative numbers that are shifted, and about all large counts.
        5 => format!("({} < 0 ? 0 : ({left}) << ({} & 31))", whole(&left), whole(&right)),
        _ => format!("({left} {} {right})", random.pick(&["+", "-", "*", "+", "-"])),
    }
}

fn interpreter_overflows(body: &str, model: DataModel) -> bool {
    let text = format!("int main(void) {{\n{body}return 0;\n}}\n");
    let signed_overflow = SignedOverflow::Fails;
    let settings = Settings { signed_overflow, ..Settings::new(model) };
    let loaded = load(&[Source::new("case.c", text.as_str())], &settings);
    let program = loaded.unwrap_or_else(|error| panic!("{error}\n{text}")).program;
    let environment = Environment::silent(ListedInputs::new(Vec::new()));
    match run(&program, &Default::default(), environment).outcome {
        Outcome::Exited(0) => false,
        Outcome::Fault(fault) if fault.kind.name() == "signed-overflow" => true,
        other => panic!("{other:?}\n{text}"),
    }
}

/// All cases in one program, which runs the one that it is told; `None` without a compiler.
fn compiled(bodies: &[String], model: DataModel, start: u64) -> Option<PathBuf> {
    let name = format!("heapwright-overflow-{}-{start}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (source, program) = (folder.join("cases.c"), folder.join("cases"));
    let mut text = "int atoi(const char *);\n".to_owned();
    for (index, body) in bodies.iter().enumerate() {
        writeln!(text, "static void case{index}(void) {{\n{body}}}").expect("a string");
    }
    text += "int main(int argc, char **argv) {\nswitch (atoi(argv[1])) {\n";
    for index in 0..bodies.len() {
        writeln!(text, "case {index}: case{index}(); break;").expect("a string");
    }
    std::fs::write(&source, text + "}\nreturn 0;\n}\n").expect("the folder can be written");
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let sanitizers = "-fsanitize=signed-integer-overflow,shift";
    let output = Command::new("gcc")
        .args([width, "-w", "-O0", "-std=gnu11", sanitizers, "-fsanitize-undefined-trap-on-error"])
        .args([&source])
        .arg("-o")
        .arg(&program)
        .output();
    match output {
        Ok(output) if output.status.success() => Some(program),
        Ok(output) => {
            let reason = String::from_utf8_lossy(&output.stderr);
            assert!(!reason.contains("cases.c:"), "a case is no C: {reason}");
            eprintln!("skipped: gcc {width} cannot compile with sanitizers: {reason}");
            None
        }
        Err(error) => {
            eprintln!("skipped: there is no gcc: {error}");
            None
        }
    }
}

fn compare(model: DataModel, seeds: std::ops::Range<u64>) {
    let start = seeds.start;
    let bodies: Vec<String> = seeds.map(case).collect();
    let Some(program) = compiled(&bodies, model, start) else { return };
    let mut overflowing = 0;
    for (index, body) in bodies.iter().enumerate() {
        let status = Command::new(&program).arg(index.to_string()).status().expect("it runs");
        let traps = !status.success();
        assert_eq!(interpreter_overflows(body, model), traps, "{}: {body}", model.name());
        overflowing += usize::from(traps);
    }
    std::fs::remove_dir_all(program.parent().expect("it is in a folder")).expect("it is ours");
    eprintln!("{}: {overflowing} of {} cases overflow", model.name(), bodies.len());
    let share = overflowing * 100 / bodies.len();
    assert!((20..=80).contains(&share), "{share} % say little");
}

#[test]
fn the_interpreter_overflows_where_sanitizers_trap() {
    compare(DataModel::Lp64, 0..300);
}

#[test]
fn the_interpreter_overflows_where_sanitizers_trap_with_a_long_of_32_bits() {
    compare(DataModel::Ilp32, 300..450);
}

#[test]
#[ignore = "takes minutes"]
fn many_more_cases_agree() {
    for start in (1_000..7_000).step_by(500) {
        compare(DataModel::Lp64, start..start + 500);
    }
}
