//! Trees whose nodes are counted by a member beside the root.
//!
//! The tree is made as any other, and counted when it is there, so that its size is still any number.

use std::fmt::Write;

use rucc_types::{RecordId, TypeId, TypeKind};

use super::maker::Maker;
use super::owners::MOST_NODES;
use super::shapes::{Member, Shape};

/// A tree, and the member that tells how many nodes it has.
pub(super) struct CountedTree<'m> {
    pub(super) root: &'m Member,
    pub(super) length: &'m Member,
}

impl Maker<'_> {
    /// The node of a tree, and its children.
    pub(super) fn tree_of(&self, ty: TypeId) -> Option<(RecordId, Vec<String>)> {
        let TypeKind::Record(node) = self.unit.kind(self.unit.pointee(ty)?) else { return None };
        match self.unit.shape(node) {
            Shape::Tree { children, .. } => Some((node, children)),
            Shape::Object | Shape::List { .. } | Shape::DoublyLinkedList { .. } => None,
        }
    }

    /// The statements that make a tree and count it.
    pub(super) fn fill_counted_tree(&mut self, owner: &str, tree: &CountedTree<'_>) -> String {
        let (root, length) = (&tree.root.name, &tree.length.name);
        let target = self.unit.pointee(tree.root.ty).expect("a tree");
        let value = self.pointer(target, &format!("`{owner}.{root}`"));
        let mut text = self.assign(&format!("it->{root}"), tree.root.ty, &value, 1);
        let most = MOST_NODES.min(self.most_of(tree.length.ty));
        let count = self.count_of(tree);
        let _ = writeln!(text, "    unsigned long count_{root} = {count};");
        let _ = writeln!(text, "    __VERIFIER_assume(count_{root} <= {most});");
        let _ = writeln!(text, "    it->{length} = count_{root};");
        self.assume(format!(
            "`{owner}.{length}` is the number of nodes of the tree `{root}`, at most {most} (contract)"
        ));
        text
    }

    /// How many nodes the tree has, as C.
    pub(super) fn count_of(&mut self, tree: &CountedTree<'_>) -> String {
        let target = self.unit.pointee(tree.root.ty).expect("a tree");
        let (node, children) = self.tree_of(tree.root.ty).expect("a tree");
        let Some(spelling) = self.unit.record_name(target) else {
            return format!("({}, 0)", self.refuse(&format!("the nodes of `{}`", tree.root.name)));
        };
        let name = format!("@count_{}", self.unit.tag_of(node));
        let mut body = String::new();
        for child in &children {
            let _ = writeln!(body, "    count += {name}(it->{child});");
        }
        let text = format!(
            "\nstatic unsigned long {name}(const {spelling} *it)\n{{\n    if (it == 0)\n        return 0;\n    \
             unsigned long count = 1;\n{body}    return count;\n}}\n"
        );
        if !self.functions.contains(&text) {
            let _ = writeln!(self.prototypes, "static unsigned long {name}(const {spelling} *it);");
            self.functions += &text;
        }
        format!("{name}(it->{})", tree.root.name)
    }
}
