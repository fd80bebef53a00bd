//! Inputs that go where bugs are: small numbers, the edges of types, and what the program itself
//! compares with.

use std::collections::BTreeSet;

use heapwright_engine::{Task, run_settings, violation_of};
use heapwright_generators::random::Random;
use heapwright_interpreter::{DrawnInput, Environment, Executable, Inputs, Machine};
use heapwright_program::{Expression, Place, Program, ScalarType, VariableId};
use heapwright_property::Part;

/// Draws from a seed, and from the constants of a program.
#[derive(Clone, Debug)]
pub struct ChosenInputs<'d> {
    random: Random,
    dictionary: &'d [u128],
    /// In a hundred: how often a number is one of the program's own.
    eagerness: usize,
}

impl<'d> ChosenInputs<'d> {
    pub fn new(seed: u64, dictionary: &'d [u128]) -> ChosenInputs<'d> {
        let mut random = Random::new(seed);
        let eagerness = random.pick(&[5, 30, 70]);
        ChosenInputs { random, dictionary, eagerness }
    }

    fn number(&mut self) -> u128 {
        if !self.dictionary.is_empty() && self.random.percent(self.eagerness) {
            return self.random.pick(self.dictionary);
        }
        match self.random.below(10) {
            0..=3 => 0,
            4..=5 => 1,
            6 => self.random.below(16) as u128,
            7 => u128::MAX - self.random.below(3) as u128,
            8 => {
                let width = self.random.pick(&[7, 8, 15, 16, 31, 32, 63]);
                (1u128 << width).wrapping_sub(self.random.below(2) as u128)
            }
            _ => u128::from(self.random.bits()),
        }
    }
}

impl Inputs for ChosenInputs<'_> {
    fn nondeterministic(&mut self, _name: &str, _ty: ScalarType, _place: Place) -> u128 {
        self.number()
    }

    fn uninitialised_variable(
        &mut self,
        _variable: Option<VariableId>,
        _ty: ScalarType,
        _place: Place,
    ) -> u128 {
        self.number()
    }

    fn uninitialised_byte(&mut self, _serial: u64, _offset: u64) -> u8 {
        self.random.pick(&[0, 0, 1, 0xbe, 0xff])
    }
}

/// The constants of a program and their neighbours.
pub fn dictionary(program: &Program) -> Vec<u128> {
    let constants = program.expressions.ids().filter_map(|id| match program.expressions.get(id) {
        Expression::Constant { .. } => program.expressions.constant_bits(id),
        _ => None,
    });
    let constants: BTreeSet<u128> = constants.filter(|bits| *bits > 2).collect();
    let around = |bits: u128| [bits, bits.wrapping_sub(1), bits.wrapping_add(1)];
    let all: BTreeSet<u128> = constants.into_iter().flat_map(around).collect();
    // More would only make each of them rare.
    all.into_iter().take(48).collect()
}

/// A violation that a plain run shows.
#[derive(Clone, Debug)]
pub struct FailedRun {
    pub part: Part,
    pub inputs: Vec<DrawnInput>,
}

/// Runs a program with inputs of so many seeds; gives the first violation.
pub fn failed_run(task: &Task, seeds: u64, steps: u64) -> Option<FailedRun> {
    let mut settings = run_settings(task);
    settings.limits.steps = steps;
    // A run that fills gibibytes says little and takes long.
    settings.limits.memory = 1 << 26;
    let executable = Executable::compile(&task.program, &settings.compile);
    let dictionary = dictionary(&task.program);
    for seed in 0..seeds {
        let environment = Environment::silent(ChosenInputs::new(seed, &dictionary));
        let report = Machine::new(&executable, &settings, environment).run();
        if let Some(found) = violation_of(task, &report) {
            return Some(FailedRun { part: found.part, inputs: report.inputs_drawn });
        }
        if !report.depends_on_inputs {
            break;
        }
    }
    None
}
