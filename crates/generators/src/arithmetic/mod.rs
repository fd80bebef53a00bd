//! Programs of integer arithmetic, in the manner of csmith but smaller: typed expressions over all
//! integer types, free of undefined behaviour by construction (see [`value`]).

mod expression;
mod statement;
mod types;
mod value;

use expression::{Array, Function, Place, Scope, Writer};
use statement::BodyWriter;
use types::IntegerType;

use crate::program::{DataModel, GeneratedProgram};
use crate::random::Random;
use crate::text::indent;

const PRELUDE: &str = "#include <stdio.h>
static unsigned int checksum = 2166136261u;
static void mix(unsigned int value) {
checksum = (checksum ^ value) * 16777619u;
}
";

/// A program of arithmetic.
pub fn program(seed: u64, data_model: DataModel) -> GeneratedProgram {
    let mut random = Random::new(seed ^ 0xA217);
    let mut source = PRELUDE.to_owned();
    let mut globals = Scope::default();
    for number in 0..random.between(2, 6) {
        source += &declare_global(&mut random, number, data_model, &mut globals);
    }
    for number in 0..random.between(1, 4) {
        source += &pure_function(&mut random, number, data_model, &mut globals);
    }
    source += &main_function(&mut random, data_model, &globals);
    GeneratedProgram { source: indent(&source), expectation: crate::program::Expectation::Clean }
}

/// A function `unsigned int name(int)` of arithmetic; it needs a function `mix` and a variable
/// `checksum`.
pub(crate) fn function(random: &mut Random, name: &str, data_model: DataModel) -> String {
    let parameter = Place::variable("seed".to_owned(), IntegerType::Int, data_model);
    let scope = Scope { places: vec![parameter], ..Scope::default() };
    let mut body = BodyWriter::new(Writer { random, model: data_model, scope });
    let declarations = body.declarations();
    let statements = body.statements(4, 2);
    let result = body.writer.pure(3).text;
    format!(
        "static unsigned int {name}(int seed) {{\n{declarations}{statements}\
         return (unsigned int){result};\n}}\n"
    )
}

fn declare_global(
    random: &mut Random,
    number: usize,
    data_model: DataModel,
    globals: &mut Scope,
) -> String {
    let ty = random.pick(&IntegerType::ALL);
    let mut writer = Writer { random, model: data_model, scope: Scope::default() };
    // An initialiser must be a constant expression; without calls or commas, a constant is one.
    let initial = writer.constant().text;
    if writer.random.percent(25) {
        let length = writer.random.pick(&[2, 4, 8]);
        let name = format!("table{number}");
        globals.arrays.push(Array { name: name.clone(), ty, length, is_fixed: false });
        return format!("static {} {name}[{length}] = {{ {initial}, 1 }};\n", ty.name());
    }
    let name = format!("global{number}");
    globals.places.push(Place::variable(name.clone(), ty, data_model));
    format!("static {} {name} = {initial};\n", ty.name())
}

/// A function that reads globals and changes only its own variables, so that calls may stand
/// anywhere in an expression.
fn pure_function(
    random: &mut Random,
    number: usize,
    data_model: DataModel,
    globals: &mut Scope,
) -> String {
    let mut scope = globals.clone();
    scope.places.iter_mut().for_each(|place| place.is_fixed = true);
    scope.arrays.iter_mut().for_each(|array| array.is_fixed = true);
    let result = random.pick(&IntegerType::ALL);
    let parameters: Vec<IntegerType> =
        (0..random.between(1, 3)).map(|_| random.pick(&IntegerType::ALL)).collect();
    let mut list = Vec::new();
    for (position, ty) in parameters.iter().enumerate() {
        let name = format!("x{position}");
        list.push(format!("{} {name}", ty.name()));
        scope.places.push(Place::variable(name, *ty, data_model));
    }
    let mut body = BodyWriter::new(Writer { random, model: data_model, scope });
    let mut text = String::new();
    if body.writer.random.percent(50) {
        let condition = body.writer.pure(2).text;
        text += &format!("if ({condition}) return {};\n", body.writer.pure(2).text);
    }
    for place in 0..parameters.len() {
        let name = format!("x{place}");
        text += &format!("{name} = {};\n", body.writer.pure(2).text);
    }
    let value = body.writer.pure(3).text;
    let name = format!("function{number}");
    globals.functions.push(Function { name: name.clone(), parameters, result });
    format!("static {} {name}({}) {{\n{text}return {value};\n}}\n", result.name(), list.join(", "))
}

fn main_function(random: &mut Random, data_model: DataModel, globals: &Scope) -> String {
    let length = random.between(4, 12);
    let mut body = BodyWriter::new(Writer { random, model: data_model, scope: globals.clone() });
    let mut text = body.declarations();
    text += &body.statements(length, 3);
    for place in &body.writer.scope.places {
        text += &format!("printf(\"{}\\n\", {});\n", place.ty.format(), place.text);
    }
    for array in &body.writer.scope.arrays {
        let name = &array.name;
        let cast = "(unsigned long long)";
        text += &format!(
            "for (int i = 0; i < {}; i++) printf(\"%llu\\n\", {cast}{name}[i]);\n",
            array.length
        );
    }
    format!(
        "int main(void) {{\n{text}printf(\"checksum %x\\n\", checksum);\n\
         return (int)(checksum % 100u);\n}}\n"
    )
}
