//! Library functions: what programs print, and what happens when they print what they must not.

mod common;

use common::{Builder, INT, PTR};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, Settings, run};
use heapwright_memory::FaultKind;
use heapwright_program::{
    DataModel, ExpressionId, FloatFormat, FunctionId, ObjectKind, Operation, ScalarType,
};

const LONG: ScalarType = ScalarType::Integer { signed: true, width: 64 };
const DOUBLE: ScalarType = ScalarType::Float(FloatFormat::Double);

fn string(b: &mut Builder, text: &str) -> ExpressionId {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let size = bytes.len() as u64;
    let object = b.object("text", Some(size), ObjectKind::String { bytes });
    b.address(object)
}

fn double(b: &mut Builder, number: f64) -> ExpressionId {
    b.constant(DOUBLE, i128::from(number.to_bits()))
}

/// A program that calls `printf` with these arguments, and its output.
fn printed(format: &str, arguments: impl Fn(&mut Builder) -> Vec<ExpressionId>) -> String {
    let mut b = Builder::new(DataModel::Lp64);
    let printf = b.external("printf", Some(INT));
    b.function("main", &[], Some(INT));
    let mut all = vec![string(&mut b, format)];
    all.extend(arguments(&mut b));
    b.call(None, printf, &all);
    b.ret_int(0);
    let (report, output) = b.run_printing();
    assert_eq!(report.outcome, Outcome::Exited(0));
    assert_eq!(report.output_bytes, output.len() as u64);
    output
}

#[test]
fn integers_are_printed_in_every_length() {
    let text = printed("%d|%5d|%-5d|%05d|%+d|%u|%x|%#X|%o|%%|%c", |b| {
        let numbers = [-1, 42, 42, 42, 42, -1, 255, 255, 8, 65];
        numbers.into_iter().map(|number| b.int(number)).collect()
    });
    assert_eq!(text, "-1|   42|42   |00042|+42|4294967295|ff|0XFF|10|%|A");
    let text = printed("%ld %lld %zu %jd %td %hd %hhd %hhu %*d %.*d", |b| {
        let mut all: Vec<_> =
            [-1, i64::MIN, -1, 5, -6].map(|n| b.constant(LONG, n.into())).to_vec();
        all.extend([65537, 257, -1, 4, 7, 3, 7].map(|number| b.int(number)));
        all
    });
    let expected = "-1 -9223372036854775808 18446744073709551615 5 -6 1 1 255    7 007";
    assert_eq!(text, expected);
}

#[test]
fn strings_floats_and_pointers_are_printed() {
    let text = printed("%s|%8s|%-4s|%.2s|%p", |b| {
        let mut all: Vec<_> = ["one", "two", "x", "three"].map(|text| string(b, text)).to_vec();
        all.push(b.constant(PTR, 0));
        all
    });
    assert_eq!(text, "one|     two|x   |th|(nil)");
    let text = printed("%f %.2f %e %g %8.3f %g", |b| {
        [1.5, 2.675, 12345.678, 0.1, -3.14259, 1e100].map(|number| double(b, number)).to_vec()
    });
    assert_eq!(text, "1.500000 2.67 1.234568e+04 0.1   -3.143 1e+100");
}

fn fault_of(build: impl Fn(&mut Builder, FunctionId)) -> Option<FaultKind> {
    let mut b = Builder::new(DataModel::Lp64);
    let printf = b.external("printf", Some(INT));
    b.function("main", &[], Some(INT));
    build(&mut b, printf);
    b.ret_int(0);
    b.run().fault().map(|fault| fault.kind)
}

#[test]
fn a_string_without_an_end_is_a_fault() {
    let fault = fault_of(|b, printf| {
        let object = b.object("text", Some(2), ObjectKind::String { bytes: b"ab".to_vec() });
        let (format, text) = (string(b, "%s"), b.address(object));
        b.call(None, printf, &[format, text]);
    });
    assert_eq!(fault, Some(FaultKind::OutOfBounds));
    let fault = fault_of(|b, printf| {
        let (format, null) = (string(b, "%s"), b.constant(PTR, 0));
        b.call(None, printf, &[format, null]);
    });
    assert_eq!(fault, Some(FaultKind::NullDereference));
    let fault = fault_of(|b, printf| {
        let object = b.object("text", Some(2), ObjectKind::String { bytes: b"ab".to_vec() });
        let (format, text) = (string(b, "%.2s"), b.address(object));
        b.call(None, printf, &[format, text]);
    });
    assert_eq!(fault, None);
}

#[test]
fn sprintf_writes_within_bounds_or_faults() {
    let run_with_size = |size: u64, name: &str| {
        let mut b = Builder::new(DataModel::Ilp32);
        let function = b.external(name, Some(INT));
        let puts = b.external("puts", Some(INT));
        b.function("main", &[], Some(INT));
        let buffer = b.object("buffer", Some(size), ObjectKind::Local);
        b.enter(buffer);
        let (target, format, number) = (b.address(buffer), string(&mut b, "<%d>"), b.int(12345));
        let x = b.local(INT);
        if name == "snprintf" {
            let limit = b.size(i128::from(size));
            b.call(Some(x), function, &[target, limit, format, number]);
        } else {
            b.call(Some(x), function, &[target, format, number]);
        }
        b.call(None, puts, &[target]);
        let length = b.get(x);
        b.ret(length);
        b.run_printing()
    };
    let (report, output) = run_with_size(8, "sprintf");
    assert_eq!((report.outcome, output.as_str()), (Outcome::Exited(7), "<12345>\n"));
    let (report, _) = run_with_size(7, "sprintf");
    assert_eq!(report.fault().map(|fault| fault.kind), Some(FaultKind::OutOfBounds));
    let (report, output) = run_with_size(4, "snprintf");
    assert_eq!((report.outcome, output.as_str()), (Outcome::Exited(7), "<12\n"));
}

#[test]
fn vprintf_takes_its_arguments_from_a_list() {
    let mut b = Builder::new(DataModel::Lp64);
    let vprintf = b.external("vprintf", Some(INT));
    let (print, parameters) = b.function("print", &[PTR], None);
    let (list, varargs) = (
        b.object("list", Some(24), ObjectKind::Local),
        b.object("arguments", None, ObjectKind::Local),
    );
    b.program.functions[print].varargs = Some(varargs);
    b.enter(list);
    let (cursor, start) = (b.address(list), b.address(varargs));
    b.store(cursor, start);
    let format = b.get(parameters[0]);
    b.call(None, vprintf, &[format, cursor]);
    b.end(Operation::Return { value: None });
    b.function("main", &[], Some(INT));
    let arguments =
        [string(&mut b, "%d %s %.1f\n"), b.int(-5), string(&mut b, "word"), double(&mut b, 2.5)];
    b.call(None, print, &arguments);
    b.ret_int(0);
    let (report, output) = b.run_printing();
    assert_eq!((report.outcome, output.as_str()), (Outcome::Exited(0), "-5 word 2.5\n"));
}

#[test]
fn streams_are_told_apart() {
    let mut b = Builder::new(DataModel::Lp64);
    let fputs = b.external("fputs", Some(INT));
    b.function("main", &[], Some(INT));
    for name in ["stdout", "stderr"] {
        let object = b.object(name, Some(8), ObjectKind::External);
        let stream = b.local(PTR);
        let address = b.address(object);
        b.load(stream, address);
        let (text, stream) = (string(&mut b, name), b.get(stream));
        b.call(None, fputs, &[text, stream]);
    }
    b.ret_int(0);
    let (mut output, mut error_output) = (Vec::new(), Vec::new());
    let environment = Environment::silent(ListedInputs::zeros())
        .with_output(&mut output)
        .with_error_output(&mut error_output);
    let report = run(&b.program, &Settings::default(), environment);
    assert_eq!(report.outcome, Outcome::Exited(0));
    assert!(!report.depends_on_inputs);
    assert_eq!((output.as_slice(), error_output.as_slice()), (&b"stdout"[..], &b"stderr"[..]));
}

#[test]
fn scanf_reads_standard_input() {
    let mut b = Builder::new(DataModel::Lp64);
    let scanf = b.external("scanf", Some(INT));
    b.function("main", &[], Some(INT));
    let (number, word) =
        (b.object("n", Some(4), ObjectKind::Local), b.object("w", Some(8), ObjectKind::Local));
    b.enter(number);
    b.enter(word);
    let (count, n) = (b.local(INT), b.local(INT));
    let arguments = [string(&mut b, "%d,%7s"), b.address(number), b.address(word)];
    b.call(Some(count), scanf, &arguments);
    b.load(n, arguments[1]);
    let (count, n) = (b.get(count), b.get(n));
    let sum = b.binary(heapwright_program::BinaryOperator::Add, count, n);
    b.ret(sum);
    let mut inputs = ListedInputs::zeros();
    inputs.characters = b"  -40,word rest".iter().copied().collect();
    let report = run(&b.program, &Settings::default(), Environment::silent(inputs));
    assert_eq!(report.outcome, Outcome::Exited(-38));
    assert!(report.depends_on_inputs);
}

#[test]
fn mathematics_takes_and_gives_floats() {
    let mut b = Builder::new(DataModel::Lp64);
    let sqrt = b.external("sqrt", Some(DOUBLE));
    b.function("main", &[], Some(INT));
    let x = b.local(DOUBLE);
    let argument = double(&mut b, 1764.0);
    b.call(Some(x), sqrt, &[argument]);
    let value = b.get(x);
    let value = b.convert(value, INT);
    b.ret(value);
    assert_eq!(b.run().outcome, Outcome::Exited(42));
}
