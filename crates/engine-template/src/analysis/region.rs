//! Regions: one copy of each function that is summarised, and the calls of it that stay.

use heapwright_base::DenseId;
use heapwright_program::{
    Callee, ExpressionId, FunctionId, LocationId, Operation, Place, ScalarType, Type, TypeId,
    Variable, VariableId, VariableKind,
};

use crate::analysis::inline::{Frame, Inliner};

/// A function that is summarised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub entry: LocationId,
    pub parameters: Vec<VariableId>,
    /// Set before the region returns.
    pub result: Option<VariableId>,
}

impl Inliner<'_> {
    /// Keeps the call of a function that is summarised; its result is read from its region.
    pub(super) fn keep(
        &mut self,
        function: FunctionId,
        target: Option<VariableId>,
        arguments: &[ExpressionId],
        (from, to): (LocationId, LocationId),
        place: Place,
    ) {
        let Region { parameters, result, .. } = self.region(function);
        let types: Vec<ScalarType> =
            parameters.iter().map(|&parameter| self.result.variables[parameter].scalar).collect();
        let values = arguments.iter().zip(types);
        let arguments = values.map(|(&value, ty)| self.passed(value, ty)).collect();
        let returned = self.beside(from);
        let callee = Callee::Direct(function);
        self.push(from, returned, Operation::Call { target: None, callee, arguments }, place);
        let value = result.map(|result| {
            let ty = self.result.variables[result].scalar;
            self.result.expressions.variable(result, ty)
        });
        self.return_to_caller(value, target, (returned, to), place);
    }

    /// The region of a function, which gets its body later.
    fn region(&mut self, function: FunctionId) -> Region {
        if let Some(known) = self.regions.get(&function) {
            return known.clone();
        }
        let source = &self.source.functions[function];
        let mut frame = Frame::new(function, source.name.clone(), function);
        let parameters = source.parameters.iter();
        let parameters = parameters.map(|&it| self.variable(&mut frame, it)).collect();
        let result = source.result.map(|scalar| {
            self.result.variables.push(Variable {
                name: format!("{}::result", source.name),
                ty: self.result_type(function),
                scalar,
                kind: VariableKind::Local,
                function: Some(self.main),
                place: source.place,
            })
        });
        let region = Region { entry: LocationId::from_index(0), parameters, result };
        self.regions.insert(function, region.clone());
        self.wanted.push_back((function, frame));
        region
    }

    fn result_type(&self, function: FunctionId) -> TypeId {
        let ty = self.source.functions[function].ty;
        match self.source.types.get(ty) {
            Type::Function { result, .. } => *result,
            _ => ty,
        }
    }
}
