//! Signed overflow as a fault and as the end of an execution: each operator at its limits, with a right
//! twin beside the wrong program. What counts is decision 0069.

use heapwright_frontend::{Settings, Source, World, load};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, run};
use heapwright_program::{DataModel, Program, SignedOverflow, parse, print};

const LIMITS: &str = "#define INT_MAX 2147483647\n#define INT_MIN (-INT_MAX - 1)\n\
    #define LLONG_MAX 9223372036854775807LL\n#define LLONG_MIN (-LLONG_MAX - 1)\n\
    int abs(int); long labs(long); int atoi(const char *);\n\
    typedef struct { int quot, rem; } div_t; div_t div(int, int);\n";

fn program(text: &str, model: DataModel, signed_overflow: SignedOverflow) -> Program {
    let source = Source::new("file.c", format!("{LIMITS}{text}"));
    let settings = Settings { signed_overflow, world: World::Modelled, ..Settings::new(model) };
    match load(&[source], &settings) {
        Ok(loaded) => loaded.program,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// How a program ends: the fault, or what it returns.
fn ending(program: &Program) -> String {
    let environment = Environment::silent(ListedInputs::new(Vec::new()));
    match run(program, &Default::default(), environment).outcome {
        Outcome::Exited(code) => format!("exit {code}"),
        Outcome::Fault(fault) => fault.kind.name().to_owned(),
        other => format!("{other:?}"),
    }
}

/// A program whose `main` has this body, in a data model.
fn body_ends(model: DataModel, body: &str) -> String {
    let text = format!("int main(void) {{ {body} return 0; }}");
    ending(&program(&text, model, SignedOverflow::Fails))
}

fn overflows_in(model: DataModel, bodies: &[&str]) {
    for body in bodies {
        assert_eq!(body_ends(model, body), "signed-overflow", "{body}");
    }
}

fn fits_in(model: DataModel, bodies: &[&str]) {
    for body in bodies {
        assert_eq!(body_ends(model, body), "exit 0", "{body}");
    }
}

fn overflows(bodies: &[&str]) {
    overflows_in(DataModel::Lp64, bodies);
}

fn fits(bodies: &[&str]) {
    fits_in(DataModel::Lp64, bodies);
}

#[test]
fn sums_and_differences_have_limits() {
    overflows(&[
        "int a = INT_MAX; a = a + 1;",
        "int a = INT_MAX, b = 1; a = a + b;",
        "int a = INT_MIN, b = -1; a = b + a;",
        "int a = -2; a = INT_MIN + 1 + a;",
        "int a = INT_MIN; a = a - 1;",
        "int a = 0, b = INT_MIN; a = a - b;",
        "int b = INT_MIN; int a = 0 - b;",
        "int b = INT_MIN; int a = INT_MAX - b;",
        "int a = INT_MAX; a = a - INT_MIN;",
        "long a = LLONG_MAX; a = 1 + a;",
        "long a = LLONG_MIN, b = 1; a = a - b;",
    ]);
    fits(&[
        "int a = INT_MAX - 1; a = a + 1;",
        "int a = INT_MAX, b = -1; a = a + b; a = b + a;",
        "int a = -1; a = INT_MIN + 1 + a;",
        "int a = INT_MIN + 1; a = a - 1;",
        "int a = -1, b = INT_MIN; a = a - b;",
        "int b = INT_MIN; int a = -1 - b;",
        "int a = -1; a = a - INT_MIN;",
        "long a = INT_MAX; a = a + 1;",
        "unsigned a = 4294967295u; a = a + 1; a--; a = a * 7u; a = -a;",
    ]);
}

#[test]
fn products_have_limits() {
    overflows(&[
        "int a = 65536, b = 32768; a = a * b;",
        "int a = INT_MIN, b = -1; a = a * b;",
        "int a = INT_MIN; a = a * -1;",
        "int a = 1073741824; a = 2 * a;",
        "int a = -1073741825; a = a * 2;",
        "int a = 1073741825; a = a * -2;",
        "int a = 715827883; a = a * 3;",
        "long a = 4294967296, b = 2147483648; a = a * b;",
        "long a = LLONG_MIN, b = -1; a = a * b;",
        "long a = 3074457345618258603; a = a * 3;",
    ]);
    fits(&[
        "int a = 65536, b = -32768; a = a * b;",
        "int a = -1073741824; a = a * 2;",
        "int a = 1073741824; a = a * -2;",
        "int a = 715827882; a = a * 3;",
        "int a = INT_MIN; a = a * 1; a = a * 0;",
        "long a = 4294967296, b = -2147483648; a = a * b;",
    ]);
}

#[test]
fn the_smallest_number_has_no_opposite() {
    overflows(&[
        "int a = INT_MIN, b = -1; a = a / b;",
        "int a = INT_MIN, b = -1; a = a % b;",
        "int a = INT_MIN; a = a / -1;",
        "int b = -1; b = INT_MIN / b;",
        "int a = INT_MIN; a = -a;",
        "int a = INT_MIN; a /= -1;",
        "int a = INT_MIN; a %= -1;",
        "long a = LLONG_MIN; a = -a;",
        "long a = LLONG_MIN, b = -1; a = a % b;",
        "int a = INT_MIN; a = abs(a);",
        "int a = INT_MIN; a = __builtin_abs(a);",
        "long a = LLONG_MIN; a = labs(a);",
        "div_t d = div(INT_MIN, -1);",
    ]);
    fits(&[
        "int a = INT_MIN + 1, b = -1; a = a / b; a = -a; a = a % b;",
        "int a = INT_MIN; a = a / 1; a = a % 2;",
        "long a = INT_MIN; a = -a; a = a / -1;",
        "int a = abs(INT_MIN + 1); a = __builtin_abs(-3); div_t d = div(INT_MIN, 1);",
        "int a = INT_MIN; int b = (int) (-(unsigned) a);",
    ]);
}

#[test]
fn a_divisor_of_zero_is_another_fault() {
    assert_eq!(body_ends(DataModel::Lp64, "int a = 1, b = 0; a = a / b;"), "division-by-zero");
}

#[test]
fn steps_and_compound_assignments_overflow() {
    overflows(&[
        "int a = INT_MAX; a++;",
        "int a = INT_MAX; ++a;",
        "int a = INT_MIN; a--;",
        "int a = INT_MIN; return --a != 0;",
        "int a = INT_MAX; int b = a++;",
        "int a = INT_MAX; a += 1;",
        "int a = INT_MIN; a -= 1;",
        "int a = 65536; a *= a;",
        "int a = 1; a <<= 31;",
        "int a[2] = {0, INT_MAX}; int *p = a; p[1]++;",
        "struct { int n; } s = {INT_MAX}, *p = &s; p->n += 1;",
        "enum { SMALL = -1, LARGE = INT_MAX } e = LARGE; int a = e + 1;",
        "long long a = LLONG_MAX; a++;",
        "int a = INT_MAX; long b = 1; b = b + (a + 1);",
    ]);
    fits(&[
        "int a = INT_MAX; a += 1L;",
        "int a = INT_MAX; a += 1u;",
        "int a = INT_MAX; a += 0.5;",
        "unsigned a = 4294967295u; a++; a--;",
        "int a = INT_MAX; long b = a; b++;",
        "int a = INT_MAX; long b = a + 1L;",
        "int *p = 0; unsigned long a = (unsigned long) (p + 1);",
    ]);
}

#[test]
fn small_types_are_promoted_first() {
    overflows(&[
        "unsigned short a = 65535, b = 65535; int c = a * b;",
        "unsigned short a = 65535; unsigned c = a * a;",
        "struct { unsigned b : 31; } s = {INT_MAX}; int c = s.b + 1;",
        "unsigned char a = 255; int c = a << 24;",
    ]);
    fits(&[
        "char c = 127; c++; c = 127; c += 1; c = -128; c--; c = -128; c = -c;",
        "signed char c = -128; c = c / -1; c = -128; c = c % -1; c = c * c;",
        "short a = -32768, b = -32768; int c = a * b;",
        "short a = 32767; a++; a = -32768; a = -a;",
        "_Bool b = 1; b++; b--; int c = b + b; c = -b;",
        "struct { int b : 5; unsigned u : 5; } s = {15, 31}; s.b++; s.u++; s.b -= 20; s.b = s.b * 9;",
        "unsigned char a = 255; int c = a << 23;",
        "unsigned short a = 65535; unsigned c = (unsigned) a * a;",
    ]);
}

#[test]
fn a_shift_is_a_product_with_a_power_of_two() {
    overflows(&[
        "int a = 1, n = 31; a = a << n;",
        "int n = 31; int a = 1 << n;",
        "int a = 1; a = a << 31;",
        "int a = 3, n = 30; a = a << n;",
        "int a = -3, n = 30; a = a << n;",
        "int a = INT_MIN; a = a << 1;",
        "int a = 1, n = 32; a = a << n;",
        "int a = 1; unsigned long n = 4294967296; a = a << n;",
        "long a = 1; a = a << 63;",
        "int n = 40; long a = 1 << n;",
    ]);
    fits(&[
        "int a = 1, n = 30; a = a << n;",
        "int n = 30; int a = 1 << n;",
        "int a = -1, n = 31; a = a << n;",
        "int a = -2; a = a << 30;",
        "int a = 0, n = 40; a = a << n;",
        "int a = 1, n = -1; a = a << n;",
        "int n = 62; long a = 1L << n;",
        "int n = 31; unsigned a = 1u << n;",
        "int a = INT_MIN; a = a >> 31; a = a >> 3;",
    ]);
}

#[test]
fn what_is_not_evaluated_does_not_overflow() {
    fits(&[
        "int a = INT_MAX; if (a < INT_MAX && a + 1 > 0) a = 0;",
        "int a = INT_MAX; if (a == INT_MAX || a + 1 > 0) a = 0;",
        "int a = INT_MAX; a = a < INT_MAX ? a + 1 : a;",
        "int a = INT_MAX; unsigned long n = sizeof(a + 1) + sizeof(a++);",
        "int a = INT_MAX; a = _Generic(a + 1, int: 0, default: 1);",
        "int a = INT_MAX; a = a ?: a + 1;",
        "int a = INT_MAX; typeof(a + 1) b = 0;",
        "int a = INT_MAX; a = __builtin_constant_p(a + 1);",
    ]);
    overflows(&[
        "int a = INT_MAX; if (a == INT_MAX && a + 1 > 0) a = 0;",
        "int a = INT_MAX; a = a < INT_MAX ? a : a + 1;",
        "int a = INT_MAX; a + 1;",
        "int a = INT_MAX; (void) (a + 1);",
        "int a = INT_MAX; a = (a + 1, 0);",
        "int a = INT_MAX; if (a + 1) { }",
        "int a = INT_MAX; switch (a + 1) { default: ; }",
        "int a = INT_MAX; a = ({ a + 1; });",
        "int a = INT_MAX; int b[2]; b[0] = 0; a = b[(a + 1) & 1];",
        "int a = INT_MAX; int b[(a + 1) & 3];",
        "int a = INT_MAX; return !(a + 1);",
    ]);
}

#[test]
fn constant_expressions_overflow_where_they_are_evaluated() {
    overflows(&["int a = INT_MAX + 1;", "int a; a = -INT_MIN;", "int a = 1 << 31;"]);
    fits(&[
        "long a = 2147483647L + 1;",
        "unsigned a = 1u << 31;",
        "int a = -2147483647 - 1;",
        "int a = 0; switch (a) { case 1 + 2: return 1; } static int b = 3 * 4;",
    ]);
}

#[test]
fn a_long_has_the_width_of_its_data_model() {
    let text = "long a = INT_MAX; a = a + 1;";
    overflows_in(DataModel::Ilp32, &[text, "long a = 65536; a *= a;", "long a = INT_MIN; a = -a;"]);
    fits_in(DataModel::Lp64, &[text, "long a = 65536; a *= a;", "long a = INT_MIN; a = -a;"]);
    overflows_in(DataModel::Ilp32, &["long long a = LLONG_MAX; a++;", "long a = 1; a = a << 31;"]);
    fits_in(
        DataModel::Ilp32,
        &["long long a = INT_MAX; a++;", "long long a = -2147483648; a = -a;"],
    );
}

#[test]
fn numbers_of_128_bits_overflow_as_well() {
    let largest = "__int128 a = (__int128) 1 << 126; a = a - 1 + a; a = -a; a = a - 1;";
    let small = "__int128 a = LLONG_MAX; a = a + 1; a = a - 1; a = -a; a = a / -1; a = a << 60;";
    fits(&[small, largest]);
    overflows(&[
        "__int128 a = (__int128) 1 << 126; a = a + a;",
        "__int128 a = (__int128) 1 << 126, b = -2; b = -a - a - 1;",
        "__int128 a = (__int128) 1 << 126; a = -a - a; a = -a;",
        "__int128 a = 1; a = a << 127;",
    ]);
    let product = body_ends(DataModel::Lp64, "__int128 a = 2; a = a * a;");
    assert!(product.contains("product of 128 bits"), "{product}");
}

#[test]
fn types_of_odd_widths_are_not_judged() {
    for body in [
        "struct { long b : 40; } s = {1}; long a = s.b + s.b;",
        "_BitInt(9) a = 255; a++;",
        "_BitInt(9) a = -256; a = -a;",
    ] {
        let ended = body_ends(DataModel::Lp64, body);
        assert!(ended.contains("odd number of bits"), "{ended}: {body}");
    }
}

#[test]
fn conversions_are_no_overflow() {
    fits(&[
        "long a = LLONG_MAX; int b = a; b = (int) a; short c = b;",
        "unsigned a = 4294967295u; int b = a; b = (int) (a + 1u);",
        "int a = (int) 3000000000u;",
    ]);
}

#[test]
fn atomic_arithmetic_wraps() {
    fits(&["int a = INT_MAX; __atomic_fetch_add(&a, 1, 5); __sync_fetch_and_sub(&a, 1);"]);
    fits(&["int a = INT_MAX, b; if (!__builtin_add_overflow(a, 1, &b)) return 1;"]);
}

#[test]
fn our_models_compute_for_themselves() {
    let wraps = "int main(void) { return atoi(\"99999999999\") == 7; }";
    assert_eq!(ending(&program(wraps, DataModel::Lp64, SignedOverflow::Fails)), "exit 0");
}

#[test]
fn operands_are_looked_at_when_they_are_evaluated() {
    // The left sum is made before the right operand changes what it is made of.
    let text = "int g = INT_MAX; int zero(void) { g = 0; return 0; }\n\
                int main(void) { return (g + 1) + zero(); }";
    assert_eq!(ending(&program(text, DataModel::Lp64, SignedOverflow::Fails)), "signed-overflow");
    let twin = "int g = 0; int large(void) { g = INT_MAX; return 0; }\n\
                int main(void) { return (g + 1) + large() - 1; }";
    assert_eq!(ending(&program(twin, DataModel::Lp64, SignedOverflow::Fails)), "exit 0");
    let volatile = "volatile int g = INT_MAX; int main(void) { g++; return 0; }";
    let ended = ending(&program(volatile, DataModel::Lp64, SignedOverflow::Fails));
    assert_eq!(ended, "signed-overflow");
}

#[test]
fn a_loop_that_counts_to_the_limit_overflows_behind_it() {
    overflows(&["int i; for (i = INT_MAX - 3; i <= INT_MAX; i++) { }"]);
    fits(&["int i; for (i = INT_MAX - 3; i < INT_MAX; i++) { }"]);
    overflows(&["int n = INT_MIN + 2; while (n--) { }"]);
    fits(&["int n = 2; while (n--) { }"]);
}

#[test]
fn executions_that_overflow_end_where_it_is_ruled_out() {
    let ends = |body: &str| {
        let text = format!("int main(void) {{ {body} return 3; }}");
        ending(&program(&text, DataModel::Lp64, SignedOverflow::Ends))
    };
    assert_eq!(ends("int a = INT_MAX; a++;"), "AssumptionFailed");
    assert_eq!(ends("int a = INT_MIN; a = a / -1;"), "AssumptionFailed");
    assert_eq!(ends("int a = 5; a++;"), "exit 3");
    // What happens before the overflow has happened.
    assert_eq!(ends("int *p = 0; *p = 1; int a = INT_MAX; a++;"), "null-dereference");
    assert_eq!(ends("int *p = 0; int a = INT_MAX; a++; *p = 1;"), "AssumptionFailed");
}

#[test]
fn wrapping_programs_have_no_branch_for_overflow() {
    let text = "int main(int argc, char **argv) { return argc + argc; }";
    let wraps = program(text, DataModel::Lp64, SignedOverflow::Wraps);
    assert!(!print(&wraps).contains("overflow"));
    for mode in [SignedOverflow::Fails, SignedOverflow::Ends] {
        let told = program(text, DataModel::Lp64, mode);
        let printed = print(&told);
        assert!(printed.starts_with(&format!("program LP64 {}\n", mode.name())), "{printed}");
        assert_eq!(parse(&printed).unwrap(), told.renumbered());
    }
}

#[test]
fn what_types_exclude_is_not_asked() {
    let text = "int f(short a, unsigned char b, int c) {\n\
                return a * 2 + (b << 3) + (c & 15) * (c % 7) + (c >> 1) - (a > b); }\n\
                int main(void) { return f(1, 2, 3); }";
    let told = print(&program(text, DataModel::Lp64, SignedOverflow::Fails));
    assert!(!told.contains("fail overflow"), "{told}");
    let text = "int f(short a, int b) { return a * 2 + b; } int main(void) { return f(1, 2); }";
    let told = print(&program(text, DataModel::Lp64, SignedOverflow::Fails));
    assert_eq!(told.matches("fail overflow").count(), 1, "{told}");
}
