//! `<math.h>`: for `double`, `float` and `long double`, all computed as `double`.
//!
//! The functions of [`WHOLE`] and [`ROUNDED`] have one right result. Of the others libraries give different last bits,
//! and of a `long double` that is no `double` nothing here is exact: the run says so.

use crate::library::{Builtin, Call, Returned};
use crate::machine::Ended;

/// All of them.
pub(super) const TABLES: [&[(&str, Builtin)]; 3] = [UNARY, BINARY, OTHER];

/// The three names of a function of one number.
macro_rules! unary {
    ($($double:literal $single:literal $extended:literal => $compute:expr;)*) => {
        &[$(
            ($double, |call| one(call, $double, $compute)),
            ($single, |call| one(call, $double, $compute)),
            ($extended, |call| one(call, $double, $compute)),
        )*]
    };
}

/// The three names of a function of two numbers.
macro_rules! binary {
    ($($double:literal $single:literal $extended:literal => $compute:expr;)*) => {
        &[$(
            ($double, |call| two(call, $double, $compute)),
            ($single, |call| two(call, $double, $compute)),
            ($extended, |call| two(call, $double, $compute)),
        )*]
    };
}

const UNARY: &[(&str, Builtin)] = unary! {
    "sqrt" "sqrtf" "sqrtl" => f64::sqrt;
    "cbrt" "cbrtf" "cbrtl" => f64::cbrt;
    "fabs" "fabsf" "fabsl" => f64::abs;
    "floor" "floorf" "floorl" => f64::floor;
    "ceil" "ceilf" "ceill" => f64::ceil;
    "trunc" "truncf" "truncl" => f64::trunc;
    "round" "roundf" "roundl" => f64::round;
    "rint" "rintf" "rintl" => f64::round_ties_even;
    "nearbyint" "nearbyintf" "nearbyintl" => f64::round_ties_even;
    "sin" "sinf" "sinl" => f64::sin;
    "cos" "cosf" "cosl" => f64::cos;
    "tan" "tanf" "tanl" => f64::tan;
    "asin" "asinf" "asinl" => f64::asin;
    "acos" "acosf" "acosl" => f64::acos;
    "atan" "atanf" "atanl" => f64::atan;
    "sinh" "sinhf" "sinhl" => f64::sinh;
    "cosh" "coshf" "coshl" => f64::cosh;
    "tanh" "tanhf" "tanhl" => f64::tanh;
    "exp" "expf" "expl" => f64::exp;
    "exp2" "exp2f" "exp2l" => f64::exp2;
    "expm1" "expm1f" "expm1l" => f64::exp_m1;
    "log" "logf" "logl" => f64::ln;
    "log2" "log2f" "log2l" => f64::log2;
    "log10" "log10f" "log10l" => f64::log10;
    "log1p" "log1pf" "log1pl" => f64::ln_1p;
};

const BINARY: &[(&str, Builtin)] = binary! {
    "pow" "powf" "powl" => f64::powf;
    "fmod" "fmodf" "fmodl" => |a, b| a % b;
    "atan2" "atan2f" "atan2l" => f64::atan2;
    "hypot" "hypotf" "hypotl" => f64::hypot;
    "fmax" "fmaxf" "fmaxl" => f64::max;
    "fmin" "fminf" "fminl" => f64::min;
    "copysign" "copysignf" "copysignl" => f64::copysign;
    "fdim" "fdimf" "fdiml" => |a, b| if a > b { a - b } else { 0.0 };
};

const OTHER: &[(&str, Builtin)] = &[
    ("lround", |call| Ok(Returned::Number(call.float(0)?.round() as i64 as i128))),
    ("llround", |call| Ok(Returned::Number(call.float(0)?.round() as i64 as i128))),
    ("lrint", |call| Ok(Returned::Number(call.float(0)?.round_ties_even() as i64 as i128))),
    ("isnan", |call| Ok(Returned::Number(i128::from(call.float(0)?.is_nan())))),
    ("isinf", |call| Ok(Returned::Number(i128::from(call.float(0)?.is_infinite())))),
    ("finite", |call| Ok(Returned::Number(i128::from(call.float(0)?.is_finite())))),
];

/// Functions whose result needs no rounding: they are exact in every format.
const WHOLE: &[&str] = &[
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "fmod",
    "fmax",
    "fmin",
    "copysign",
];

/// Those whose result is rounded once, in `float` and `double`.
const ROUNDED: &[&str] = &["sqrt", "fdim"];

fn one(call: &mut Call<'_, '_>, name: &str, compute: fn(f64) -> f64) -> Result<Returned, Ended> {
    note_rounding(call, name);
    Ok(Returned::Float(compute(call.float(0)?)))
}

fn two(
    call: &mut Call<'_, '_>,
    name: &str,
    compute: fn(f64, f64) -> f64,
) -> Result<Returned, Ended> {
    note_rounding(call, name);
    Ok(Returned::Float(compute(call.float(0)?, call.float(1)?)))
}

/// Says of the run that its numbers are not exact, unless those of this function are.
fn note_rounding(call: &mut Call<'_, '_>, name: &str) {
    let is_wide = call.arguments.iter().any(|argument| argument.kind.width() > 64);
    let is_exact = WHOLE.contains(&name) || (!is_wide && ROUNDED.contains(&name));
    call.machine.inexact |= !is_exact;
}
