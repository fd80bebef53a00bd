//! Mutations: small changes of a lowered program that plant a bug, or at least may.

use heapwright_base::DenseId;
use heapwright_program::well_formed;
use heapwright_program::{
    Access, BinaryOperator, Body, Edge, EdgeId, Expression, ExpressionId, FieldPath, FunctionId,
    LocationId, Operation, Program, ScalarType, Variable, VariableKind,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mutation {
    DropFree,
    DoubleFree,
    UseAfterFree,
    SwapStatements,
    /// `<` for `<=` and the other way round.
    ShiftBound,
    /// A block is a byte too small.
    ShrinkBlock,
    /// A comparison with null is always true.
    NeverNull,
    /// A comparison with null is always false.
    AlwaysNull,
}

impl Mutation {
    pub(crate) const ALL: [Mutation; 8] = [
        Mutation::DropFree,
        Mutation::DoubleFree,
        Mutation::UseAfterFree,
        Mutation::SwapStatements,
        Mutation::ShiftBound,
        Mutation::ShrinkBlock,
        Mutation::NeverNull,
        Mutation::AlwaysNull,
    ];

    /// The edges of the user's own code that it can change.
    pub(crate) fn sites(self, program: &Program) -> Vec<(FunctionId, EdgeId)> {
        let mut sites = Vec::new();
        for (function, item) in program.functions.enumerated() {
            let Some(body) = &item.body else { continue };
            for (id, edge) in body.edges.enumerated() {
                let is_model = program.files[edge.place.file].is_model;
                if !is_model && self.fits(program, body, edge) {
                    sites.push((function, id));
                }
            }
        }
        sites
    }

    fn fits(self, program: &Program, body: &Body, edge: &Edge) -> bool {
        let comparison = |wanted: &[BinaryOperator]| match edge.operation {
            // Each decision once.
            Operation::Assume { condition, holds: true } => {
                compared(program, condition).filter(|(operator, ..)| wanted.contains(operator))
            }
            _ => None,
        };
        match self {
            Mutation::DropFree | Mutation::DoubleFree | Mutation::UseAfterFree => {
                matches!(edge.operation, Operation::Free { .. })
            }
            Mutation::SwapStatements => follower(body, edge).is_some(),
            Mutation::ShiftBound => {
                comparison(&[BinaryOperator::Less, BinaryOperator::LessEqual]).is_some()
            }
            Mutation::ShrinkBlock => match edge.operation {
                Operation::Allocate { size, .. } => {
                    program.expressions.constant_bits(size).is_some_and(|size| size > 0)
                }
                _ => false,
            },
            Mutation::NeverNull | Mutation::AlwaysNull => {
                let equalities = [BinaryOperator::Equal, BinaryOperator::NotEqual];
                comparison(&equalities).is_some_and(|(_, left, right)| {
                    program.expressions.type_of(left).is_pointer()
                        && program.expressions.constant_bits(right) == Some(0)
                })
            }
        }
    }

    /// The program with this change; `None` where it would be no program.
    pub(crate) fn apply(
        self,
        program: &Program,
        function: FunctionId,
        edge: EdgeId,
    ) -> Option<Program> {
        let mut mutant = program.clone();
        match self {
            Mutation::DropFree => *operation(&mut mutant, function, edge) = Operation::Skip,
            Mutation::DoubleFree => {
                let again = operation(&mut mutant, function, edge).clone();
                insert_behind(&mut mutant, function, edge, again);
            }
            Mutation::UseAfterFree => {
                let load = load_of_freed(&mut mutant, function, edge)?;
                insert_behind(&mut mutant, function, edge, load);
            }
            Mutation::SwapStatements => {
                let body = mutant.functions[function].body.as_mut()?;
                let next = follower(body, &body.edges[edge])?;
                let (first, second) =
                    (body.edges[edge].operation.clone(), body.edges[next].operation.clone());
                body.edges[edge].operation = second;
                body.edges[next].operation = first;
            }
            Mutation::ShiftBound => {
                let (condition, operator, left, right) = decision(&mutant, function, edge)?;
                let operator = match operator {
                    BinaryOperator::Less => BinaryOperator::LessEqual,
                    _ => BinaryOperator::Less,
                };
                let model = mutant.model;
                let shifted = mutant.expressions.binary(operator, left, right, model);
                decide_by(&mut mutant, function, edge, condition, shifted);
            }
            Mutation::ShrinkBlock => {
                let model = mutant.model;
                let Operation::Allocate { size, .. } = *operation(&mut mutant, function, edge)
                else {
                    return None;
                };
                let bits = mutant.expressions.constant_bits(size)? - 1;
                let smaller = mutant.expressions.constant(model.size_type(), bits, model);
                if let Operation::Allocate { size, .. } = operation(&mut mutant, function, edge) {
                    *size = smaller;
                }
            }
            Mutation::NeverNull | Mutation::AlwaysNull => {
                let (condition, operator, ..) = decision(&mutant, function, edge)?;
                let is_null = self == Mutation::AlwaysNull;
                let truth = is_null == (operator == BinaryOperator::Equal);
                let model = mutant.model;
                let constant =
                    mutant.expressions.constant(ScalarType::Bool, u128::from(truth), model);
                decide_by(&mut mutant, function, edge, condition, constant);
            }
        }
        well_formed(&mutant).is_ok().then_some(mutant)
    }
}

fn operation(program: &mut Program, function: FunctionId, edge: EdgeId) -> &mut Operation {
    let body = program.functions[function].body.as_mut().expect("it has edges");
    &mut body.edges[edge].operation
}

/// A new edge between an edge and what follows it.
fn insert_behind(program: &mut Program, function: FunctionId, edge: EdgeId, operation: Operation) {
    let body = program.functions[function].body.as_mut().expect("it has edges");
    let between = LocationId::from_index(body.location_count);
    body.location_count += 1;
    let (target, place) = (body.edges[edge].target, body.edges[edge].place);
    body.edges[edge].target = between;
    body.edges.push(Edge { source: between, target, operation, place });
}

/// Reads a byte of the block that an edge frees.
fn load_of_freed(program: &mut Program, function: FunctionId, edge: EdgeId) -> Option<Operation> {
    let Operation::Free { address } = *operation(program, function, edge) else { return None };
    let ty = program.types.of_scalar(ScalarType::BYTE);
    let place = program.functions[function].place;
    let name = format!("planted.{}", edge.index());
    let kind = VariableKind::Temporary;
    let scalar = ScalarType::BYTE;
    let variable = Variable { name, ty, scalar, kind, function: Some(function), place };
    let target = program.variables.push(variable);
    let path = program.paths.push(FieldPath { root: ty, steps: Vec::new(), offset: Some(0) });
    let access =
        Access { address, ty: scalar, bits: None, base: address, path, initialises: false };
    Some(Operation::Load { target, access })
}

/// The edge right behind, if there is no other way in or out and both can change places.
fn follower(body: &Body, edge: &Edge) -> Option<EdgeId> {
    let moves = |operation: &Operation| {
        matches!(
            operation,
            Operation::Assign { .. }
                | Operation::Load { .. }
                | Operation::Store { .. }
                | Operation::Free { .. }
                | Operation::Allocate { .. }
        )
    };
    let is_join = body.edges.iter().filter(|other| other.target == edge.target).count() > 1;
    let mut behind = body.edges.enumerated().filter(|(_, other)| other.source == edge.target);
    let (next, item) = behind.next()?;
    let is_simple = behind.next().is_none() && !is_join && moves(&edge.operation);
    let differs = edge.operation != item.operation;
    (is_simple && differs && moves(&item.operation)).then_some(next)
}

fn compared(
    program: &Program,
    condition: ExpressionId,
) -> Option<(BinaryOperator, ExpressionId, ExpressionId)> {
    match program.expressions.get(condition) {
        Expression::Binary { operator, left, right } => Some((operator, left, right)),
        _ => None,
    }
}

fn decision(
    program: &Program,
    function: FunctionId,
    edge: EdgeId,
) -> Option<(ExpressionId, BinaryOperator, ExpressionId, ExpressionId)> {
    let body = program.functions[function].body.as_ref()?;
    let Operation::Assume { condition, .. } = body.edges[edge].operation else { return None };
    let (operator, left, right) = compared(program, condition)?;
    Some((condition, operator, left, right))
}

/// Both edges of a decision get another condition.
fn decide_by(
    program: &mut Program,
    function: FunctionId,
    edge: EdgeId,
    old: ExpressionId,
    new: ExpressionId,
) {
    let body = program.functions[function].body.as_mut().expect("it has edges");
    let source = body.edges[edge].source;
    for edge in body.edges.iter_mut().filter(|edge| edge.source == source) {
        if let Operation::Assume { condition, .. } = &mut edge.operation
            && *condition == old
        {
            *condition = new;
        }
    }
}
