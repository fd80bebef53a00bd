//! Every kind of fault, from programs that commit it, with its place and its blocks.

mod common;

use common::{Builder, INT, PTR};
use heapwright_interpreter::{LimitKind, Limits, Outcome, RunReport, Settings};
use heapwright_memory::{Access, FaultKind};
use heapwright_program::{
    BinaryOperator, Callee, DataModel, Failure, ObjectKind, Operation, SourceFile,
};

fn kind_and_line(report: &RunReport) -> (FaultKind, u32) {
    let fault = report.fault().unwrap_or_else(|| panic!("no fault: {:?}", report.outcome));
    (fault.kind, fault.place.line)
}

#[test]
fn a_null_pointer_is_not_followed() {
    let mut b = Builder::main();
    let (p, x) = (b.local(PTR), b.local(INT));
    let null = b.constant(PTR, 0);
    b.assign(p, null);
    let p = b.get(p);
    let address = b.offset(p, 8);
    let line = b.load(x, address);
    b.ret_int(0);
    let report = b.run();
    assert_eq!(kind_and_line(&report), (FaultKind::NullDereference, line));
    assert_eq!(report.fault().unwrap().address, Some(8));
}

#[test]
fn a_freed_block_is_neither_read_nor_freed_again() {
    let mut b = Builder::main();
    let p = b.local(PTR);
    let allocated = b.malloc(p, 16);
    let freed = b.free(p);
    let (address, zero) = (b.get(p), b.int(0));
    let line = b.store(address, zero);
    b.ret_int(0);
    let report = b.run();
    assert_eq!(kind_and_line(&report), (FaultKind::DanglingDereference, line));
    let block = report.fault().unwrap().blocks[0];
    assert_eq!((block.size, block.offset), (16, 0));
    assert_eq!(block.allocated.line, allocated);
    assert_eq!(block.released.unwrap().line, freed);

    let mut b = Builder::main();
    let p = b.local(PTR);
    b.malloc(p, 16);
    b.free(p);
    let line = b.free(p);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()), (FaultKind::DoubleFree, line));
}

#[test]
fn an_access_past_the_end_says_by_how_much() {
    let mut b = Builder::main();
    let p = b.local(PTR);
    b.malloc(p, 10);
    let (pointer, zero) = (b.get(p), b.int(0));
    let address = b.offset(pointer, 8);
    let line = b.store(address, zero);
    b.ret_int(0);
    let report = b.run();
    assert_eq!(kind_and_line(&report), (FaultKind::OutOfBounds, line));
    let fault = report.fault().unwrap();
    assert_eq!(fault.access, Some(Access::Write { size: 4 }));
    assert_eq!(fault.blocks[0].offset, 8);
}

#[test]
fn only_the_start_of_a_heap_block_is_freed() {
    let mut b = Builder::main();
    let p = b.local(PTR);
    b.malloc(p, 16);
    let pointer = b.get(p);
    let address = b.offset(pointer, 4);
    let line = b.add(Operation::Free { address });
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()), (FaultKind::InvalidFree, line));

    let mut b = Builder::main();
    let object = b.object("x", Some(4), ObjectKind::Local);
    b.enter(object);
    let address = b.address(object);
    let line = b.add(Operation::Free { address });
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()), (FaultKind::InvalidFree, line));
}

#[test]
fn a_local_object_dies_with_its_scope_and_with_its_call() {
    let mut b = Builder::new(DataModel::Ilp32);
    let (function, _) = b.function("escape", &[], Some(PTR));
    let object = b.object("x", Some(4), ObjectKind::Local);
    b.enter(object);
    let address = b.address(object);
    b.ret(address);
    b.function("main", &[], Some(INT));
    let (p, x) = (b.local(PTR), b.local(INT));
    b.call(Some(p), function, &[]);
    let address = b.get(p);
    let line = b.load(x, address);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()), (FaultKind::DanglingDereference, line));

    let mut b = Builder::main();
    let object = b.object("x", Some(4), ObjectKind::Local);
    let x = b.local(INT);
    b.enter(object);
    let left = b.add(Operation::Leave { object });
    let address = b.address(object);
    let line = b.load(x, address);
    b.ret_int(0);
    let report = b.run();
    assert_eq!(kind_and_line(&report), (FaultKind::DanglingDereference, line));
    assert_eq!(report.fault().unwrap().blocks[0].released.unwrap().line, left);
}

#[test]
fn numbers_and_functions_are_no_memory() {
    let mut b = Builder::main();
    let (main, x) = (b.program.function_named("main").unwrap(), b.local(INT));
    let address = b.program.expressions.function_address(main);
    b.load(x, address);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()).0, FaultKind::WildDereference);

    let mut b = Builder::main();
    let x = b.local(INT);
    let address = b.constant(PTR, 0x1234_5678);
    b.load(x, address);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()).0, FaultKind::WildDereference);
}

#[test]
fn a_string_literal_is_read_and_not_written() {
    let mut b = Builder::main();
    let text = b.object("text", Some(3), ObjectKind::String { bytes: b"hi\0".to_vec() });
    let c = b.local(common::U8);
    let address = b.address(text);
    b.load(c, address);
    let value = b.get(c);
    let line = b.store(address, value);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()), (FaultKind::ReadOnlyWrite, line));
}

#[test]
fn division_faults_have_their_own_kinds() {
    let divide = |left: i128, right: i128| {
        let mut b = Builder::main();
        let (x, y, z) = (b.local(INT), b.local(INT), b.local(INT));
        let (left, right) = (b.int(left), b.int(right));
        b.assign(x, left);
        b.assign(y, right);
        let (left, right) = (b.get(x), b.get(y));
        let quotient = b.binary(BinaryOperator::Divide, left, right);
        b.assign(z, quotient);
        let z = b.get(z);
        b.ret(z);
        b.run().outcome
    };
    let kind = |outcome| match outcome {
        Outcome::Fault(fault) => Some(fault.kind),
        _ => None,
    };
    assert_eq!(kind(divide(1, 0)), Some(FaultKind::DivisionByZero));
    assert_eq!(kind(divide(i128::from(i32::MIN), -1)), Some(FaultKind::DivisionOverflow));
    assert_eq!(divide(-7, 2), Outcome::Exited(-3));
}

#[test]
fn a_call_goes_to_a_function_or_faults() {
    let mut b = Builder::main();
    let p = b.local(PTR);
    b.malloc(p, 16);
    let pointer = b.get(p);
    let callee = Callee::Indirect(pointer);
    let line = b.add(Operation::Call { target: None, callee, arguments: Vec::new() });
    b.ret_int(0);
    let report = b.run();
    assert_eq!(kind_and_line(&report), (FaultKind::InvalidCallee, line));
    assert_eq!(report.fault().unwrap().access, Some(Access::Call));
}

#[test]
fn recursion_without_end_exhausts_the_stack_and_not_ours() {
    let mut b = Builder::new(DataModel::Lp64);
    let (function, parameters) = b.function("f", &[INT], Some(INT));
    let x = b.local(INT);
    let argument = b.get(parameters[0]);
    b.call(Some(x), function, &[argument]);
    let value = b.get(x);
    b.ret(value);
    b.function("main", &[], Some(INT));
    let zero = b.int(0);
    b.call(None, function, &[zero]);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()).0, FaultKind::StackExhausted);
}

#[test]
fn a_large_local_object_exhausts_the_stack() {
    let mut b = Builder::main();
    let object = b.object("x", Some(1 << 40), ObjectKind::Local);
    b.enter(object);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()).0, FaultKind::StackExhausted);
}

#[test]
fn assertions_and_errors_end_the_run() {
    let mut b = Builder::main();
    let line = b.end(Operation::Fail(Failure::Assertion { text: "x == 1".to_owned() }));
    let report = b.run();
    assert_eq!(kind_and_line(&report), (FaultKind::AssertionFailed, line));
    assert_eq!(report.fault().unwrap().detail.as_deref(), Some("x == 1"));

    let mut b = Builder::new(DataModel::Lp64);
    let (error, _) = b.function("reach_error", &[], None);
    b.end(Operation::Return { value: None });
    b.function("main", &[], Some(INT));
    let line = b.call(None, error, &[]);
    b.ret_int(0);
    assert_eq!(kind_and_line(&b.run()), (FaultKind::ErrorReached, line));
}

#[test]
fn a_fault_in_a_model_is_blamed_on_its_caller() {
    let mut b = Builder::new(DataModel::Lp64);
    let user = b.file;
    b.file = b.program.files.push(SourceFile { name: "string.c".to_owned(), is_model: true });
    let (strlen, parameters) = b.function("strlen", &[PTR], Some(INT));
    let x = b.local(INT);
    let address = b.get(parameters[0]);
    let in_model = b.load(x, address);
    let value = b.get(x);
    b.ret(value);
    b.file = user;
    b.function("main", &[], Some(INT));
    let null = b.constant(PTR, 0);
    let in_main = b.call(None, strlen, &[null]);
    b.ret_int(0);
    let report = b.run();
    let fault = report.fault().unwrap();
    assert_eq!((fault.place.line, fault.blame.line), (in_model, in_main));
    assert_eq!(fault.stack.len(), 2);
    assert_eq!(fault.stack[0].function, strlen);
    assert_eq!(fault.stack[1].place.line, in_main);
}

#[test]
fn unknown_functions_and_constructs_are_unsupported() {
    let mut b = Builder::new(DataModel::Lp64);
    let mystery = b.external("mystery", None);
    b.function("main", &[], Some(INT));
    b.call(None, mystery, &[]);
    b.ret_int(0);
    match b.run().outcome {
        Outcome::Unsupported { construct, place, .. } => {
            assert_eq!(construct, "call of external function `mystery`");
            assert_eq!(place.line, 1);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn limits_are_no_faults() {
    let mut b = Builder::main();
    let start = b.here();
    b.goto(start);
    let limits = Limits { steps: 1000, ..Limits::default() };
    let report = b.run_with(&Settings { limits, ..Settings::default() });
    assert_eq!(report.outcome, Outcome::Limit(LimitKind::Steps));
    assert_eq!(report.steps, 1000);

    let mut b = Builder::main();
    let p = b.local(PTR);
    let start = b.here();
    b.malloc(p, 1 << 20);
    b.goto(start);
    assert_eq!(b.run().outcome, Outcome::Limit(LimitKind::Memory));

    let mut b = Builder::new(DataModel::Ilp32);
    b.function("main", &[], Some(INT));
    let p = b.local(PTR);
    let start = b.here();
    b.malloc(p, 1 << 20);
    b.free(p);
    b.goto(start);
    // Many times its address space, but never much at a time.
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let report = b.run_with(&Settings { limits, ..Settings::default() });
    assert_eq!(report.outcome, Outcome::Limit(LimitKind::Steps));
}
