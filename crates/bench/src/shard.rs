//! A bench on many machines: each takes every n-th run of the same plan, and results are put together by file.

use crate::error::BenchError;
use crate::plan::Plan;
use crate::record::{Key, RunRecord, read_rows, sort};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One of several shares of a plan: `2/8` is the second of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 1.
    number: usize,
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            Some((number.trim().parse::<usize>().ok()?, count.trim().parse::<usize>().ok()?))
        });
        match numbers {
            Some((number, count)) if 1 <= number && number <= count => Ok(Shard { number, count }),
            _ => Err(format!("`{text}` is no share such as 2/8, the second of eight")),
        }
    }
}

impl Shard {
    /// Keeps the runs of this share. Neighbours in the plan are alike, so they go to different machines.
    pub(crate) fn keep(self, plan: &mut Plan) {
        let mut index = 0;
        plan.runs.retain(|_| {
            index += 1;
            (index - 1) % self.count == self.number - 1
        });
    }
}

/// The rows that an earlier bench has left in its results file; none if there is no file. A row that was
/// cut off in the middle is as good as none.
pub(crate) fn rows_so_far(path: &Path) -> Result<Vec<RunRecord>, BenchError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(BenchError::Read { path: path.to_owned(), source }),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let rows: Result<Vec<RunRecord>, csv::Error> =
        csv::Reader::from_reader(whole.as_bytes()).deserialize().collect();
    rows.map_err(|error| BenchError::Results {
        path: path.to_owned(),
        problem: format!(
            "{error}; --resume needs a file that `heapwright bench --csv` has written"
        ),
    })
}

/// The rows of several results files; of two about the same question the later one counts.
pub(crate) fn merged(files: &[PathBuf]) -> Result<Vec<RunRecord>, BenchError> {
    let mut rows: BTreeMap<Key, RunRecord> = BTreeMap::new();
    for file in files {
        let hint = "--merge needs files that `heapwright bench --csv` has written";
        for row in read_rows::<RunRecord>(file, hint)? {
            rows.insert(row.key(), row);
        }
    }
    let mut rows: Vec<RunRecord> = rows.into_values().collect();
    sort(&mut rows);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, count: 8 }));
        for wrong in ["0/2", "3/2", "2", "a/b", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
