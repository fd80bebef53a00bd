//! Hints: what usually helps against a fault of this kind, with the names of this one.

use crate::fault::FaultReport;

/// A hint, where there is one that fits.
#[must_use]
pub(crate) fn hint(fault: &FaultReport) -> Option<String> {
    let block = fault.blocks.first();
    let freed = block.and_then(|block| block.released.as_ref()).map(|place| place.line);
    let place = fault.place.as_ref().map(|place| place.line);
    Some(match fault.code.id {
        "HW001" => match (freed, place) {
            (Some(freed), Some(line)) if freed <= line => format!(
                "take what line {line} needs before line {freed} frees it, or free it later"
            ),
            (Some(freed), _) => {
                format!("line {freed} frees it in an earlier round: is that meant?")
            }
            (None, _) => return None,
        },
        "HW002" => "set the pointer to NULL after the first `free`, or let only one owner free it"
            .to_owned(),
        "HW003" => "test the pointer for NULL before it is used".to_owned(),
        "HW004" | "HW005" => "compare the index with the number of elements: the last one is one \
                              less"
            .to_owned(),
        "HW006" => "only what `malloc` and its kin returned may be freed".to_owned(),
        "HW007" => "keep the pointer that `malloc` returned, and free that".to_owned(),
        "HW008" => "free the block, or keep a pointer to it, before the last one goes".to_owned(),
        "HW009" => "free it before the program ends".to_owned(),
        "HW011" => {
            "allocate what must outlive its scope, or let the caller give the memory".to_owned()
        }
        "HW012" => "give the pointer a value before it is used".to_owned(),
        _ => return None,
    })
}
