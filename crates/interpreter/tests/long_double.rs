//! `long double` against the compiler's: the same operations on the same random numbers.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use heapwright_frontend::{Settings, Source, load};
use heapwright_interpreter::{Environment, ListedInputs, Outcome, run};
use heapwright_program::DataModel;

/// Pairs of numbers; each goes through every operation.
const PAIRS: usize = 3000;

/// The numbers of splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A significand, and a sign with an exponent: ordinary numbers, and those at the edges.
    fn number(&mut self) -> (u64, u16) {
        let significand = match self.next() % 6 {
            0 => 1 << 63,
            1 => u64::MAX,
            2 => (1 << 63) | (self.next() % 16),
            3 => 1 << 63 | (self.next() & !((1 << 40) - 1)),
            _ => 1 << 63 | self.next(),
        };
        let exponent = match self.next() % 10 {
            0 => return (self.next() >> (self.next() % 63 + 1), 0),
            1 => 1 + self.next() % 70,
            2 => 0x7ffe - self.next() % 70,
            3 => 0x3fff + 63 - self.next() % 4,
            4 => 0x3fff + 31 - self.next() % 4,
            5 => 0x3fff - 1022 - self.next() % 60,
            6 => 0x3fff - 126 - self.next() % 30,
            _ => 0x3fff - 40 + self.next() % 80,
        };
        (significand, ((self.next() % 2) as u16 * 0x8000) | exponent as u16)
    }
}

fn program() -> String {
    let mut random = Random(1);
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\n\
         struct bits { unsigned long long low; unsigned short high; };\n\
         static const struct bits pairs[][2] = {\n",
    );
    for _ in 0..PAIRS {
        let (a, b) = (random.number(), random.number());
        writeln!(text, "{{{{{:#x}ULL, {:#x}}}, {{{:#x}ULL, {:#x}}}}},", a.0, a.1, b.0, b.1)
            .unwrap();
    }
    text + MAIN
}

const MAIN: &str = r#"};

static long double number(struct bits bits)
{
    long double value = 0;
    memcpy(&value, &bits.low, 8);
    memcpy((char *)&value + 8, &bits.high, 2);
    return value;
}

static void show(long double value)
{
    struct bits bits = {0, 0};
    if (value != value) {
        printf(" nan");
        return;
    }
    memcpy(&bits.low, &value, 8);
    memcpy(&bits.high, (char *)&value + 8, 2);
    printf(" %llx:%x", bits.low, bits.high);
}

static void show_narrow(long double value)
{
    double narrow = (double)value;
    float narrower = (float)value;
    unsigned long long bits;
    unsigned int few;
    memcpy(&bits, &narrow, 8);
    memcpy(&few, &narrower, 4);
    printf(" %llx %x", bits, few);
    show(narrow);
    show(narrower);
}

int main(void)
{
    for (unsigned index = 0; index < sizeof pairs / sizeof *pairs; index++) {
        long double a = number(pairs[index][0]), b = number(pairs[index][1]);
        printf("%u", index);
        show(a + b);
        show(a - b);
        show(a * b);
        show(a / b);
        show(-a);
        printf(" %d%d%d%d%d", a < b, a <= b, a == b, a != b, a > b);
        show_narrow(a);
        long long whole = (long long)pairs[index][0].low;
        show(whole);
        show(pairs[index][0].low);
        show((int)whole);
        if (a > -9.2e18L && a < 9.2e18L)
            printf(" %lld", (long long)a);
        if (a > -2e9L && a < 2e9L)
            printf(" %d", (int)a);
        if (a > -1 && a < 1.8e19L)
            printf(" %llu", (unsigned long long)a);
        printf(" %d\n", !a);
    }
    return 0;
}
"#;

#[test]
fn operations_give_the_bits_that_the_processor_gives() {
    if cfg!(not(target_arch = "x86_64")) || Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: needs gcc on x86-64");
        return;
    }
    let text = program();
    let scratch = std::env::temp_dir().join(format!("heapwright-extended-{}", std::process::id()));
    fs::create_dir_all(&scratch).unwrap();
    let (file, binary) = (scratch.join("program.c"), scratch.join("program"));
    fs::write(&file, &text).unwrap();
    let compiled = Command::new("gcc").args(["-O0", "-w", "-o"]).arg(&binary).arg(&file).status();
    assert!(compiled.unwrap().success());
    let native = String::from_utf8(Command::new(&binary).output().unwrap().stdout).unwrap();
    fs::remove_dir_all(&scratch).unwrap();

    let source = Source::new("program.c", text);
    let program = load(&[source], &Settings::new(DataModel::Lp64)).expect("correct C").program;
    let mut output = Vec::new();
    let environment = Environment::silent(ListedInputs::zeros()).with_output(&mut output);
    let report = run(&program, &heapwright_interpreter::Settings::default(), environment);
    assert_eq!(report.outcome, Outcome::Exited(0));
    assert!(!report.inexact);
    let interpreted = String::from_utf8(output).unwrap();
    assert_eq!(native.lines().count(), PAIRS);
    for (native, interpreted) in native.lines().zip(interpreted.lines()) {
        assert_eq!(interpreted, native);
    }
    assert_eq!(native.len(), interpreted.len());
}
