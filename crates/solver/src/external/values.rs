//! Values as SMT-LIB 2 solvers write them. `None` means: not understood.

use heapwright_logic::{ArrayValue, BitVectorValue, Sort, Value};

use super::expression::Expression;

pub(crate) fn read_value(expression: &Expression, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Boolean => match expression.as_atom()? {
            "true" => Some(Value::Boolean(true)),
            "false" => Some(Value::Boolean(false)),
            _ => None,
        },
        Sort::BitVector(width) => read_bit_vector(expression, width).map(Value::BitVector),
        Sort::Array { index, element } => read_array(expression, index, element).map(Value::Array),
    }
}

/// `#b01`, `#x0f` or `(_ bv5 32)`.
fn read_bit_vector(expression: &Expression, width: u32) -> Option<BitVectorValue> {
    let bits = match expression {
        Expression::Atom(text) => match text.split_at_checked(2)? {
            ("#b", digits) if digits.len() == width as usize => {
                u128::from_str_radix(digits, 2).ok()?
            }
            ("#x", digits) if 4 * digits.len() == width as usize => {
                u128::from_str_radix(digits, 16).ok()?
            }
            _ => return None,
        },
        Expression::List(items) => match items.as_slice() {
            [underscore, value, size]
                if underscore.as_atom() == Some("_") && size.as_atom()?.parse() == Ok(width) =>
            {
                value.as_atom()?.strip_prefix("bv")?.parse().ok()?
            }
            _ => return None,
        },
    };
    Some(BitVectorValue::new(bits, width))
}

/// `((as const …) v)`, with stores around it.
fn read_array(expression: &Expression, index: u32, element: u32) -> Option<ArrayValue> {
    let mut stores = Vec::new();
    let mut current = expression;
    // Ends because each round goes to a part.
    let mut array = loop {
        match current.as_list()? {
            [store, base, at, value] if store.as_atom() == Some("store") => {
                stores.push((read_bit_vector(at, index)?, read_bit_vector(value, element)?));
                current = base;
            }
            [constant, value] if is_constant_array(constant) => {
                break ArrayValue::new(index, read_bit_vector(value, element)?);
            }
            _ => return None,
        }
    };
    for (at, value) in stores.into_iter().rev() {
        array.store(at, value);
    }
    Some(array)
}

fn is_constant_array(expression: &Expression) -> bool {
    let words = |items: &[Expression]| {
        items.len() == 3 && items[0].as_atom() == Some("as") && items[1].as_atom() == Some("const")
    };
    expression.as_list().is_some_and(words)
}

#[cfg(test)]
mod tests {
    use super::super::expression::{Parsed, parse};
    use super::*;

    fn read(text: &str, sort: Sort) -> Option<String> {
        let Parsed::Complete(expression) = parse(text) else { panic!("{text}") };
        read_value(&expression, sort).map(|value| value.to_string())
    }

    #[test]
    fn reads_the_three_notations_of_a_bit_vector() {
        for text in ["#b00001111", "#x0f", "(_ bv15 8)"] {
            assert_eq!(read(text, Sort::BitVector(8)).as_deref(), Some("15"));
        }
        assert_eq!(read("#x0f", Sort::BitVector(4)), None);
        assert_eq!(read("15", Sort::BitVector(8)), None);
    }

    #[test]
    fn reads_arrays_as_stores_over_a_constant() {
        let text = "(store (store ((as const (Array (_ BitVec 2) (_ BitVec 4))) #x1) \
                    #b01 #x2) #b10 #x3)";
        let sort = Sort::Array { index: 2, element: 4 };
        assert_eq!(read(text, sort).as_deref(), Some("[1: 2, 2: 3, else 1]"));
        assert_eq!(read("(lambda ((x Int)) #x1)", sort), None);
    }
}
