//! Every operator on every integer type, against numbers computed independently; conversions.

mod common;

use common::Builder;
use heapwright_interpreter::{Environment, Executable, ListedInputs, Machine, Outcome, Settings};
use heapwright_memory::FaultKind;
use heapwright_program::{
    BinaryOperator, DataModel, ExpressionId, ScalarType, UnaryOperator, VariableId, mask,
    sign_extend,
};

use BinaryOperator as B;

const OPERATORS: [B; 14] = [
    B::Add,
    B::Subtract,
    B::Multiply,
    B::Divide,
    B::Remainder,
    B::BitAnd,
    B::BitOr,
    B::BitXor,
    B::ShiftLeft,
    B::ShiftRight,
    B::Equal,
    B::NotEqual,
    B::Less,
    B::LessEqual,
];

fn types() -> Vec<ScalarType> {
    let widths = [8, 16, 32, 64, 128];
    let integer = |width| [true, false].map(|signed| ScalarType::Integer { signed, width });
    widths.into_iter().flat_map(integer).collect()
}

fn number(ty: ScalarType, bits: u128) -> i128 {
    let width = ty.value_bits(DataModel::Lp64);
    if ty.is_signed() { sign_extend(bits, width) } else { (bits & mask(width)) as i128 }
}

/// What C says, with overflow wrapping; by a way of its own.
fn expected(operator: B, ty: ScalarType, a: u128, b: u128) -> Result<u128, FaultKind> {
    let width = ty.value_bits(DataModel::Lp64);
    let (signed_a, signed_b) = (sign_extend(a, width), sign_extend(b, width));
    let is_less = if ty.is_signed() { signed_a < signed_b } else { a < b };
    let count = (b % u128::from(width)) as u32;
    let bits = match operator {
        B::Add => a.wrapping_add(b),
        B::Subtract => a.wrapping_sub(b),
        B::Multiply => a.wrapping_mul(b),
        B::Divide | B::Remainder if b == 0 => return Err(FaultKind::DivisionByZero),
        B::Divide | B::Remainder if ty.is_signed() => {
            if signed_b == -1 && a == 1 << (width - 1) {
                return Err(FaultKind::DivisionOverflow);
            }
            let divide = operator == B::Divide;
            (if divide { signed_a / signed_b } else { signed_a % signed_b }) as u128
        }
        B::Divide => a / b,
        B::Remainder => a % b,
        B::BitAnd => a & b,
        B::BitOr => a | b,
        B::BitXor => a ^ b,
        B::ShiftLeft => a << count,
        B::ShiftRight if ty.is_signed() => (signed_a >> count) as u128,
        B::ShiftRight => a >> count,
        B::Equal => u128::from(a == b),
        B::NotEqual => u128::from(a != b),
        B::Less => u128::from(is_less),
        B::LessEqual => u128::from(is_less || a == b),
        B::OffsetPointer | B::PointerDifference => panic!("{operator:?}"),
    };
    Ok(bits & mask(width))
}

fn interesting(ty: ScalarType) -> Vec<u128> {
    let width = ty.value_bits(DataModel::Lp64);
    let smallest = 1u128 << (width - 1);
    let all = mask(width);
    vec![0, 1, 2, 7, all, all - 1, smallest, smallest - 1, smallest + 1, 0x5a & all, 100 & all]
}

/// Computes `x op y` in three forms (two registers, constant right, constant left) and, for a
/// comparison, by a branch; gives back what each wrote.
fn forms(operator: B, ty: ScalarType, a: u128, b: u128) -> Vec<Result<u128, FaultKind>> {
    let mut results = Vec::new();
    for form in 0..6 {
        let mut builder = Builder::main();
        let result_type = if operator.is_comparison() { ScalarType::Bool } else { ty };
        let zero = builder.constant(result_type, 0);
        let result = builder.global(result_type, zero);
        let (x, y) = (builder.local(ty), builder.local(ty));
        builder.nondet(x, "a");
        builder.nondet(y, "b");
        let left = if form % 3 == 2 { builder.constant(ty, a as i128) } else { builder.get(x) };
        let right = if form % 3 == 1 { builder.constant(ty, b as i128) } else { builder.get(y) };
        let computed = builder.binary(operator, left, right);
        if form < 3 {
            builder.assign(result, computed);
            builder.ret_int(0);
        } else if operator.is_comparison() {
            branch_on(&mut builder, computed, result);
        } else {
            continue;
        }
        results.push(execute(&builder, result, [a, b]));
    }
    results
}

fn branch_on(builder: &mut Builder, condition: ExpressionId, result: VariableId) {
    let (_, no) = builder.branch(condition);
    let (one, zero) =
        (builder.constant(ScalarType::Bool, 1), builder.constant(ScalarType::Bool, 0));
    builder.assign(result, one);
    builder.ret_int(0);
    builder.at(no);
    builder.assign(result, zero);
    builder.ret_int(0);
}

fn execute(builder: &Builder, result: VariableId, inputs: [u128; 2]) -> Result<u128, FaultKind> {
    let settings = Settings::default();
    let executable = Executable::compile(&builder.program, &settings.compile);
    let environment = Environment::silent(ListedInputs::new(inputs));
    let mut machine = Machine::new(&executable, &settings, environment);
    match machine.run().outcome {
        Outcome::Exited(0) => Ok(machine.variable(0, result).wide()),
        Outcome::Fault(fault) => Err(fault.kind),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_operator_computes_what_c_says_in_every_form() {
    for ty in types() {
        for operator in OPERATORS {
            for a in interesting(ty) {
                for b in [interesting(ty)[0], 1, 3, mask(ty.value_bits(DataModel::Lp64)), a] {
                    let expected = expected(operator, ty, a, b);
                    for (form, result) in forms(operator, ty, a, b).into_iter().enumerate() {
                        let shown = (number(ty, a), number(ty, b));
                        assert_eq!(result, expected, "{shown:?} {operator:?} {ty} in form {form}");
                    }
                }
            }
        }
    }
}

#[test]
fn integers_convert_by_value_modulo_the_width() {
    for from in types() {
        for to in types() {
            for bits in interesting(from) {
                let mut b = Builder::main();
                let zero = b.constant(to, 0);
                let result = b.global(to, zero);
                let x = b.local(from);
                b.nondet(x, "a");
                let value = b.get(x);
                let converted = b.convert(value, to);
                b.assign(result, converted);
                b.ret_int(0);
                let expected = number(from, bits) as u128 & mask(to.value_bits(DataModel::Lp64));
                assert_eq!(
                    execute(&b, result, [bits, 0]),
                    Ok(expected),
                    "{from} to {to}: {bits:x}"
                );
            }
        }
    }
}

#[test]
fn unary_operators_wrap() {
    for ty in types() {
        for bits in interesting(ty) {
            for operator in [UnaryOperator::Negate, UnaryOperator::Complement] {
                let mut b = Builder::main();
                let zero = b.constant(ty, 0);
                let result = b.global(ty, zero);
                let x = b.local(ty);
                b.nondet(x, "a");
                let value = b.get(x);
                let computed = b.program.expressions.unary(operator, value);
                b.assign(result, computed);
                b.ret_int(0);
                let exact = match operator {
                    UnaryOperator::Negate => bits.wrapping_neg(),
                    UnaryOperator::Complement => !bits,
                };
                let expected = exact & mask(ty.value_bits(DataModel::Lp64));
                assert_eq!(execute(&b, result, [bits, 0]), Ok(expected), "{operator:?} {ty}");
            }
        }
    }
}
