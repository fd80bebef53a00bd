//! Small tables as sorted lists: a copy is one allocation, and most tables have a dozen entries.

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table<K, V> {
    entries: Vec<(K, V)>,
}

/// Room for entries that a copy is given: most copies are made for that.
const SPARE: usize = 4;

impl<K: Copy, V: Copy> Clone for Table<K, V> {
    fn clone(&self) -> Table<K, V> {
        if self.entries.is_empty() {
            return Table::default();
        }
        let mut entries = Vec::with_capacity(self.entries.len() + SPARE);
        entries.extend_from_slice(&self.entries);
        Table { entries }
    }
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table { entries: Vec::new() }
    }
}

impl<K: Ord + Copy, V> Table<K, V> {
    fn find(&self, key: &K) -> Result<usize, usize> {
        self.entries.binary_search_by(|(known, _)| known.cmp(key))
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.find(key).ok().map(|index| &self.entries[index].1)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.find(key).ok().map(|index| &mut self.entries[index].1)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        match self.find(&key) {
            Ok(index) => self.entries[index].1 = value,
            Err(index) => self.entries.insert(index, (key, value)),
        }
    }

    pub(crate) fn remove(&mut self, key: &K) {
        if let Ok(index) = self.find(key) {
            self.entries.remove(index);
        }
    }

    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| is_kept(key, value));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }
}
