//! `--property`: a file's content or a name becomes a question.

use std::io::ErrorKind;
use std::path::Path;

use clap::ValueEnum;
use heapwright_frontend::InputError;
use heapwright_program::SignedOverflow;
use heapwright_property::{Part, Property, Specification};

/// How signed overflow is to be read for a question: nobody looks at it unless it is asked about, or ruled out.
pub(crate) fn signed_overflow(
    specification: &Specification,
    is_ruled_out: bool,
) -> Result<SignedOverflow, InputError> {
    match (specification.asks(Part::NoOverflow), is_ruled_out) {
        (true, true) => Err(InputError::new(
            "--no-signed-overflow takes for granted what --property no-overflow asks; leave out one of them",
        )),
        (true, false) => Ok(SignedOverflow::Fails),
        (false, true) => Ok(SignedOverflow::Ends),
        (false, false) => Ok(SignedOverflow::Wraps),
    }
}

const PARTS: [Part; 3] = [Part::ValidDeref, Part::ValidFree, Part::ValidMemtrack];

pub(crate) fn specification(property: Option<&str>) -> Result<Specification, InputError> {
    let Some(text) = property else { return Ok(Specification::everyday()) };
    let properties = Property::value_variants().iter();
    if let Some(property) = properties.clone().find(|property| property.name() == text) {
        return Ok(Specification::of_property(*property));
    }
    if let Some(part) = PARTS.into_iter().find(|part| part.name() == text) {
        return Ok(Specification { parts: vec![part], ..Specification::everyday() });
    }
    let names: Vec<&str> =
        properties.map(|property| property.name()).chain(PARTS.map(Part::name)).collect();
    let names = names.join(", ");
    let content = std::fs::read_to_string(Path::new(text)).map_err(|error| {
        let problem = match error.kind() {
            ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => format!("the file cannot be read: {error}"),
        };
        InputError::new(format!(
            "--property {text}: no property has this name and {problem}; the names are {names}"
        ))
    })?;
    Specification::from_content(&content).ok_or_else(|| {
        InputError::new(format!(
            "{text} asks what Heapwright does not know; it knows the SV-COMP properties {names}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_properties_and_of_their_parts_are_known() {
        assert_eq!(specification(None), Ok(Specification::everyday()));
        assert_eq!(specification(Some("valid-memsafety")).unwrap().parts, PARTS);
        assert_eq!(specification(Some("valid-free")).unwrap().parts, [Part::ValidFree]);
    }

    #[test]
    fn what_is_neither_name_nor_file_is_explained() {
        let error = specification(Some("safety")).unwrap_err().to_string();
        assert!(error.contains("safety") && error.contains("valid-memsafety"), "{error}");
    }
}
