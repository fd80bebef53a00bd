#![no_main]

use heapwright_difftest::fuzz::Target;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| Target::SolverAnswer.run(bytes));
