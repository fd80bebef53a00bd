//! Trees from their texts.

use crate::heap::block::End;
use crate::heap::downward::{Downward, MOST_DOWNWARD, Relation};
use crate::heap::names::Names;
use crate::heap::order::{Order, Place};
use crate::heap::role::Summary as _;
use crate::heap::text::build::{Read, Scope, parse_block_name};
use crate::heap::text::build_block::{EndTerms, Header, parse_place};
use crate::heap::text::parse::{BlockText, Piece};
use crate::heap::tree::{Gap, InOrder, Tree, TreeLinks};

/// What is wrong with a tree that tells of other ends than it has.
const ENDS_OF_TREES: &str = "a sorted tree has two links, and a number next to its hole; one with relations has an \
                             `above` for each if it has an `end`; one that is `balanced` or holds its `height` has two links and no `end`; one \
                             that may be empty has no ends";

impl Names<'_> {
    pub(super) fn parse_tree(
        &mut self,
        scope: &Scope,
        part: &Piece<'_>,
        (text, ends): (&BlockText<'_>, &EndTerms),
        header: &Header<'_, '_>,
    ) -> Read<Tree> {
        let words = part.words();
        let may_be_empty = words[1] == "of";
        let how = if may_be_empty { &words[4..] } else { &words[2..] };
        let wrong =
            || part.error("not `tree by +OFFSET +OFFSET and up by +OFFSET from ABOVE to +HEAD`");
        let offset = |word: &str| word.strip_prefix('+').and_then(|offset| offset.parse().ok());
        let count = how.iter().take_while(|word| word.starts_with('+')).count();
        let (children, mut how) = how.split_at(count);
        let children: Option<Vec<u64>> = children.iter().map(|word| offset(word)).collect();
        let children = children.filter(|children| children.len() >= 2).ok_or_else(wrong)?;
        let (mut parent, mut above, mut head) = (None, None, 0);
        if let ["and", "up", "by", up, rest @ ..] = how {
            parent = Some(offset(up).ok_or_else(wrong)?);
            how = rest;
        }
        if let ["from", name, rest @ ..] = how {
            above = Some(parse_block_name(scope, &Piece { line: part.line, text: name })?);
            how = rest;
        }
        if let ["to", word, rest @ ..] = how {
            head = offset(word).ok_or_else(wrong)?;
            how = rest;
        }
        if !how.is_empty() {
            return Err(wrong());
        }
        let (hole, up) = (ends.get(&End::Next).copied(), ends.get(&End::Previous).copied());
        let leaf = ends.get(&End::Leaf).copied();
        let has_above = parent.is_some() && hole.is_some();
        if up.is_some() != parent.is_some() || above.is_some() != has_above {
            let message = "a tree whose nodes know their parents has a `back`, and `from` a block if \
                           it has an `end`; others have neither";
            return Err(text.name.error(message));
        }
        let (prototypes, origins) = (self.parse_prototypes(scope, text)?, header.all_origins());
        let links = TreeLinks { children, parent, head };
        let order = parse_in_order(text, (ends, hole.is_some()), header.order)?;
        let downward = parse_downward(text, ends, &header.downward)?;
        let measures = header.kept.parse_measures(&text.name, ends)?;
        let parent = up;
        let tree = Tree {
            links,
            hole,
            leaf,
            parent,
            above,
            may_be_empty,
            order,
            downward,
            measures,
            prototypes,
            origins,
        };
        match tree.is_well_formed() {
            true => Ok(tree),
            false => Err(text.name.error(ENDS_OF_TREES)),
        }
    }
}

/// How a tree is sorted.
fn parse_in_order(
    text: &BlockText<'_>,
    (ends, has_hole): (&EndTerms, bool),
    order: Option<Order>,
) -> Read<Option<InOrder>> {
    let number = |end: End| ends.get(&end).copied();
    let (before, behind) = (number(End::BeforeHole), number(End::BehindHole));
    let gap = has_hole.then_some(Gap { before, behind });
    let is_beside_none = !has_hole && (before.is_some() || behind.is_some());
    match (order, number(End::First), number(End::Last)) {
        (Some(order), Some(first), Some(last)) if !is_beside_none => {
            Ok(Some(InOrder { order, first, last, gap }))
        }
        (None, None, None) => Ok(None),
        (_, _, _) => {
            let message = "a sorted tree has a `first` and a `last`, and with an `end` a `before` or a \
                           `behind`; others do not";
            Err(text.name.error(message))
        }
    }
}

/// `downwards +OFFSET/SIZE RELATIONS`
pub(super) fn parse_relations(part: &Piece<'_>, how: &[&str]) -> Read<(Place, Vec<Relation>)> {
    let wrong = || part.error("not `downwards +OFFSET/SIZE RELATIONS`");
    let (place, words) = how.split_first().ok_or_else(wrong)?;
    let place = parse_place(place).ok_or_else(wrong)?;
    let relations: Option<Vec<Relation>> =
        words.iter().map(|word| Relation::of_word(word)).collect();
    Ok((place, relations.ok_or_else(wrong)?))
}

/// How nodes are related to those below them.
fn parse_downward(
    text: &BlockText<'_>,
    ends: &EndTerms,
    places: &[(Place, Vec<Relation>)],
) -> Read<Vec<Downward>> {
    if places.len() > MOST_DOWNWARD {
        return Err(text.name.error(format!("a tree has at most {MOST_DOWNWARD} `downwards`")));
    }
    let mut downward = Vec::new();
    for (index, (place, relations)) in places.iter().enumerate() {
        let number = |end: End| ends.get(&end).copied();
        let root = number(End::Root(index as u8));
        let root = root.ok_or_else(|| text.name.error("each `downwards` has a `root`"))?;
        let (place, relations) = (*place, relations.clone());
        let above_hole = number(End::AboveHole(index as u8));
        downward.push(Downward { place, relations, root, above_hole });
    }
    Ok(downward)
}
