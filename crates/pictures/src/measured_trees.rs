//! What all nodes of a tree keep of sizes and heights, in words and on cards.

use heapwright_heap_text::{SiblingsText, StoredText, TreeText};

use crate::fields::Fields;
use crate::scene::Tone;

/// Parts of a sentence, each behind a semicolon.
pub(crate) fn measure_words(fields: &Fields<'_>, id: &str, tree: &TreeText) -> String {
    let Some(whole) = tree.measures.as_ref().and_then(|measures| measures.whole.as_ref()) else {
        return String::new();
    };
    let siblings = match whole.siblings {
        SiblingsText::Any => None,
        SiblingsText::Balanced => {
            Some("left and right of each node it is equally high, or one higher on one side")
        }
        SiblingsText::Level => Some("left and right of each node it is equally high"),
    };
    let stored = whole.stored.iter().map(|one| stored_words(one, &fields.name(id, one.offset)));
    let all = siblings.map(str::to_owned).into_iter().chain(stored);
    all.map(|words| format!("; {words}")).collect()
}

fn stored_words(one: &StoredText, key: &str) -> String {
    let measure = if one.is_height { "how high it is" } else { "how many nodes there are" };
    let from = if one.less == 0 { "from each node on" } else { "below each node" };
    format!("`{key}` is {measure} {from}")
}

/// The same in few words.
pub(crate) fn measure_pills(fields: &Fields<'_>, id: &str, tree: &TreeText) -> Vec<(Tone, String)> {
    let Some(whole) = tree.measures.as_ref().and_then(|measures| measures.whole.as_ref()) else {
        return Vec::new();
    };
    let siblings = match whole.siblings {
        SiblingsText::Any => None,
        SiblingsText::Balanced => Some("balanced".to_owned()),
        SiblingsText::Level => Some("equally high on both sides".to_owned()),
    };
    let stored = whole.stored.iter().map(|one| {
        let measure = if one.is_height { "height" } else { "number of nodes" };
        let below = if one.less == 0 { "" } else { " below" };
        format!("{}: {measure}{below}", fields.name(id, one.offset))
    });
    siblings.into_iter().chain(stored).map(|pill| (Tone::Fact, pill)).collect()
}
