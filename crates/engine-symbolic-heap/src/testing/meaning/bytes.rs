//! What a block holds: cells, and the bytes that no cell covers.

use super::*;

impl Walk<'_, '_, '_, '_> {
    /// What a block holds, but for the cells at some offsets.
    pub(super) fn contents(
        &mut self,
        matching: &mut Matching,
        item: &Block,
        id: concrete::BlockId,
        except: &BTreeSet<u64>,
    ) -> Result<(), Mismatch> {
        let record = *self.machine.memory().block(id);
        let is_same_kind = matches!(
            (item.kind, record.kind),
            (BlockKind::Static, concrete::BlockKind::Static)
                | (BlockKind::String, concrete::BlockKind::String | concrete::BlockKind::Static)
                | (BlockKind::Stack | BlockKind::Constant, concrete::BlockKind::Stack)
                | (BlockKind::Heap, concrete::BlockKind::Heap)
                | (BlockKind::Function(_), concrete::BlockKind::Function)
        );
        let is_same_life = matches!(
            (item.life, record.life),
            (Life::Alive, concrete::Life::Alive)
                | (Life::Freed, concrete::Life::Freed)
                | (Life::OutOfScope, concrete::Life::OutOfScope)
        );
        if !is_same_kind || !is_same_life {
            let (kind, life) = (record.kind, record.life);
            return Err(format!("a {:?} {:?} is a {kind:?} {life:?}", item.kind, item.life));
        }
        if item.life != Life::Alive || matches!(item.kind, BlockKind::Function(_)) {
            return Ok(());
        }
        self.equation(matching, item.size, u128::from(record.size))?;
        for (&offset, cell) in item.cells.iter().filter(|(offset, _)| !except.contains(offset)) {
            if let Some(value) = self.read(id, offset, cell.size) {
                matching.demands.push(Demand { term: cell.value, value });
            }
        }
        self.check_rest(item, id, record.size, except)
    }

    /// The bytes that no cell covers.
    pub(super) fn check_rest(
        &mut self,
        item: &Block,
        id: concrete::BlockId,
        size: u64,
        except: &BTreeSet<u64>,
    ) -> Result<(), Mismatch> {
        let initial: &[u8] = match item.rest {
            DefaultBytes::Uninitialised => return Ok(()),
            DefaultBytes::Zero => &[],
            DefaultBytes::Initial(object) => match &self.machine.program().objects[object].kind {
                ObjectKind::Static { bytes, .. } | ObjectKind::String { bytes } => bytes,
                ObjectKind::External | ObjectKind::Local => return Ok(()),
            },
        };
        let pointer = self.reasoner.names.model().pointer_size();
        let mut covered: BTreeSet<u64> = BTreeSet::new();
        for (&offset, cell) in &item.cells {
            covered.extend(offset..offset + cell.size);
        }
        for &offset in except {
            covered.extend(offset..offset + pointer);
        }
        for offset in (0..size).filter(|offset| !covered.contains(offset)) {
            let expected = initial.get(offset as usize).copied().unwrap_or(0);
            if self.byte(id, offset).is_some_and(|byte| byte != expected) {
                return Err(format!("byte {offset} of a block is not {expected}"));
            }
        }
        Ok(())
    }

    /// Bytes of a concrete block as a value; `None` where one of them is not decided.
    pub(super) fn read(
        &self,
        id: concrete::BlockId,
        offset: u64,
        size: u64,
    ) -> Option<concrete::Value> {
        let memory = self.machine.memory();
        let at = memory.block(id).base.wrapping_add(offset);
        if size == self.reasoner.names.model().pointer_size()
            && let Some(value) = memory.plain_load_pointer(concrete::Value::pointer(at, id))
        {
            return Some(value);
        }
        let mut bits = 0u128;
        for index in (0..size.min(16)).rev() {
            bits = bits << 8 | u128::from(self.byte(id, offset + index)?);
        }
        Some(concrete::Value::from_wide(bits))
    }

    pub(super) fn byte(&self, id: concrete::BlockId, offset: u64) -> Option<u8> {
        let memory = self.machine.memory();
        let base = memory.block(id).base;
        let load = |offset: u64| concrete::Value::pointer(base.wrapping_add(offset), id);
        if let Some(byte) = memory.plain_load::<1>(load(offset)) {
            return Some(byte as u8);
        }
        // Part of a pointer that was stored whole.
        let pointer = self.reasoner.names.model().pointer_size();
        let start = offset / pointer * pointer;
        let whole = memory.plain_load_pointer(load(start))?;
        Some((whole.low >> (8 * (offset - start))) as u8)
    }
}
