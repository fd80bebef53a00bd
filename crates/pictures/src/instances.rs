//! Instances of users' predicates in words: which predicate, with which numbers, and whether a part is missing.

use heapwright_heap_text::{HeapText, InstanceText};

use crate::of_heap_text::plain_term;

/// ``a structure that is `counted` with n3``
pub(crate) fn instance_words(heap: &HeapText, instance: &InstanceText) -> String {
    let definition = heap.predicates.iter().find(|item| item.name == instance.predicate);
    let kinds = definition.map_or(&[][..], |definition| &definition.parameters);
    let numbers = kinds.iter().zip(&instance.arguments);
    let numbers = numbers.filter(|(bytes, _)| bytes.is_some());
    let numbers: Vec<String> = numbers.map(|(_, argument)| plain_term(argument)).collect();
    let with = if numbers.is_empty() { "" } else { " with " };
    let hole = instance.hole.as_ref();
    let hole = hole.map_or("", |_| ", but for a part that is looked at on its own");
    format!("a structure that is `{}`{with}{}{hole}", instance.predicate, numbers.join(" and "))
}
