//! The inputs of `run`: from a seed, from a list, or from standard input.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read};

use heapwright_interpreter::{ChoiceKind, Inputs, LineInputs, SeededInputs};
use heapwright_program::{Place, ScalarType, VariableId};

/// Values from a seed; with seed 0 uninitialised memory is zero, which is what most programs get
/// when they are run for the first time. Characters come from standard input.
pub(crate) struct SeedInputs {
    seeded: SeededInputs,
    is_memory_zero: bool,
}

impl SeedInputs {
    pub(crate) fn new(seed: u64) -> SeedInputs {
        SeedInputs { seeded: SeededInputs::new(seed), is_memory_zero: seed == 0 }
    }
}

impl Inputs for SeedInputs {
    fn nondeterministic(&mut self, name: &str, ty: ScalarType, place: Place) -> u128 {
        self.seeded.nondeterministic(name, ty, place)
    }

    fn uninitialised_variable(
        &mut self,
        variable: Option<VariableId>,
        ty: ScalarType,
        place: Place,
    ) -> u128 {
        match self.is_memory_zero {
            true => 0,
            false => self.seeded.uninitialised_variable(variable, ty, place),
        }
    }

    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        match self.is_memory_zero {
            true => 0,
            false => self.seeded.uninitialised_byte(serial, offset),
        }
    }

    fn allocation_fails(&mut self, serial: u64) -> bool {
        self.seeded.allocation_fails(serial)
    }

    fn character(&mut self) -> Option<u8> {
        standard_input_character()
    }
}

/// The values of `--inputs`; what is not listed is zero. Characters come from standard input.
#[derive(Debug)]
pub(crate) struct ListInputs {
    values: LineInputs<Cursor<String>>,
    variables: LineInputs<Cursor<String>>,
    bytes: BTreeMap<(u64, u64), u8>,
    failing: BTreeSet<u64>,
    choices: BTreeMap<ChoiceKind, u32>,
}

impl ListInputs {
    /// Reads the elements; says which one is wrong.
    pub(crate) fn parse(elements: &[String]) -> Result<ListInputs, String> {
        let (mut values, mut variables) = (String::new(), String::new());
        let (mut bytes, mut failing) = (BTreeMap::new(), BTreeSet::new());
        let mut choices = BTreeMap::new();
        for element in elements {
            let element = element.trim();
            let wrong = || {
                format!(
                    "--inputs: `{element}` is no input; write 5, -1, 0x1f, 'a', 0.5, variable:5, \
                     byte:3+8=255, fail:4, address:4=1 or literals:1"
                )
            };
            match element.split_once(':') {
                Some(("variable", value)) if is_value(value) => push_line(&mut variables, value),
                Some(("byte", text)) => {
                    let (position, value) = parse_byte(text).ok_or_else(wrong)?;
                    bytes.insert(position, value);
                }
                Some(("fail", serial)) => {
                    failing.insert(serial.parse().map_err(|_| wrong())?);
                }
                Some(("address", text)) => {
                    let (serial, chosen) = parse_address(text).ok_or_else(wrong)?;
                    choices.insert(ChoiceKind::Address { serial }, chosen);
                }
                Some(("null", text)) => {
                    let (earlier, chosen) = parse_address(text).ok_or_else(wrong)?;
                    choices.insert(ChoiceKind::Null { earlier }, chosen);
                }
                Some(("block", text)) => {
                    let (earlier, chosen) = parse_address(text).ok_or_else(wrong)?;
                    choices.insert(ChoiceKind::Block { earlier }, chosen);
                }
                Some(("literals", chosen)) => {
                    choices.insert(ChoiceKind::Literals, chosen.parse().map_err(|_| wrong())?);
                }
                None if is_value(element) => push_line(&mut values, element),
                Some(_) | None => return Err(wrong()),
            }
        }
        let lines = |text| LineInputs::new(Cursor::new(text));
        let (values, variables) = (lines(values), lines(variables));
        Ok(ListInputs { values, variables, bytes, failing, choices })
    }

    /// Whether some allocation is to fail.
    pub(crate) fn has_failures(&self) -> bool {
        !self.failing.is_empty()
    }
}

fn push_line(lines: &mut String, line: &str) {
    lines.push_str(line);
    lines.push('\n');
}

/// `3+8=255`: byte 8 of block 3.
fn parse_byte(text: &str) -> Option<((u64, u64), u8)> {
    let (position, value) = text.split_once('=')?;
    let (serial, offset) = position.split_once('+')?;
    Some(((serial.parse().ok()?, offset.parse().ok()?), value.parse().ok()?))
}

/// `3=1`: block 3 lies at the first of the addresses that were used before.
fn parse_address(text: &str) -> Option<(u64, u32)> {
    let (serial, chosen) = text.split_once('=')?;
    Some((serial.parse().ok()?, chosen.parse().ok()?))
}

fn is_value(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => u128::from_str_radix(digits, 16).is_ok(),
        None => {
            let is_character = text.len() >= 3 && text.starts_with('\'') && text.ends_with('\'');
            digits.parse::<u128>().is_ok() || text.parse::<f64>().is_ok() || is_character
        }
    }
}

impl Inputs for ListInputs {
    fn nondeterministic(&mut self, name: &str, ty: ScalarType, place: Place) -> u128 {
        self.values.nondeterministic(name, ty, place)
    }

    fn uninitialised_variable(
        &mut self,
        _variable: Option<VariableId>,
        ty: ScalarType,
        place: Place,
    ) -> u128 {
        self.variables.nondeterministic("", ty, place)
    }

    fn uninitialised_byte(&mut self, serial: u64, offset: u64) -> u8 {
        self.bytes.get(&(serial, offset)).copied().unwrap_or(0)
    }

    fn allocation_fails(&mut self, serial: u64) -> bool {
        self.failing.contains(&serial)
    }

    fn choose(&mut self, kind: ChoiceKind, _options: u32) -> u32 {
        self.choices.get(&kind).copied().unwrap_or(0)
    }

    fn chooses(&self) -> bool {
        !self.choices.is_empty()
    }

    fn character(&mut self) -> Option<u8> {
        standard_input_character()
    }

    fn is_exhausted(&self) -> bool {
        self.values.is_exhausted()
    }
}

/// Standard input is buffered by the library; a failing read is its end.
fn standard_input_character() -> Option<u8> {
    let mut byte = [0];
    let count = io::stdin().lock().read(&mut byte).unwrap_or(0);
    (count == 1).then_some(byte[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(elements: &[&str]) -> Result<ListInputs, String> {
        let elements: Vec<String> = elements.iter().map(|text| (*text).to_owned()).collect();
        ListInputs::parse(&elements)
    }

    #[test]
    fn every_kind_of_input_can_be_given() {
        let list = parse(&[
            "5",
            "-0x1f",
            "'a'",
            "0.5",
            "variable:7",
            "byte:3+8=255",
            "fail:4",
            "address:4=1",
        ]);
        let mut list = list.unwrap();
        assert_eq!(list.uninitialised_byte(3, 8), 255);
        assert_eq!(list.uninitialised_byte(3, 9), 0);
        assert!(list.allocation_fails(4) && list.has_failures());
    }

    #[test]
    fn what_is_no_input_is_named() {
        for wrong in ["many", "byte:3", "variable:x", "fail:", "size:3"] {
            assert!(parse(&[wrong]).unwrap_err().contains(wrong), "{wrong}");
        }
    }
}
