//! Whole runs: calls, further arguments, exit handlers, inputs and their replay, notes, traces.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::{Builder, INT, PTR};
use heapwright_interpreter::{
    Environment, Executable, InputKind, LimitKind, ListedInputs, Machine, NoteKind, Outcome,
    RecordedInputs, SeededInputs, Settings, TraceKind, run,
};
use heapwright_memory::Value;
use heapwright_program::{
    BinaryOperator, Callee, DataModel, Halt, InitialAddress, InputSource, ObjectKind, Operation,
    ScalarType, Storage,
};

const I8: ScalarType = ScalarType::Integer { signed: true, width: 8 };

#[test]
fn arguments_and_results_pass_through_calls() {
    let mut b = Builder::new(DataModel::Lp64);
    let (subtract, parameters) = b.function("subtract", &[INT, INT], Some(INT));
    let (left, right) = (b.get(parameters[0]), b.get(parameters[1]));
    let difference = b.binary(BinaryOperator::Subtract, left, right);
    b.ret(difference);
    b.function("main", &[], Some(INT));
    let x = b.local(INT);
    let (seven, three) = (b.int(7), b.int(3));
    b.call(Some(x), subtract, &[seven, three]);
    let pointer = b.program.expressions.function_address(subtract);
    let (result, callee) = (b.get(x), Callee::Indirect(pointer));
    b.add(Operation::Call { target: Some(x), callee, arguments: vec![result, three] });
    b.ret(result);
    assert_eq!(b.run().outcome, Outcome::Exited(1));
}

#[test]
fn a_call_that_does_not_fit_passes_bits() {
    let mut b = Builder::new(DataModel::Lp64);
    let (narrow, parameters) = b.function("narrow", &[I8, INT], Some(INT));
    let value = b.get(parameters[0]);
    let (wide, second) = (b.convert(value, INT), b.get(parameters[1]));
    let sum = b.binary(BinaryOperator::Add, wide, second);
    b.ret(sum);
    b.function("main", &[], Some(INT));
    let x = b.local(INT);
    let argument = b.int(0x1ff);
    b.call(Some(x), narrow, &[argument]);
    let value = b.get(x);
    b.ret(value);
    let mut inputs = ListedInputs::zeros();
    inputs.variables = [5].into();
    let report = run(&b.program, &Settings::default(), Environment::silent(inputs));
    assert_eq!(report.outcome, Outcome::Exited(4));
    assert!(report.depends_on_inputs);
}

#[test]
fn further_arguments_lie_sixteen_bytes_apart() {
    let mut b = Builder::new(DataModel::Ilp32);
    let (sum, parameters) = b.function("sum", &[INT], Some(INT));
    let object = b.object("arguments", None, ObjectKind::Local);
    b.program.functions[sum].varargs = Some(object);
    let (x, y, p) = (b.local(INT), b.local(INT), b.local(PTR));
    let start = b.address(object);
    b.load(x, start);
    let second = b.offset(start, 16);
    b.load(p, second);
    let pointer = b.get(p);
    b.load(y, pointer);
    let (x, y, first) = (b.get(x), b.get(y), b.get(parameters[0]));
    let total = b.binary(BinaryOperator::Add, x, y);
    let total = b.binary(BinaryOperator::Add, total, first);
    b.ret(total);
    b.function("main", &[], Some(INT));
    let number =
        b.object("number", Some(4), ObjectKind::Static { bytes: vec![30], addresses: vec![] });
    let result = b.local(INT);
    let (one, two, address) = (b.int(1), b.int(2), b.address(number));
    b.call(Some(result), sum, &[one, two, address]);
    let result = b.get(result);
    b.ret(result);
    assert_eq!(b.run().outcome, Outcome::Exited(33));
}

#[test]
fn static_objects_start_with_their_bytes_and_addresses() {
    let mut b = Builder::main();
    let text = b.object("text", Some(4), ObjectKind::String { bytes: b"abc\0".to_vec() });
    let address = InitialAddress {
        offset: 8,
        target: heapwright_program::AddressTarget::Object(text),
        addend: 2,
    };
    let kind = ObjectKind::Static { bytes: vec![1, 2], addresses: vec![address] };
    let table = b.object("table", Some(24), kind);
    let initial = b.address(table);
    let initial = b.offset(initial, 8);
    let global = b.global(PTR, initial);
    let (p, c) = (b.local(PTR), b.local(I8));
    let pointer = b.get(global);
    b.load(p, pointer);
    let pointer = b.get(p);
    b.load(c, pointer);
    let value = b.get(c);
    let value = b.convert(value, INT);
    b.ret(value);
    assert_eq!(b.run().outcome, Outcome::Exited(i32::from(b'c')));
}

#[test]
fn main_gets_its_arguments_and_may_return_nothing() {
    let mut b = Builder::new(DataModel::Lp64);
    let (_, parameters) = b.function("main", &[INT, PTR], Some(INT));
    let (p, c) = (b.local(PTR), b.local(I8));
    let vector = b.get(parameters[1]);
    let second = b.offset(vector, 8);
    b.load(p, second);
    let pointer = b.get(p);
    b.load(c, pointer);
    let (count, value) = (b.get(parameters[0]), b.get(c));
    let value = b.convert(value, INT);
    let sum = b.binary(BinaryOperator::Add, count, value);
    b.ret(sum);
    let arguments = ["program", "x"].map(str::to_owned).to_vec();
    let report = b.run_with(&Settings { arguments, ..Settings::default() });
    assert_eq!(report.outcome, Outcome::Exited(2 + i32::from(b'x')));

    let mut b = Builder::main();
    b.end(Operation::Return { value: None });
    assert_eq!(b.run().outcome, Outcome::Exited(0));
}

#[test]
fn exit_runs_handlers_last_first_and_immediate_exit_none() {
    let build = |is_immediate: bool| {
        let mut b = Builder::new(DataModel::Lp64);
        let putchar = b.external("putchar", Some(INT));
        let atexit = b.external("atexit", Some(INT));
        let handlers = ['a', 'b'].map(|letter| {
            let (handler, _) = b.function(&format!("handler_{letter}"), &[], None);
            let letter = b.int(letter as i128);
            b.call(None, putchar, &[letter]);
            b.end(Operation::Return { value: None });
            handler
        });
        b.function("main", &[], Some(INT));
        for handler in handlers {
            let pointer = b.program.expressions.function_address(handler);
            b.call(None, atexit, &[pointer]);
        }
        let status = b.int(3);
        b.end(Operation::Halt(if is_immediate {
            Halt::ImmediateExit(status)
        } else {
            Halt::Exit(status)
        }));
        b
    };
    let (report, output) = build(false).run_printing();
    assert_eq!((report.outcome, output.as_str()), (Outcome::Exited(3), "ba"));
    let (report, output) = build(true).run_printing();
    assert_eq!((report.outcome, output.as_str()), (Outcome::Exited(3), ""));
}

#[test]
fn other_ends_are_told_apart() {
    let end = |halt| {
        let mut b = Builder::main();
        b.end(Operation::Halt(halt));
        b.run().outcome
    };
    assert_eq!(end(Halt::Abort), Outcome::Aborted);
    assert_eq!(end(Halt::AssumptionFailed), Outcome::AssumptionFailed);
}

/// Draws inputs of every kind and returns something that depends on them all.
fn drawing() -> Builder {
    let mut b = Builder::main();
    let (x, y, z, p) = (b.local(INT), b.local(INT), b.local(INT), b.local(PTR));
    b.nondet(x, "__VERIFIER_nondet_int");
    b.add(Operation::Input { target: y, source: InputSource::Uninitialised });
    b.malloc(p, 16);
    let pointer = b.get(p);
    let null = b.constant(PTR, 0);
    let has_failed = b.binary(BinaryOperator::Equal, pointer, null);
    let (_, otherwise) = b.branch(has_failed);
    b.ret_int(1);
    b.at(otherwise);
    let address = b.offset(pointer, 4);
    b.load(z, address);
    let (x, y, z) = (b.get(x), b.get(y), b.get(z));
    let mixed = b.binary(BinaryOperator::BitXor, x, y);
    let mixed = b.binary(BinaryOperator::BitXor, mixed, z);
    b.ret(mixed);
    b
}

#[test]
fn a_recorded_run_is_repeated_exactly() {
    let b = drawing();
    let settings = Settings { malloc_may_fail: true, ..Settings::default() };
    for seed in 0..50 {
        let first = run(&b.program, &settings, Environment::silent(SeededInputs::new(seed)));
        assert!(first.depends_on_inputs);
        let inputs = RecordedInputs::new(&first.inputs_drawn);
        let again = run(&b.program, &settings, Environment::silent(inputs));
        assert_eq!(first, again, "seed {seed}");
    }
}

#[test]
fn inputs_are_named_and_uninitialised_bytes_counted() {
    let b = drawing();
    let mut inputs = ListedInputs::new([u128::from(u32::MAX)]);
    inputs.variables = [1].into();
    inputs.bytes = [((0, 4), 2)].into();
    let report = run(&b.program, &Settings::default(), Environment::silent(inputs));
    assert_eq!(report.outcome, Outcome::Exited(-1 ^ 1 ^ 2));
    assert_eq!((report.uninitialised_reads, report.inputs_drawn.len()), (4, 6));
    let first = &report.inputs_drawn[0];
    assert_eq!(first.kind, InputKind::Nondeterministic("__VERIFIER_nondet_int".into()));
    assert_eq!((first.bits, first.place.line), (u128::from(u32::MAX), 1));
    let byte = &report.inputs_drawn[2];
    assert_eq!(byte.kind, InputKind::UninitialisedByte { serial: 0, offset: 4 });
    assert!(!report.inputs_exhausted);
    assert!(b.run().inputs_exhausted);
}

#[test]
fn a_program_without_inputs_does_not_depend_on_them() {
    let mut b = Builder::main();
    b.ret_int(0);
    let report = b.run();
    assert!(!report.depends_on_inputs && report.inputs_drawn.is_empty());
}

#[test]
fn overflow_and_large_shifts_are_noted_once_an_operation() {
    let mut b = Builder::main();
    let (i, x) = (b.local(INT), b.local(INT));
    let (zero, largest) = (b.int(0), b.int(i128::from(i32::MAX)));
    b.assign(i, zero);
    b.assign(x, largest);
    let head = b.here();
    let (count, ten, one) = (b.get(i), b.int(10), b.int(1));
    let condition = b.binary(BinaryOperator::Less, count, ten);
    let (_, behind) = b.branch(condition);
    let value = b.get(x);
    let twice = b.binary(BinaryOperator::Add, value, largest);
    let overflow = b.assign(x, twice);
    let shift = b.int(40);
    let shifted = b.binary(BinaryOperator::ShiftRight, value, shift);
    let out_of_range = b.assign(x, shifted);
    b.assign(x, largest);
    let next = b.binary(BinaryOperator::Add, count, one);
    b.assign(i, next);
    b.goto(head);
    b.at(behind);
    b.ret_int(0);
    let report = b.run();
    let notes: Vec<_> = report.notes.iter().map(|note| (note.kind, note.place.line)).collect();
    assert_eq!(
        notes,
        [(NoteKind::SignedOverflow, overflow), (NoteKind::ShiftOutOfRange, out_of_range)]
    );
}

#[test]
fn a_bit_field_has_the_sign_of_its_type() {
    let mut b = Builder::main();
    let object = b.object("flags", Some(4), ObjectKind::Local);
    let x = b.local(INT);
    b.enter(object);
    let (target, byte, size) = (b.address(object), b.int(0), b.size(4));
    b.add(Operation::Fill { target, byte, size, initialises: false });
    let value = b.int(-3);
    let mut access = b.access(target, INT);
    access.bits = Some(heapwright_program::BitRange { offset: 5, width: 4 });
    b.add(Operation::Store { access, value });
    b.add(Operation::Load { target: x, access });
    let value = b.get(x);
    b.ret(value);
    assert_eq!(b.run().outcome, Outcome::Exited(-3));
}

#[test]
fn an_object_of_dynamic_size_may_be_entered_again() {
    let mut b = Builder::main();
    let object = b.object("array", None, ObjectKind::Local);
    let p = b.local(PTR);
    let (four, eight) = (b.size(4), b.size(8));
    b.add(Operation::Enter { object, size: Some(four) });
    let address = b.address(object);
    b.assign(p, address);
    b.add(Operation::Enter { object, size: Some(eight) });
    let (last, value) = (b.offset(address, 4), b.int(1));
    b.store(last, value);
    let old = b.get(p);
    let line = b.store(old, value);
    b.add(Operation::Leave { object });
    b.add(Operation::Leave { object });
    b.ret_int(0);
    assert_eq!(b.run().fault().map(|fault| fault.place.line), Some(line));
}

#[test]
fn alloca_lives_until_the_function_returns() {
    let mut b = Builder::new(DataModel::Lp64);
    let (function, _) = b.function("f", &[], Some(PTR));
    let p = b.local(PTR);
    let (size, storage) = (b.size(8), Storage::Alloca);
    b.add(Operation::Allocate { target: p, storage, size, zeroed: true });
    let x = b.local(INT);
    let address = b.get(p);
    b.load(x, address);
    b.ret(address);
    b.function("main", &[], Some(INT));
    let (p, x) = (b.local(PTR), b.local(INT));
    b.call(Some(p), function, &[]);
    let address = b.get(p);
    let line = b.load(x, address);
    b.ret_int(0);
    let report = b.run();
    assert_eq!(report.fault().map(|fault| fault.place.line), Some(line));
    assert_eq!(report.uninitialised_reads, 0);
}

#[test]
fn cancellation_ends_a_run() {
    let mut b = Builder::main();
    let start = b.here();
    b.goto(start);
    let cancelled = Some(Arc::new(AtomicBool::new(true)));
    let report = b.run_with(&Settings { cancelled, ..Settings::default() });
    assert_eq!(report.outcome, Outcome::Limit(LimitKind::Cancelled));
}

#[test]
fn a_machine_steps_through_locations() {
    let mut b = Builder::main();
    let x = b.local(INT);
    let (one, two) = (b.int(1), b.int(2));
    b.assign(x, one);
    let middle = b.here();
    b.add(Operation::Skip);
    let after_skip = b.here();
    b.assign(x, two);
    let last = b.here();
    let value = b.get(x);
    b.ret(value);
    let mut settings = Settings::default();
    settings.compile.keep_locations = true;
    let executable = Executable::compile(&b.program, &settings.compile);
    let environment = Environment::silent(ListedInputs::zeros());
    let mut machine = Machine::new(&executable, &settings, environment);
    let mut seen = Vec::new();
    while machine.step().is_none() {
        if let Some((_, location)) = machine.location() {
            seen.push((location, machine.variable(0, x)));
        }
    }
    let entry = b.program.functions.iter().next().unwrap().body.as_ref().unwrap().entry;
    let number = Value::from_low;
    let expected =
        [(entry, number(0)), (middle, number(1)), (after_skip, number(1)), (last, number(2))];
    assert_eq!(seen, expected);
    assert_eq!(machine.outcome(), Some(&Outcome::Exited(2)));
}

#[test]
fn a_trace_shows_decisions_and_calls() {
    let mut b = Builder::new(DataModel::Lp64);
    let (callee, _) = b.function("callee", &[], None);
    b.end(Operation::Return { value: None });
    b.function("main", &[], Some(INT));
    let i = b.local(INT);
    let (zero, one, two) = (b.int(0), b.int(1), b.int(2));
    b.assign(i, zero);
    let head = b.here();
    let value = b.get(i);
    let condition = b.binary(BinaryOperator::Less, value, two);
    let (_, behind) = b.branch(condition);
    b.call(None, callee, &[]);
    let next = b.binary(BinaryOperator::Add, value, one);
    b.assign(i, next);
    b.goto(head);
    b.at(behind);
    b.ret_int(0);
    let report = b.run_with(&Settings { trace: 100, ..Settings::default() });
    let main = b.program.function_named("main").unwrap();
    let body = b.program.functions[main].body.as_ref().unwrap();
    let decisions: Vec<bool> = report
        .trace
        .iter()
        .filter(|event| event.kind == TraceKind::Decision)
        .map(|event| match body.edges[event.edge].operation {
            Operation::Assume { holds, .. } => holds,
            ref other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(decisions, [true, true, false]);
    let calls = report.trace.iter().filter(|event| event.kind == TraceKind::Call(callee)).count();
    assert_eq!(calls, 2);
    assert_eq!(b.run().trace, []);
    let short = b.run_with(&Settings { trace: 3, ..Settings::default() });
    assert_eq!(short.trace, report.trace[report.trace.len() - 3..]);
}

#[test]
fn blocks_of_a_long_run_are_forgotten() {
    let mut b = Builder::main();
    let object = b.object("x", Some(64), ObjectKind::Local);
    let (i, p) = (b.local(INT), b.local(PTR));
    let (zero, one, many) = (b.int(0), b.int(1), b.int(300_000));
    b.assign(i, zero);
    let head = b.here();
    let value = b.get(i);
    let condition = b.binary(BinaryOperator::Less, value, many);
    let (_, behind) = b.branch(condition);
    b.enter(object);
    let address = b.address(object);
    b.store(address, value);
    b.add(Operation::Leave { object });
    b.malloc(p, 8);
    b.free(p);
    let next = b.binary(BinaryOperator::Add, value, one);
    b.assign(i, next);
    b.goto(head);
    b.at(behind);
    b.ret_int(0);
    let settings = Settings::default();
    let executable = Executable::compile(&b.program, &settings.compile);
    let environment = Environment::silent(ListedInputs::zeros());
    let mut machine = Machine::new(&executable, &settings, environment);
    assert_eq!(machine.run().outcome, Outcome::Exited(0));
    assert!(machine.memory().blocks().count() < 200_000);
}
