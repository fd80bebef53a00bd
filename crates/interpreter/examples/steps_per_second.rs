//! How many instructions a second the interpreter executes, on loops like those of list, array and
//! arithmetic programs. `cargo run --release -p heapwright-interpreter --example steps_per_second`
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use common::{Builder, INT, PTR};
use heapwright_interpreter::{Executable, Outcome};
use heapwright_program::{
    BinaryOperator, DataModel, ExpressionId, LocationId, ObjectKind, Operation, ScalarType,
    VariableId,
};

const LONG: ScalarType = ScalarType::Integer { signed: true, width: 64 };

fn main() {
    let show_code = std::env::args().any(|argument| argument == "--code");
    let programs = [
        ("arithmetic", arithmetic(100_000_000)),
        ("list", list(3_000_000)),
        ("array", array(50_000_000)),
        ("calls", calls(32)),
        ("scopes", scopes(10_000_000)),
    ];
    for (name, builder) in programs {
        if show_code {
            let executable = Executable::compile(&builder.program, &Default::default());
            for function in builder.program.functions.ids() {
                println!("{}", executable.listing(function));
            }
        }
        let start = Instant::now();
        let report = builder.run();
        let seconds = start.elapsed().as_secs_f64();
        assert!(matches!(report.outcome, Outcome::Exited(_)), "{name}: {:?}", report.outcome);
        let millions = report.steps as f64 / seconds / 1e6;
        println!("{name:12} {:>12} steps {seconds:6.2} s {millions:7.1} M/s", report.steps);
    }
}

/// `while (i < count) { … i = i + 1; }`: the cursor is in the body; call the result to close it.
fn begin_loop(b: &mut Builder, i: VariableId, count: i128) -> (LocationId, LocationId) {
    let ty = b.program.variables[i].scalar;
    let (zero, bound) = (b.constant(ty, 0), b.constant(ty, count));
    b.assign(i, zero);
    let head = b.here();
    let value = b.get(i);
    let condition = b.binary(BinaryOperator::Less, value, bound);
    let (_, behind) = b.branch(condition);
    (head, behind)
}

fn end_loop(b: &mut Builder, i: VariableId, (head, behind): (LocationId, LocationId)) {
    let next = plus(b, i, 1);
    b.assign(i, next);
    b.goto(head);
    b.at(behind);
}

fn plus(b: &mut Builder, variable: VariableId, number: i128) -> ExpressionId {
    let ty = b.program.variables[variable].scalar;
    let (value, number) = (b.get(variable), b.constant(ty, number));
    b.binary(BinaryOperator::Add, value, number)
}

fn arithmetic(count: i128) -> Builder {
    let mut b = Builder::main();
    let (i, x, y) = (b.local(LONG), b.local(ScalarType::UNSIGNED), b.local(ScalarType::UNSIGNED));
    let one = b.constant(ScalarType::UNSIGNED, 1);
    b.assign(x, one);
    b.assign(y, one);
    let rounds = begin_loop(&mut b, i, count);
    let (left, right) = (b.get(x), b.get(y));
    let sum = b.binary(BinaryOperator::Add, left, right);
    b.assign(x, sum);
    let value = b.get(x);
    let mixed = b.binary(BinaryOperator::BitXor, value, right);
    b.assign(y, mixed);
    end_loop(&mut b, i, rounds);
    b.ret_int(0);
    b
}

/// Builds a list, sums its values, frees it.
fn list(count: i128) -> Builder {
    let mut b = Builder::main();
    let (i, head, node, sum, value) =
        (b.local(INT), b.local(PTR), b.local(PTR), b.local(INT), b.local(INT));
    let null = b.constant(PTR, 0);
    b.assign(head, null);
    let rounds = begin_loop(&mut b, i, count);
    b.malloc(node, 16);
    let (pointer, number) = (b.get(node), b.get(i));
    b.store(pointer, number);
    let (address, next) = (b.offset(pointer, 8), b.get(head));
    b.store(address, next);
    b.assign(head, pointer);
    end_loop(&mut b, i, rounds);
    let zero = b.int(0);
    b.assign(sum, zero);
    let old_head = b.get(head);
    for is_freeing in [false, true] {
        b.assign(node, old_head);
        let top = b.here();
        let condition = b.binary(BinaryOperator::NotEqual, pointer, null);
        let (_, behind) = b.branch(condition);
        if is_freeing {
            b.load(head, address);
            b.free(node);
            b.assign(node, old_head);
        } else {
            b.load(value, pointer);
            let (left, right) = (b.get(sum), b.get(value));
            let total = b.binary(BinaryOperator::BitXor, left, right);
            b.assign(sum, total);
            b.load(node, address);
        }
        b.goto(top);
        b.at(behind);
    }
    b.ret_int(0);
    b
}

/// `a[i % 1024] += i`
fn array(count: i128) -> Builder {
    let mut b = Builder::main();
    let object = b.object("a", Some(4096), ObjectKind::Local);
    b.enter(object);
    let (start, zero, size) = (b.address(object), b.int(0), b.size(4096));
    b.add(Operation::Fill { target: start, byte: zero, size, initialises: false });
    let (i, p, x) = (b.local(INT), b.local(PTR), b.local(INT));
    let rounds = begin_loop(&mut b, i, count);
    let (number, bits) = (b.get(i), b.int(1023));
    let index = b.binary(BinaryOperator::BitAnd, number, bits);
    let index = b.convert(index, DataModel::Lp64.offset_type());
    let four = b.constant(DataModel::Lp64.offset_type(), 4);
    let offset = b.binary(BinaryOperator::Multiply, index, four);
    let address = b.binary(BinaryOperator::OffsetPointer, start, offset);
    b.assign(p, address);
    let pointer = b.get(p);
    b.load(x, pointer);
    let (left, right) = (b.get(x), b.get(i));
    let sum = b.binary(BinaryOperator::BitXor, left, right);
    b.store(pointer, sum);
    end_loop(&mut b, i, rounds);
    b.ret_int(0);
    b
}

/// Fibonacci numbers by recursion.
fn calls(number: i128) -> Builder {
    let mut b = Builder::new(DataModel::Lp64);
    let (function, parameters) = b.function("fibonacci", &[INT], Some(INT));
    let (n, two) = (b.get(parameters[0]), b.int(2));
    let condition = b.binary(BinaryOperator::Less, n, two);
    let (_, otherwise) = b.branch(condition);
    b.ret(n);
    b.at(otherwise);
    let (x, y) = (b.local(INT), b.local(INT));
    let (less_one, less_two) = (plus(&mut b, parameters[0], -1), plus(&mut b, parameters[0], -2));
    b.call(Some(x), function, &[less_one]);
    b.call(Some(y), function, &[less_two]);
    let (left, right) = (b.get(x), b.get(y));
    let sum = b.binary(BinaryOperator::Add, left, right);
    b.ret(sum);
    b.function("main", &[], Some(INT));
    let argument = b.int(number);
    b.call(None, function, &[argument]);
    b.ret_int(0);
    b
}

/// A local object in a loop's body.
fn scopes(count: i128) -> Builder {
    let mut b = Builder::main();
    let object = b.object("x", Some(8), ObjectKind::Local);
    let i = b.local(INT);
    let rounds = begin_loop(&mut b, i, count);
    b.enter(object);
    let (address, value) = (b.address(object), b.get(i));
    b.store(address, value);
    b.add(Operation::Leave { object });
    end_loop(&mut b, i, rounds);
    b.ret_int(0);
    b
}
