//! The typed tree to the program, unit by unit.
//!
//! Reading order: `linker` (what units share), `survey` (a look ahead), `reached` (what can be left out), `unit` (declarations),
//! `types`, `constant` (static initialisers), `function` (automata, scopes, jumps), `parameters`, `statement`,
//! `expression`, `condition`, `value`, `ranges`, `overflow`, `size`, `place` (lvalues), `assign`, `effects`, `initialiser`, `call`,
//! `intrinsic`, `builtin`, `atomic`, `format` (`printf` and its kin), `start` (arguments of `main`), `handlers` (at
//! the end of a program);
//! then `fit`, for calls from one unit to another, and `asked`, for calls that a contract speaks of.

mod asked;
mod assign;
mod atomic;
mod builtin;
mod call;
mod condition;
mod constant;
mod effects;
mod expression;
mod fit;
mod format;
mod function;
mod handlers;
mod initialiser;
mod intrinsic;
mod linker;
mod overflow;
mod parameters;
mod place;
mod ranges;
mod reached;
mod size;
mod start;
mod statement;
mod survey;
mod types;
mod unit;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_program::passes::dead_inputs;
use heapwright_program::{
    Callee, Edge, EdgeId, Expression, FunctionId, LocationId, ObjectKind, Operation, Program,
    debug_assert_well_formed,
};

pub(crate) use self::asked::look_at_calls;
use self::linker::Linker;
use self::reached::Reached;
use self::unit::UnitLowering;
use crate::diagnostic::InputError;
use crate::models;
use crate::settings::{Functions, Settings, World};
use crate::syntax::{Unit, read_unit};

/// Links the units into one program, with our models for the library functions that they need.
pub(crate) fn lower(
    units: &[Unit],
    settings: &Settings,
    functions: Functions,
) -> Result<Program, InputError> {
    let reached = match functions {
        Functions::All => None,
        Functions::Reached => Reached::from_main(units),
    };
    let mut linker = link(units, settings, reached.as_ref())?;
    if linker.misses_function() {
        linker = link(units, settings, None)?;
    }
    report_unmodelled_statics(&mut linker);
    let mut program = linker.program;
    fit::fit_calls(&mut program);
    settle_dead_inputs(&mut program);
    debug_assert_well_formed(&program, "lowering");
    Ok(program)
}

/// The units and the models that they need, in one program.
fn link(
    units: &[Unit],
    settings: &Settings,
    reached: Option<&Reached<'_>>,
) -> Result<Linker, InputError> {
    let mut linker = Linker::new(settings.model, settings.world);
    linker.program.signed_overflow = settings.signed_overflow;
    lower_units(&mut linker, units, reached)?;
    let mut linked = BTreeSet::new();
    loop {
        let files: Vec<&models::Model> = models::defining(missing_names(&linker), settings.world)
            .filter(|model| linked.insert(model.name))
            .collect();
        // Ends because each round links at least one of finitely many models.
        if files.is_empty() {
            break;
        }
        let units = files
            .into_iter()
            .map(|model| read_unit(&model.source(), settings))
            .collect::<Result<Vec<_>, _>>()?;
        lower_units(&mut linker, &units, None)?;
    }
    Ok(linker)
}

/// A variable declared without a value and not read before it is written gets zero: nobody can
/// tell, the program depends on one input less, and a pointer from the last round is lost as C
/// loses it.
fn settle_dead_inputs(program: &mut Program) {
    let functions: Vec<FunctionId> = program.functions.ids().collect();
    for function in functions {
        if program.functions[function].body.is_none() {
            continue;
        }
        for edge in dead_inputs(program, function) {
            let body = program.functions[function].body.as_mut().expect("a body");
            let Operation::Input { target, .. } = body.edges[edge].operation else { continue };
            let scalar = program.variables[target].scalar;
            let value = program.expressions.constant(scalar, 0, program.model);
            body.edges[edge].operation = Operation::Assign { target, value };
        }
    }
}

fn lower_units(
    linker: &mut Linker,
    units: &[Unit],
    reached: Option<&Reached<'_>>,
) -> Result<(), InputError> {
    let taken: Vec<_> = units.iter().map(survey::address_taken).collect();
    for (unit, taken) in units.iter().zip(&taken) {
        survey::add_unit(&mut linker.survey, unit, taken);
    }
    for (index, (unit, taken)) in units.iter().zip(taken).enumerate() {
        let reached = reached.map(|reached| (reached, index));
        UnitLowering::new(linker, unit, taken, reached).lower()?;
    }
    Ok(())
}

/// What the program uses and nobody defines: functions, and where models may define them, objects.
fn missing_names(linker: &Linker) -> BTreeSet<String> {
    let mut missing = missing_functions(linker);
    if linker.world == World::Modelled {
        let objects = linker.program.objects.iter();
        let external = objects.filter(|object| object.kind == ObjectKind::External);
        missing.extend(external.map(|object| object.name.clone()));
    }
    missing
}

/// Functions without a body that the program calls or points to.
fn missing_functions(linker: &Linker) -> BTreeSet<String> {
    let program = &linker.program;
    let mut missing: BTreeSet<String> = linker.wanted_bodies.clone();
    for function in &program.functions {
        let Some(body) = &function.body else { continue };
        for edge in &body.edges {
            if let Operation::Call { callee: Callee::Direct(callee), .. } = edge.operation {
                missing.insert(program.functions[callee].name.clone());
            }
        }
    }
    for id in program.expressions.ids() {
        if let Expression::FunctionAddress(function) = program.expressions.get(id) {
            missing.insert(program.functions[function].name.clone());
        }
    }
    // The first function of a name is the one that others mean.
    let mut has_body: BTreeMap<&str, bool> = BTreeMap::new();
    for function in &program.functions {
        has_body.entry(&function.name).or_insert(function.body.is_some());
    }
    missing.retain(|name| has_body.get(name.as_str()) != Some(&true));
    missing
}

/// A program whose static contents we do not know must not be answered for, from the start.
fn report_unmodelled_statics(linker: &mut Linker) {
    let Some((construct, place)) = linker.unmodelled_statics.pop() else { return };
    let Some(main) = linker.program.function_named("main") else { return };
    let Some(body) = &mut linker.program.functions[main].body else { return };
    use heapwright_base::DenseId;
    let start = LocationId::from_index(body.location_count);
    body.location_count += 1;
    let operation = Operation::Unsupported { construct };
    let _: EdgeId = body.edges.push(Edge { source: start, target: body.entry, operation, place });
    body.entry = start;
}
