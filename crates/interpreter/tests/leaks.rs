//! Lost blocks: at the end, with frames still there, in endless loops; and where they were lost.

mod common;

use common::{Builder, INT, PTR};
use heapwright_interpreter::{EndCheck, Executable, Outcome, RunReport, Settings, locate_loss};
use heapwright_memory::FaultKind;
use heapwright_program::{DataModel, Operation, ScalarType};

fn lines(report: &RunReport) -> (Vec<u32>, Vec<u32>) {
    let line = |blocks: &[heapwright_memory::BlockSummary]| {
        blocks.iter().map(|block| block.allocated.line).collect()
    };
    (line(&report.leaked), line(&report.unfreed))
}

#[test]
fn a_global_pointer_keeps_a_block_that_is_not_freed() {
    let mut b = Builder::main();
    let null = b.constant(PTR, 0);
    let (kept, lost) = (b.global(PTR, null), b.local(PTR));
    let first = b.malloc(kept, 8);
    let second = b.malloc(lost, 8);
    b.ret_int(0);
    assert_eq!(lines(&b.run()), (vec![second], vec![first, second]));
}

#[test]
fn exit_leaves_the_frames_that_are_there() {
    let mut b = Builder::main();
    let kept = b.local(PTR);
    let first = b.malloc(kept, 8);
    b.exit(0);
    assert_eq!(lines(&b.run()), (vec![], vec![first]));
}

#[test]
fn a_temporary_that_is_not_used_again_keeps_nothing() {
    let mut b = Builder::new(DataModel::Lp64);
    let (stop, _) = b.function("stop", &[], None);
    b.exit(0);
    let (user, _) = b.function("user", &[PTR], None);
    b.end(Operation::Return { value: None });
    b.function("main", &[], Some(INT));
    let (dropped, used) = (b.temporary(PTR), b.temporary(PTR));
    let lost = b.malloc(dropped, 8);
    let kept = b.malloc(used, 8);
    b.call(None, stop, &[]);
    let argument = b.get(used);
    b.call(None, user, &[argument]);
    b.ret_int(0);
    assert_eq!(lines(&b.run()), (vec![lost], vec![lost, kept]));
}

#[test]
fn an_integer_that_hides_a_pointer_keeps_its_block() {
    let mut b = Builder::main();
    let ty = ScalarType::Integer { signed: false, width: 64 };
    let zero = b.constant(ty, 0);
    let (hidden, p) = (b.global(ty, zero), b.local(PTR));
    b.malloc(p, 8);
    let pointer = b.get(p);
    let number = b.convert(pointer, ty);
    b.assign(hidden, number);
    b.ret_int(0);
    assert_eq!(lines(&b.run()).0, []);
}

#[test]
fn the_place_of_a_loss_is_the_operation_that_dropped_the_last_pointer() {
    let mut b = Builder::main();
    let (p, q) = (b.local(PTR), b.local(PTR));
    let null = b.constant(PTR, 0);
    b.malloc(p, 8);
    let pointer = b.get(p);
    b.assign(q, pointer);
    b.assign(p, null);
    let line = b.assign(q, null);
    b.assign(p, null);
    b.ret_int(0);
    let settings = Settings::default();
    let report = b.run();
    assert_eq!(report.leaked.len(), 1);
    let executable = Executable::compile(&b.program, &settings.compile);
    let serial = report.leaked[0].serial;
    let loss = locate_loss(&executable, &settings, &report.inputs_drawn, serial).unwrap();
    assert_eq!((loss.place.line, loss.blame.line), (line, line));
    assert_eq!(locate_loss(&executable, &settings, &report.inputs_drawn, 99), None);
}

#[test]
fn a_block_that_a_return_loses_is_lost_there() {
    let mut b = Builder::new(DataModel::Lp64);
    let (leak, _) = b.function("leak", &[], None);
    let p = b.local(PTR);
    b.malloc(p, 8);
    let line = b.end(Operation::Return { value: None });
    b.function("main", &[], Some(INT));
    b.call(None, leak, &[]);
    b.ret_int(0);
    let settings = Settings::default();
    let report = b.run();
    let executable = Executable::compile(&b.program, &settings.compile);
    let serial = report.leaked[0].serial;
    let loss = locate_loss(&executable, &settings, &report.inputs_drawn, serial).unwrap();
    assert_eq!(loss.place.line, line);
}

#[test]
fn an_endless_loop_is_caught_leaking() {
    let mut b = Builder::main();
    let p = b.local(PTR);
    let start = b.here();
    let line = b.malloc(p, 8);
    b.goto(start);
    let end_check = EndCheck { periodic: Some(1000), ..EndCheck::default() };
    let report = b.run_with(&Settings { end_check, ..Settings::default() });
    match &report.outcome {
        Outcome::Fault(fault) => assert_eq!(fault.kind, FaultKind::Leak),
        other => panic!("{other:?}"),
    }
    assert_eq!(lines(&report).0[0], line);
    assert!(report.steps < 3000);
}
